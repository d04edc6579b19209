import CordonCore
import CordonForms
import CordonSupport
import Testing

@testable import CordonSharing

@Suite("Faults in shared records")
struct ShareFaultTests {
  /// Whether bytes are a message with records.
  private static func isBundle(_ bytes: [UInt8]) -> Bool { bytes.contains("{\"bundle\"") }

  @Test func aChangedByteIsNotTheSharers() throws {
    let records = SharingBench.records([SharingBench.revision(37.5, remark: "x")])
    for (text, place) in [("37.5", 3), ("\"last\":true", 0), ("remark\":\"x", 9), ("signature\":\"", 14)] {
      var bench = try SharingBench(records)
      var hasChanged = false
      bench.change = { _, bytes in
        guard Self.isBundle(bytes), let start = bytes.firstIndex(of: text) else { return [bytes] }
        var changed = bytes
        // Digits and letters become others of their kind, so that the message stays JSON.
        changed[start + place] = changed[start + place] == UInt8(ascii: "\"") ? UInt8(ascii: " ") : UInt8(ascii: "4")
        if changed == bytes { changed[start + place] = UInt8(ascii: "5") }
        hasChanged = true
        return [changed]
      }
      let error = bench.error()
      #expect(hasChanged && bench.result == nil, "\(text)")
      #expect(error?.code == .signature || error?.code == .malformed, "\(text): \(String(describing: error))")
    }
  }

  @Test func recordsOfAnotherKeyAreRefused() throws {
    let identities = (ShareIdentity(), ShareIdentity())
    var bench = try SharingBench(FormRecords(), identities: identities)
    let form = try SharingBench.form()
    let other = try ShareBundle.bundles(of: FormRecords())[0].message(
      form: form, pairing: String(repeating: "0", count: 64), identity: ShareIdentity()
    ).frame
    bench.change = { _, bytes in [Self.isBundle(bytes) ? other : bytes] }
    let error = bench.error()
    #expect(error?.code == .signature && error?.place == "bundle 1")
  }

  @Test func aBundleCountsOnceAndInItsPlace() throws {
    let revisions = (1...501).map { SharingBench.revision(37, record: $0) }
    var bench = try SharingBench(SharingBench.records(revisions))
    bench.change = { _, bytes in Self.isBundle(bytes) ? [bytes, bytes] : [bytes] }
    var error = bench.error()
    #expect(error?.code == .replayed && error?.place == "bundle 2.index" && bench.result == nil)
    // The first bundle is held back.
    bench = try SharingBench(SharingBench.records(revisions))
    var isFirst = true
    bench.change = { _, bytes in
      guard Self.isBundle(bytes), isFirst else { return [bytes] }
      isFirst = false
      return []
    }
    error = bench.error()
    #expect(error?.code == .replayed && bench.result == nil)
  }

  @Test func aBundleOfAnotherPairingIsRefused() throws {
    let identities = (ShareIdentity(), ShareIdentity())
    let records = SharingBench.records([SharingBench.revision(37)])
    var (first, recorded) = (try SharingBench(records, identities: identities), [UInt8]())
    first.change = { _, bytes in
      if Self.isBundle(bytes) { recorded = bytes }
      return [bytes]
    }
    try first.run()
    // The same keys, other nonces.
    var second = try SharingBench(FormRecords(), identities: identities, nonces: (3, 4))
    second.change = { [recorded] _, bytes in [Self.isBundle(bytes) ? recorded : bytes] }
    let error = second.error()
    #expect(error?.code == .replayed && error?.place == "bundle 1.pairing")
  }

  @Test func longMessagesAreRefusedByTheirLength() throws {
    var bench = try SharingBench(FormRecords())
    let before = #expect(throws: ShareError.self) { try bench.sharer.receive([0, 0, 0x10, 1]) }
    #expect(before?.code == .oversize && before?.place == "message 1")
    bench = try SharingBench(FormRecords())
    bench.change = { _, bytes in [Self.isBundle(bytes) ? [0, 0x10, 0, 1] : bytes] }
    let after = bench.error()
    #expect(after?.code == .oversize && after?.message.contains("1048577") == true)
  }

