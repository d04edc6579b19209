import CordonCore
import CordonForms
import CordonSupport
import Testing

@testable import CordonSharing

@Suite("Sharing records")
struct ShareSessionTests {
  @Test func recordsArriveWholeInSeveralBundles() throws {
    let revisions = (1...700).map { SharingBench.revision(36 + Double($0) / 100, record: $0) }
    var bench = try SharingBench(SharingBench.records(revisions))
    // Bytes come as the network cuts them.
    bench.change = { _, bytes in
      stride(from: 0, to: bytes.count, by: 700).map { Array(bytes[$0..<min($0 + 700, bytes.count)]) }
    }
    try bench.run()
    #expect(bench.result?.records.identifiers == revisions.map(\.id).sorted())
    #expect(bench.result?.counts == ShareResult.Counts(stored: 700))
    #expect(bench.finished[.sharer] == bench.result?.counts && bench.finished[.receiver] == bench.result?.counts)
    #expect(throws: Never.self) { try bench.sharer.end() }
    #expect(throws: Never.self) { try bench.receiver.end() }
    #expect(ShareBundle.bundles(of: SharingBench.records(revisions)).map(\.count) == [500, 200])
  }

  @Test func nothingArrivesForNoRecords() throws {
    var bench = try SharingBench(FormRecords())
    try bench.run()
    #expect(bench.result?.counts == ShareResult.Counts() && bench.finished.count == 2)
  }

