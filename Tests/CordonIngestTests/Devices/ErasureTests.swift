import CordonCore
import CordonIngest
import CordonTestSupport
import CordonTesting
import CordonWire
import Foundation
import Testing

@Suite("Erasure, access and retention")
struct ErasureTests {
  @Test func erasedDataIsGoneFromTheFile() throws {
    let bench = try Bench(inFile: true)
    let marker = "device-\(UUID().uuidString.lowercased())"
    let phone = try bench.phone(marker)
    let other = try bench.phone("bystander")
    let rows = try (0..<500).map { try bench.location(marker, at: bench.now - .seconds(Int64($0)), east: 1) }
    try bench.post(rows, by: phone)
    try bench.post(
      (0..<500).map { try bench.location("bystander", at: bench.now - .seconds(Int64($0)), east: 1.5) }, by: other)
    // As SQLite writes them: eight bytes of the identity, most significant first.
    let traces = rows.map { row in (0..<8).map { UInt8(truncatingIfNeeded: row.id.low >> UInt64(56 - 8 * $0)) } }
    func bytes() throws -> Data {
      try FileManager.default.contentsOfDirectory(atPath: bench.folder ?? "").reduce(into: Data()) {
        $0 += try Data(contentsOf: URL(fileURLWithPath: "\(bench.folder ?? "")/\($1)"))
      }
    }
    let before = try bytes()
    #expect(before.contains(bytes: marker.utf8))
    #expect(traces.contains { before.contains(bytes: $0) })
    let response = bench.send("DELETE", "/v1/devices/\(marker)", #"{"secret": "\#(phone.secret)"}"#)
    #expect(response.status == 200)
    #expect(try response.object["locations"] as? Int == 500)
    let after = try bytes()
    #expect(!after.contains(bytes: marker.utf8))
    #expect(!traces.contains { after.contains(bytes: $0) })
    #expect(try bench.store.positionCount() == 500)
    #expect(
      try bench.store.contacts(in: nil, device: nil, overlapping: .min ... .max, limit: 10).isEmpty)
  }

  /// SQLite moves rows between pages as others are added and removed, and leaves copies in the free space.
  @Test func rearrangedPagesKeepNoErasedData() throws {
    let bench = try Bench(inFile: true)
    var book = try GuestBook(bench, guests: 6, seed: 11)
    for _ in 0..<24 { try book.post() }
    for index in [3, 1, 5, 2, 4] { book.erase(index) }
    #expect(book.traces.count > 500)
    try book.expectNoTraces()
    #expect(try bench.store.positionCount() > 0)
  }

