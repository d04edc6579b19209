import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

@Suite("Erasure of devices in forms") struct FormErasureTests {
  private static let phone = DeviceID("phone-77")

  /// Erasures of records name the device that asked for them, until the device itself is erased.
  @Test(arguments: StoreKind.allCases) func noErasureNamesAnErasedDevice(kind: StoreKind) throws {
    let bench = try FormBench(try kind.make())
    bench.publish()
    let device = try #require(Self.phone)
    let sender = FormSender.device(device, FormBench.hall)
    for record in 1...2 {
      let revision = bench.revision(["n": 1], record: record, device: device.rawValue)
      _ = bench.send("POST", "/v1/forms/visits/sync", ["revisions": [revision.json]], as: sender)
    }
    #expect(bench.send("DELETE", "/v1/forms/visits/records/\(FormBench.record(1))", as: sender).status == 204)
    #expect(try bench.store.devices() == [device.rawValue])
    try FormErasure(bench.store).forget(device, .device, at: bench.now)
    #expect(try bench.store.devices().isEmpty)
    for record in 1...2 {
      #expect(try bench.store.history(of: FormBench.record(record)).map(\.id) == [nil])
    }
  }

  /// A process that ended between the erasure of a device and that of its records erases them at its next start.
  @Test(arguments: StoreKind.allCases) func erasuresElsewhereAreCaughtUp(kind: StoreKind) throws {
    let bench = try FormBench(try kind.make())
    bench.publish()
    let clinic = try bench.collector()
    let gone = bench.revision(["n": 1], record: 1, device: "phone-77")
    let stays = bench.revision(["n": 2], record: 2, device: "phone-78")
    _ = bench.send("POST", "/v1/forms/visits/sync", ["revisions": [gone.json, stays.json]], as: clinic)
    try FormErasure(bench.store).catchUp(at: bench.now) { (device) throws(StoreFault) in
      device == Self.phone ? [.device] : []
    }
    #expect(try bench.store.devices() == ["phone-78"])
    #expect(try bench.store.records(of: "visits", after: "", limit: 10) == [stays.record])
  }

  /// A device that was erased while the server answered it leaves nothing.
  @Test func recordsOfAnAnswerThatCameTooLateAreErased() throws {
    let bench = try FormBench()
    bench.publish()
    let device = try #require(Self.phone)
    let revision = bench.revision(["n": 1], device: device.rawValue)
    _ = bench.send(
      "POST", "/v1/forms/visits/sync", ["revisions": [revision.json]], as: .device(device, FormBench.hall))
    try bench.desk.forget(device, .device, now: bench.now)
    #expect(try bench.store.devices().isEmpty)
  }

  @Test(arguments: StoreKind.allCases) func aPhoneErasesItsOldRecordsToo(kind: StoreKind) throws {
    var settings = FormSettings()
    settings.retention = .days(30)
    let bench = try FormBench(try kind.make(), settings: settings)
    bench.publish()
    let device = try #require(Self.phone)
    let sender = FormSender.device(device, FormBench.hall)
    var replica = FormReplica(form: "visits", device: device.rawValue)
    _ = replica.store(bench.revision(["n": 1], device: device.rawValue))
    try bench.exchange(&replica, as: sender)
    bench.now = bench.now + .days(31)
    try bench.desk.tick(now: bench.now)
    try bench.exchange(&replica, as: sender)
    #expect(replica.records.records.isEmpty && replica.records.erased == [FormBench.record(1)])
  }

  /// Rows and entries of indexes are gone from pages that others still use.
  @Test func pagesInUseShowNoErasedDevice() throws {
    let scratch = try TemporaryFolder()
    let store = try SQLiteFormStore(path: scratch.path("forms.sqlite"))
    var random = RandomStream(seed: 4, stream: 1)
    let names = (0..<600).map { _ in "phone-" + String(random.next(), radix: 16) }
    for (number, name) in names.enumerated() {
      _ = try store.add(
        FormEntry(
          form: "visits", record: "record-\(number)", id: "\(number)", device: name, received: Instant(milliseconds: 0),
          body: Array(name.utf8)))
    }
    // One of ten, so that the pages stay in use.
    let erased = names.indices.filter { $0 % 10 == 0 }
    try store.transaction { () throws(StoreFault) in
      for number in erased {
        try store.erase("record-\(number)", form: "visits", owner: nil, at: Instant(milliseconds: 1))
      }
    }
    try store.scrub()
    for file in try scratch.contents {
      let bytes = try Data(contentsOf: scratch.url.appendingPathComponent(file))
      let found = erased.count { bytes.contains(bytes: names[$0].utf8) }
      #expect(found == 0, "\(file)")
    }
  }
}