  @Test func nothingOfTheRecordsIsSentBeforeTheCodes() throws {
    var bench = try SharingBench(SharingBench.records([SharingBench.revision(36.6, remark: "canary")]))
    var all: [UInt8] = []
    bench.change = {
      all += $1
      return [$1]
    }
    try bench.run()
    #expect(bench.sentBefore.contains("hello") && bench.sentBefore.contains("reveal"))
    for word in ["screening", "canary", "36.6", "d1"] { #expect(!bench.sentBefore.contains(word), "\(word)") }
    #expect(all.contains("canary"))
  }

  @Test func repeatedRecordsAreStoredOnce() throws {
    let revisions = (1...5).map { SharingBench.revision(37, record: $0) }
    var first = try SharingBench(SharingBench.records(revisions))
    first.known = SharingBench.records(Array(revisions[0..<2]))
    try first.run()
    #expect(first.result?.counts == ShareResult.Counts(stored: 3, known: 2))
    var second = try SharingBench(SharingBench.records(revisions + revisions))
    second.known = try #require(first.result?.records)
    try second.run()
    #expect(second.result?.counts == ShareResult.Counts(known: 5))
    #expect(second.result?.records.lines == first.result?.records.lines)
  }

  @Test func twoChangesStayAsAConflict() throws {
    let first = SharingBench.revision(37)
    let (left, right) = (
      SharingBench.revision(38, parents: [first], device: "d1"),
      SharingBench.revision(39, parents: [first], device: "d2")
    )
    var bench = try SharingBench(SharingBench.records([first, left]))
    bench.known = SharingBench.records([first, right])
    try bench.run()
    #expect(bench.result?.counts == ShareResult.Counts(stored: 1, known: 1, conflicts: 1))
    #expect(Set(bench.result?.records.heads(of: first.record) ?? []) == [left, right])
  }

  @Test func erasedRecordsDoNotComeBack() throws {
    let (kept, gone) = (SharingBench.revision(37), SharingBench.revision(38, record: 2))
    var records = SharingBench.records([kept, gone])
    records.erase(gone.record)
    var bench = try SharingBench(records)
    bench.known = SharingBench.records([gone])
    try bench.run()
    #expect(bench.result?.counts == ShareResult.Counts(stored: 1, erased: 1))
    #expect(bench.result?.records.identifiers == [kept.id] && bench.result?.records.erased == [gone.record])
  }

  // MARK: Codes

  @Test func aWrongCodeEndsItOnEitherSide() throws {
    for side in [ShareSession.Role.sharer, .receiver] {
      var bench = try SharingBench(SharingBench.records([SharingBench.revision(37)]))
      bench.typed = { at, _, other in
        guard at == side else { return "\(other)" }
        let number = (Int("\(other)".filter(\.isNumber)) ?? 0) + 1
        return String(String(1_000_000 + number % 1_000_000).dropFirst())
      }
      let error = bench.error()
      #expect(error?.code == .wrongCode)
      #expect(bench.result == nil && bench.finished.isEmpty)
    }
    for text in ["", "12345", "1234567", "12345x", "yes"] {
      var bench = try SharingBench(FormRecords())
      bench.typed = { _, _, _ in text }
      let error = bench.error()
      #expect(error?.code == .wrongCode, "\(text)")
    }
  }

  @Test func theCodeOfTheOwnDeviceConfirmsNothing() throws {
    for side in [ShareSession.Role.sharer, .receiver] {
      var bench = try SharingBench(FormRecords())
      bench.typed = { at, own, other in at == side ? "\(own)" : "\(other)" }
      let error = bench.error()
      #expect(error?.code == .wrongCode && bench.codes[.sharer] != bench.codes[.receiver])
    }
    #expect(ShareCode(typed: "012-345")?.description == "012 345" && ShareCode(typed: " 012 345\n") != nil)
  }

  @Test func aDeviceInTheMiddleIsFoundByTheCodes() throws {
    let (alice, bob, mallory) = (ShareIdentity(), ShareIdentity(), ShareIdentity())
    let form = try SharingBench.form()
    let records = SharingBench.records([SharingBench.revision(37)])
    for number in UInt8(0)..<5 {
      // Mallory ends TLS on both sides with a key of his own, and runs the protocol with both.
      var sharer = ShareSession(
        sharing: records, of: form, identity: alice, peer: mallory.publicKey, nonce: SharingBench.nonce(1))
      var receiver = ShareSession(
        receiving: form, identity: bob, peer: mallory.publicKey, nonce: SharingBench.nonce(2))
      var toSharer = ShareSession(
        receiving: form, identity: mallory, peer: alice.publicKey, nonce: SharingBench.nonce(number))
      var toReceiver = ShareSession(
        sharing: records, of: form, identity: mallory, peer: bob.publicKey, nonce: SharingBench.nonce(number))
      let shown = try shownCode(receiver: &toSharer, sharer: &sharer).sharer
      let asked = try shownCode(receiver: &receiver, sharer: &toReceiver).receiver
      // The persons type what they see on the two honest devices.
      #expect(throws: ShareError.self) { try receiver.enter(shown.description) }
      let error = #expect(throws: ShareError.self) { try sharer.enter(asked.description) }
      #expect(error?.code == .wrongCode)
    }
  }

  /// Runs the messages before the codes. Returns the code that each side shows.
  private func shownCode(
    receiver: inout ShareSession, sharer: inout ShareSession
  ) throws -> (sharer: ShareCode, receiver: ShareCode) {
    var shown: [Bool: ShareCode] = [:]
    var queue = receiver.start().map { (true, $0) }
    while !queue.isEmpty {
      let (isReceiver, output) = queue.removeFirst()
      switch output {
      case .send(let bytes) where isReceiver: queue += try sharer.receive(bytes).map { (false, $0) }
      case .send(let bytes): queue += try receiver.receive(bytes).map { (true, $0) }
      case .show(let code): shown[isReceiver] = code
      default: break
      }
    }
    return (try #require(shown[false]), try #require(shown[true]))
  }

  @Test func messagesPassedOnUnchangedDoNotFitOtherKeys() throws {
    let (alice, bob, mallory) = (ShareIdentity(), ShareIdentity(), ShareIdentity())
    var bench = try SharingBench(FormRecords(), identities: (alice, bob))
    bench.sharer = ShareSession(
      sharing: FormRecords(), of: try SharingBench.form(), identity: alice, peer: mallory.publicKey,
      nonce: SharingBench.nonce(1))
    let error = bench.error()
    #expect(error?.code == .commitment)
  }

  @Test func aNonceThatWasNotCommittedToIsRefused() throws {
    var bench = try SharingBench(FormRecords())
    bench.change = { from, bytes in
      guard from == .receiver, bytes.contains("reveal") else { return [bytes] }
      return [ShareMessage.reveal(nonce: SharingBench.nonce(9)).frame]
    }
    let error = bench.error()
    #expect(error?.code == .commitment && bench.codes[.sharer] == nil)
  }

  @Test func codesDependOnEveryNonce() throws {
    var seen: Set<ShareCode> = []
    for number in UInt8(0)..<50 {
      for nonces in [(number, UInt8(200)), (UInt8(201), number)] {
        let pairing = SharePairing(
          sharer: [1], receiver: [2],
          nonces: (sharer: SharingBench.nonce(nonces.0), receiver: SharingBench.nonce(nonces.1)))
        seen.formUnion([pairing.sharerCode, pairing.receiverCode])
      }
    }
    // 200 codes of a million: two equal ones are rare, three pairs of them are a fault.
    #expect(seen.count > 197)
  }
}