  @Test func erasedDevicesDoNotComeBack() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let row = try bench.location("phone-1", at: bench.now)
    try bench.post([row], by: phone)
    let proof = #"{"secret": "\#(phone.secret)"}"#
    let receipt = bench.send("DELETE", "/v1/devices/phone-1", proof)
    #expect(receipt.status == 200)
    bench.now = bench.now + .seconds(10)
    // A late batch, a second request for the receipt, a new token, a new activation.
    #expect(bench.send("POST", "/v1/positions", #"{"rows":[]}"#, phone.bearer).status == 410)
    #expect(bench.send("DELETE", "/v1/devices/phone-1", proof) == receipt)
    #expect(bench.send("POST", "/v1/devices/phone-1/token", proof).status == 410)
    let code = try bench.invite()
    #expect(bench.send("POST", "/v1/devices/phone-1/activate", #"{"code": "\#(code)"}"#).status == 410)
    #expect(bench.send("GET", "/v1/devices/phone-1/data", "", phone.bearer).status == 410)
    bench.restart()
    #expect(bench.send("POST", "/v1/positions", #"{"rows":[]}"#, phone.bearer).status == 410)
    #expect(try bench.store.positionCount() == 0)
  }

  /// The receipt of the former holder covers none of the next holder's rows, tokens and name, nor the other way
  /// round.
  @Test func aFormerHolderCannotEraseTheNextHolder() throws {
    let bench = try Bench()
    let former = try bench.phone("shared")
    func rows(_ count: Int) throws -> [Location] {
      try (0..<count).map { try bench.location("shared", at: bench.now - .seconds(Int64(count - $0))) }
    }
    try bench.post(try rows(5), by: former)
    bench.now = bench.now + .minutes(10)
    #expect(bench.asAdmin("POST", "/v1/operator/devices/shared/reset?reason=asked%20to").status == 204)
    let next = try bench.phone("shared")
    bench.now = bench.now + .minutes(10)
    try bench.post(try rows(37), by: next)
    let proof = #"{"secret": "\#(former.secret)"}"#
    let receipt = bench.send("DELETE", "/v1/devices/shared", proof)
    #expect(receipt.status == 200)
    #expect(try receipt.object["locations"] as? Int == 5, "not what the next holder sent")
    // After more rows and another request, the receipt stays the same.
    try bench.post(try rows(3), by: next)
    bench.now = bench.now + .minutes(1)
    #expect(bench.send("DELETE", "/v1/devices/shared", proof) == receipt)
    #expect(try bench.store.positionCount() >= 37)
    #expect(try bench.post([try bench.location("shared", at: bench.now)], by: next) == [.stored])
    _ = try bench.token("shared", secret: next.secret)
    let data = try bench.send("GET", "/v1/devices/shared/data", "", next.bearer).object
    #expect((data["consents"] as? [Any])?.count == 1)
    // The next holder's receipt counts only their own rows. Then the name is gone, and the former holder learns
    // nothing of it.
    let count = try bench.store.positionCount()
    let own = bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(next.secret)"}"#)
    #expect(try own.object["locations"] as? Int == Int(count))
    #expect(bench.send("DELETE", "/v1/devices/shared", proof) == receipt)
    #expect(bench.send("POST", "/v1/devices/shared/token", proof).code == "bad-secret")
  }

  /// A device with two holders: five rows of the former one, a reset, and a row of the next one.
  private func sharedDevice() throws -> (bench: Bench, former: Bench.Phone, next: Bench.Phone) {
    let bench = try Bench()
    let former = try bench.phone("shared")
    try bench.post(
      try (0..<5).map { try bench.location("shared", at: bench.now - .seconds(Int64(5 - $0))) }, by: former)
    bench.now = bench.now + .minutes(10)
    #expect(bench.asAdmin("POST", "/v1/operator/devices/shared/reset?reason=asked%20to").status == 204)
    let next = try bench.phone("shared")
    bench.now = bench.now + .minutes(1)
    try bench.post([try bench.location("shared", at: bench.now)], by: next)
    return (bench, former, next)
  }

  /// The next holder learns nothing about rows of a former one, not even their number.
  @Test func aReceiptCountsOwnRowsOnly() throws {
    let (bench, former, next) = try sharedDevice()
    let receipt = bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(next.secret)"}"#)
    #expect(try receipt.object["locations"] as? Int == 1)
    #expect(try bench.store.positionCount() == 0)
    let other = try bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(former.secret)"}"#).object
    #expect(other["locations"] as? Int == 5)
  }

  /// A device with two holders is erased by any of them: the former holder's request ends with the same answer as if
  /// the next holder had done nothing.
  @Test(arguments: ["nobody", "next holder", "administrator"])
  func aFormerHolderGetsTheirOwnReceipt(_ eraser: String) throws {
    let (bench, former, next) = try sharedDevice()
    switch eraser {
    case "next holder":
      #expect(bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(next.secret)"}"#).status == 200)
    case "administrator": #expect(bench.asAdmin("DELETE", "/v1/devices/shared?reason=asked%20to").status == 200)
    default: break
    }
    bench.now = bench.now + .minutes(1)
    let proof = #"{"secret": "\#(former.secret)"}"#
    let receipt = bench.send("DELETE", "/v1/devices/shared", proof)
    #expect(receipt.status == 200)
    #expect(
      receipt.text == #"{"device":"shared","erased":\#(bench.now.milliseconds),"locations":5}"#,
      "the same for every eraser")
    // The receipt stays the same, and nobody else gets one.
    bench.now = bench.now + .minutes(1)
    #expect(bench.send("DELETE", "/v1/devices/shared", proof) == receipt)
    #expect(bench.send("DELETE", "/v1/devices/shared", #"{"secret": "another"}"#).code == "not-proved")
    if eraser != "nobody" {
      let own = bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(next.secret)"}"#)
      #expect(try own.object["locations"] as? Int == 1)
    }
  }

  /// A new activation whose secret was never used has no holder: a second reset does not make it the former one.
  @Test func anUnusedActivationIsNotAHolder() throws {
    let bench = try Bench()
    let phone = try bench.phone("shared")
    try bench.post([try bench.location("shared", at: bench.now)], by: phone)
    for _ in 0..<2 {
      #expect(bench.asAdmin("POST", "/v1/operator/devices/shared/reset?reason=asked%20to").status == 204)
      _ = try bench.activate("shared", code: try bench.invite())
    }
    let receipt = bench.send("DELETE", "/v1/devices/shared", #"{"secret": "\#(phone.secret)"}"#)
    #expect(receipt.status == 200)
    #expect(try receipt.object["locations"] as? Int == 1)
    #expect(try bench.store.positionCount() == 0)
  }

  /// An administrator resets a device whose secret is lost; if the owner finds the secret, they can still withdraw.
  @Test func everyHolderOfADeviceCanEraseIt() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    try bench.post([bench.location("phone-1", at: bench.now)], by: phone)
    #expect(bench.asAdmin("POST", "/v1/operator/devices/phone-1/reset?reason=asked%20to").status == 204)
    let proof = #"{"secret": "\#(phone.secret)"}"#
    #expect(bench.send("POST", "/v1/devices/phone-1/token", proof).status == 403)
    #expect(bench.send("DELETE", "/v1/devices/phone-1", #"{"secret": "another"}"#).status == 403)
    let receipt = bench.send("DELETE", "/v1/devices/phone-1", proof)
    #expect(receipt.status == 200)
    #expect(bench.send("DELETE", "/v1/devices/phone-1", proof) == receipt)
    #expect(try bench.store.positionCount() == 0)
  }

  /// An administrator resets the device and then erases it: the former holder's request must still get its answer.
  @Test func theFormerHolderOfAnErasedDeviceGetsTheReceipt() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    try bench.post([try bench.location("phone-1", at: bench.now)], by: phone)
    #expect(bench.asAdmin("POST", "/v1/operator/devices/phone-1/reset?reason=asked%20to").status == 204)
    #expect(bench.asAdmin("DELETE", "/v1/devices/phone-1?reason=asked%20to").status == 200)
    let receipt = bench.send("DELETE", "/v1/devices/phone-1", #"{"secret": "\#(phone.secret)"}"#)
    #expect(receipt.status == 200)
    #expect(try receipt.object["locations"] as? Int == 1)
    #expect(bench.send("DELETE", "/v1/devices/phone-1", #"{"secret": "another"}"#).status == 403)
  }

  @Test func requestsWithoutProofGetNoInformationAndLeaveNoTrace() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("known")
    let gone = try bench.phone("gone")
    bench.send("DELETE", "/v1/devices/gone", #"{"secret": "\#(gone.secret)"}"#)
    let answers = ["known", "unknown", "gone"].flatMap { device in
      ["", "{}", #"{"secret": "guess"}"#].map { bench.send("DELETE", "/v1/devices/\(device)", $0, peer: device) }
    }
    #expect(Set(answers).count == 1)
    #expect(answers.first?.status == 403)
    #expect(bench.send("POST", "/v1/positions", #"{"rows":[]}"#, phone.bearer).status == 207)
    // No tombstone was written: the name can be activated.
    _ = try bench.activate("unknown")
  }

  @Test func accessReportsStoredDataAndLookups() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let other = try bench.phone("phone-2")
    for k in 0..<20 {
      let time = bench.now - .seconds(Int64(200 - 10 * k))
      try bench.post([try bench.location("phone-1", at: time, east: 0)], by: phone)
      try bench.post([try bench.location("phone-2", at: time, east: 1)], by: other)
    }
    let looked = bench.send(
      "GET", "/v1/operator/contacts?venue=small-venue&device=phone-1&reason=case%2017", "",
      Bench.basic("op-desk", "desk's"))
    #expect(looked.status == 200)
    let data = try bench.send("GET", "/v1/devices/phone-1/data?limit=12", "", phone.bearer).object
    #expect((data["positions"] as? [Any])?.count == 12)
    let next = try #require(data["next_after"] as? String)
    let rest = try bench.send("GET", "/v1/devices/phone-1/data?after=\(next)", "", phone.bearer).object
    #expect((rest["positions"] as? [Any])?.count == 8)
    #expect((data["contacts"] as? [Any])?.count == 1)
    #expect(!bench.send("GET", "/v1/devices/phone-1/data", "", phone.bearer).text.contains("phone-2"))
    let accesses = try #require(data["accesses"] as? [[String: Any]])
    #expect(accesses.count == 1)
    #expect(accesses.first?["reason"] as? String == "case 17")
    #expect(accesses.first?["operator"] as? String == "op-desk")
    #expect(bench.send("GET", "/v1/devices/phone-1/data", "", other.bearer).status == 403)
    #expect(bench.send("GET", "/v1/devices/phone-1/data").status == 401)
  }

  /// A silent device is deleted in the end, with its consents; one that requests tokens stays.
  @Test func silentDevicesWithoutDataAreForgotten() throws {
    let bench = try Bench(inFile: true)
    let silent = try bench.phone("silent")
    let quiet = try bench.phone("quiet")
    let start = bench.now
    for k in 0..<3 {
      bench.now = start + .seconds(Int64(10 * k))
      try bench.post([try bench.location("silent", at: bench.now)], by: silent)
      try bench.post([try bench.location("quiet", at: bench.now, east: 1)], by: quiet)
    }
    func names() throws -> [String] {
      try bench.store.devices(in: bench.venue.venue, prefix: "", after: "", limit: 9).map(\.id.rawValue)
    }
    func tick(_ days: Int64) {
      bench.now = start + .days(days)
      while bench.ingest.tick(now: bench.now) {}
    }
    tick(60)
    _ = try bench.token("quiet", secret: quiet.secret)
    tick(89)
    #expect(try names() == ["quiet", "silent"])
    tick(92)
    #expect(try names() == ["quiet"])
    #expect(bench.ingest.metrics.expired.devices == 1)
    #expect(try bench.bytesOfAllFiles().range(of: Data("silent".utf8)) == nil)
    // The device is forgotten, not erased: the name may return with a code.
    #expect(bench.send("POST", "/v1/devices/silent/token", #"{"secret": "\#(silent.secret)"}"#).status == 403)
    _ = try bench.token("silent", secret: try bench.activate("silent"))
    tick(151)
    #expect(try names() == ["silent"])
  }

  /// However short the retention of devices is, one with positions or contacts stays: they would have no owner.
  @Test func aDeviceRemainsAfterItsDataExpires() throws {
    var settings = IngestSettings()
    settings.deviceRetention = .days(1)
    let bench = try Bench(settings)
    let (one, two) = (try bench.phone("one"), try bench.phone("two"))
    let start = bench.now
    for k in 0..<6 {
      bench.now = start + .seconds(Int64(10 * k))
      try bench.post([try bench.location("one", at: bench.now)], by: one)
      try bench.post([try bench.location("two", at: bench.now, east: 1)], by: two)
    }
    for (days, count) in [(13, 2), (29, 2), (31, 0)] {
      bench.now = start + .days(Int64(days))
      while bench.ingest.tick(now: bench.now) {}
      #expect(try bench.store.deviceCount() == count, "after \(days) days")
    }
  }

  /// Unusable codes are deleted, used ones stay, and only usable ones count against the limit.
  @Test(arguments: [false, true])
  func usedAndForgottenCodesAreDeleted(inMemory: Bool) throws {
    var settings = IngestSettings()
    settings.published = .init(user: "user", password: "pass")
    settings.maximumInviteCodes = 3
    let bench = try Bench(settings)
    let store: any PositionStore = inMemory ? MemoryPositionStore() : bench.store
    bench.ingest = Ingest(
      preprocessor: bench.ingest.preprocessor, store: store, random: RandomBits(RandomStream(seed: 7, stream: 1)))
    func make(_ uses: Int) -> IngestResponse {
      bench.send("POST", "/invite-code/small-venue", #"{"maxUses":\#(uses)}"#, Bench.basic("user", "pass"))
    }
    func use(_ code: String, _ device: String) -> Int {
      bench.send("POST", "/device/\(device)/activate", #"{"code":"\#(code)","deviceType":"x"}"#).status
    }
    let usedUp = try make(1).string("code")
    #expect(use(usedUp, "a") == 200)
    let partly = try make(5).string("code")
    #expect(use(partly, "b") == 200)
    _ = make(1)
    #expect(make(1).status == 201, "a used-up code is none of the three")
    let over = make(1)
    #expect(over.status == 409)
    #expect(over.code == "too-many-codes")
    func left() throws -> Int { try store.invites(of: bench.venue.venue).count }
    func tick(_ days: Int64) {
      bench.now = bench.now + .days(days)
      while bench.ingest.tick(now: bench.now) {}
    }
    #expect(try left() == 4)
    tick(2)
    #expect(try left() == 3, "used up")
    #expect(use(usedUp, "a") == 200, "the same device again needs no code")
    #expect(use(usedUp, "c") == 400)
    tick(29)
    #expect(try left() == 1, "forgotten")
    #expect(use(partly, "d") == 200)
  }

  /// Records about requests expire too: keys of batches, erased devices, and the audit log.
  @Test func retentionDeletesRequestRecords() throws {
    let bench = try Bench(inFile: true)
    let start = bench.now
    let phone = try bench.phone("phone-1")
    let gone = try bench.phone("gone")
    #expect(bench.send("DELETE", "/v1/devices/gone", #"{"secret": "\#(gone.secret)"}"#).status == 200)
    func post(_ seconds: Int64) throws -> Int {
      let token = try bench.token("phone-1", secret: phone.secret)
      let body = PositionBatch.encode([try bench.location("phone-1", at: bench.now - .seconds(seconds))])
      return bench.ingest.handle(
        IngestRequest(
          "POST", "/v1/positions",
          headers: [.init("authorization", "Bearer \(token)"), .init("idempotency-key", "mine")], body: body),
        now: bench.now
      ).status
    }
    func tick(_ days: Int64) {
      bench.now = start + .days(days)
      while bench.ingest.tick(now: bench.now) {}
    }
    func activateGone() throws -> Int {
      let code = try bench.invite()
      return bench.send("POST", "/v1/devices/gone/activate", #"{"code": "\#(code)"}"#).status
    }
    func accesses() throws -> Int {
      try bench.store.audit(device: nil, before: nil, limit: 100).count { $0.time == start }
    }
    #expect(try post(0) == 207)
    #expect(try post(1) == 422)
    #expect(try accesses() > 0)
    tick(2)
    #expect(try post(1) == 207, "the key is forgotten")
    tick(89)
    #expect(try activateGone() == 410)
    tick(91)
    #expect(try activateGone() == 200, "so is who was erased")
    tick(364)
    #expect(try accesses() > 0)
    tick(366)
    #expect(try accesses() == 0, "and who looked")
  }

  @Test func retentionDeletesEachClassOnTime() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("phone-1")
    let other = try bench.phone("phone-2")
    for k in 0..<30 {
      let time = bench.now + .seconds(k == 0 ? 0 : 10)
      bench.now = time
      try bench.post([try bench.location("phone-1", at: time)], by: phone)
      try bench.post([try bench.location("phone-2", at: time, east: 1)], by: other)
    }
    let start = bench.now
    let trace = try bench.location("phone-1", at: start).id.low
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: trace >> UInt64(56 - 8 * $0)) }
    func contacts() throws -> Int {
      try bench.store.contacts(in: nil, device: nil, overlapping: .min ... .max, limit: 10).count
    }
    #expect(try contacts() == 1)
    bench.now = start + .days(13)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try bench.store.positionCount() == 60)
    bench.now = start + .days(15)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try bench.store.positionCount() == 0)
    #expect(try contacts() == 1, "contacts are kept longer")
    #expect(bench.ingest.metrics.expired.positions == 60)
    #expect(bench.ingest.metrics.lastRetention == bench.now)
    var file = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: bench.folder ?? "") {
      file += try Data(contentsOf: URL(fileURLWithPath: "\(bench.folder ?? "")/\(name)"))
    }
    #expect(file.range(of: Data(bytes)) == nil, "the raw trace is still in the file")
    #expect(try !bench.store.invites(of: bench.venue.venue).isEmpty)
    bench.now = start + .days(33)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try contacts() == 0)
    #expect(try bench.store.invites(of: bench.venue.venue).isEmpty, "codes that have ended go too")
  }
}