  @Test func tooManyRecordsInABundleAreRefused() throws {
    let (identity, form) = (ShareIdentity(), try SharingBench.form())
    var bundle = ShareBundle.bundles(of: FormRecords())[0]
    bundle.revisions = (1...501).map { SharingBench.revision(37, record: $0) }
    let error = #expect(throws: ShareError.self) { try read(bundle, identity, form) }
    #expect(error?.code == .oversize && error?.place == "bundle 1")
  }

  /// Signs a bundle and reads it.
  private func read(_ bundle: ShareBundle, _ identity: ShareIdentity, _ form: Form) throws {
    guard case .bundle(let json, let signature) = try bundle.message(form: form, pairing: "p", identity: identity)
    else { return }
    _ = try ShareBundle(
      json, signature: signature, sharer: identity.publicKey, pairing: "p", index: 0, form: form)
  }

  @Test func anEarlyEndStoresNothing() throws {
    let revisions = (1...501).map { SharingBench.revision(37, record: $0) }
    var bench = try SharingBench(SharingBench.records(revisions))
    var count = 0
    bench.change = { _, bytes in
      guard Self.isBundle(bytes) else { return [bytes] }
      count += 1
      // The second one is cut.
      return [count == 1 ? bytes : Array(bytes.dropLast(20))]
    }
    try bench.run()
    #expect(bench.result == nil)
    for session in [bench.sharer, bench.receiver] {
      let error = #expect(throws: ShareError.self) { try session.end() }
      #expect(error?.code == .truncated)
    }
  }

  @Test func revisionsAreCheckedWithTheirPlaceAndWithoutTheirAnswers() throws {
    let (identity, form) = (ShareIdentity(), try SharingBench.form())
    for (revision, code, place) in [
      (SharingBench.revision(58.125), ShareError.Code.invalid, "bundle 1.revisions[1].answers.temperature"),
      (SharingBench.revision(37, form: "other"), .otherForm, "bundle 1.revisions[1].form"),
      (SharingBench.revision(37, version: 3), .otherForm, "bundle 1.revisions[1].version"),
    ] {
      var bundle = ShareBundle.bundles(of: FormRecords())[0]
      bundle.revisions = [SharingBench.revision(37, record: 7), revision]
      let error = #expect(throws: ShareError.self) { try read(bundle, identity, form) }
      #expect(error?.code == code && error?.place == place)
      #expect(error?.description.contains("58.125") == false)
    }
    // Answers to an earlier version are kept as they are.
    var bundle = ShareBundle.bundles(of: FormRecords())[0]
    bundle.revisions = [SharingBench.revision(99, version: 1)]
    #expect(throws: Never.self) { try read(bundle, identity, form) }
    bundle.erased = ["x"]
    let error = #expect(throws: ShareError.self) { try read(bundle, identity, form) }
    #expect(error?.place == "bundle 1.erased[0]")
  }

  @Test func messagesHaveKnownMembersOnly() throws {
    for (text, place) in [
      ("{\"type\":\"statement\",\"sql\":\"DELETE FROM records\"}", "message 1.type"),
      ("{\"type\":\"confirmed\",\"sql\":\"x\"}", "message 1"), ("[]", "message 1"), ("{", "message 1"),
      ("{\"type\":\"offer\",\"nonce\":\"AAAA\"}", "message 1.nonce"),
      ("{\"type\":\"hello\",\"protocol\":\"cordon.share/2\",\"commitment\":\"\"}", "message 1.protocol"),
    ] {
      var bench = try SharingBench(FormRecords())
      let bytes = [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
      let error = #expect(throws: ShareError.self) { try bench.sharer.receive(bytes) }
      #expect(error?.code == .malformed && error?.place == place, "\(text)")
    }
  }

  @Test func messagesOutOfOrderAreRefused() throws {
    for message in [
      ShareMessage.confirmed, .offer(nonce: SharingBench.nonce(1)), .receipt(ShareResult.Counts()),
    ] {
      var bench = try SharingBench(FormRecords())
      let error = #expect(throws: ShareError.self) { try bench.sharer.receive(message.frame) }
      #expect(error?.code == .order)
    }
    var bench = try SharingBench(FormRecords())
    let early = #expect(throws: ShareError.self) { try bench.receiver.enter("123 456") }
    #expect(early?.code == .order)
    let refused = #expect(throws: ShareError.self) { try bench.receiver.receive(ShareSession.refusal) }
    #expect(refused?.code == .refused)
  }
}
