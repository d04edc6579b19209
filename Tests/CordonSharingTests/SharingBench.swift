import CordonCore
import CordonForms
import CordonSupport

@testable import CordonSharing

/// A form, revisions, and two sessions whose messages a test can change on their way.
struct SharingBench {
  static let document = """
    {"form": "screening", "version": 2, "title": "Screening", "items": [
      {"name": "temperature", "type": "number", "min": 30, "max": 45, "required": true},
      {"name": "remark", "type": "text"}]}
    """

  static func form() throws -> Form { try Form(document: Array(document.utf8)) }

  static func revision(
    _ temperature: Double, record: Int = 1, parents: [FormRevision] = [], remark: String? = nil, device: String = "d1",
    form: String = "screening", version: Int = 2
  ) -> FormRevision {
    let digits = String(record, radix: 16)
    var answers: [JSONValue.Member] = [.init("temperature", .number(temperature))]
    if let remark { answers.append(.init("remark", .string(remark))) }
    return FormRevision(
      record: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits, form: form,
      version: version, parents: parents.map(\.id), device: device, time: Instant(milliseconds: 1_768_204_800_000),
      answers: .object(answers))
  }

  static func records(_ revisions: [FormRevision]) -> FormRecords {
    var records = FormRecords()
    for one in revisions { _ = records.add(one) }
    return records
  }

  static func nonce(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  var sharer: ShareSession
  var receiver: ShareSession
  /// The records that the receiver has already.
  var known = FormRecords()
  /// Changes bytes on their way; one piece, several or none arrive.
  var change: (_ from: ShareSession.Role, _ bytes: [UInt8]) -> [[UInt8]] = { [$1] }
  /// Returns the text that the person at a device types; by default the code of the other device.
  var typed: (_ at: ShareSession.Role, _ own: ShareCode, _ other: ShareCode) -> String = { "\($2)" }

  private(set) var codes: [ShareSession.Role: ShareCode] = [:]
  private(set) var result: ShareResult?
  private(set) var finished: [ShareSession.Role: ShareResult.Counts] = [:]
  /// All that was sent before somebody typed a code.
  private(set) var sentBefore: [UInt8] = []

  init(
    _ records: FormRecords, identities: (ShareIdentity, ShareIdentity) = (ShareIdentity(), ShareIdentity()),
    nonces: (UInt8, UInt8) = (1, 2)
  ) throws {
    sharer = ShareSession(
      sharing: records, of: try Self.form(), identity: identities.0, peer: identities.1.publicKey,
      nonce: Self.nonce(nonces.0))
    receiver = ShareSession(
      receiving: try Self.form(), identity: identities.1, peer: identities.0.publicKey, nonce: Self.nonce(nonces.1))
  }

  /// Runs both until no message is on its way.
  mutating func run() throws(ShareError) {
    var queue = receiver.start().map { (ShareSession.Role.receiver, $0) }
    while !queue.isEmpty {
      let (from, output) = queue.removeFirst()
      switch output {
      case .send(let bytes):
        if codes.count < 2 { sentBefore += bytes }
        for piece in change(from, bytes) {
          if from == .receiver {
            queue += try sharer.receive(piece).map { (.sharer, $0) }
          } else {
            queue += try receiver.receive(piece).map { (.receiver, $0) }
          }
        }
      case .show(let code):
        codes[from] = code
        guard let one = codes[.sharer], let other = codes[.receiver] else { continue }
        queue += try sharer.enter(typed(.sharer, one, other)).map { (.sharer, $0) }
        queue += try receiver.enter(typed(.receiver, other, one)).map { (.receiver, $0) }
      case .received(let records):
        let result = ShareResult(known: known, received: records)
        self.result = result
        queue += try receiver.acknowledge(result.counts).map { (.receiver, $0) }
      case .finished(let counts): finished[from] = counts
      }
    }
  }

  /// The error of a run; `nil` when it succeeds.
  mutating func error() -> ShareError? {
    do throws(ShareError) {
      try run()
      return nil
    } catch {
      return error
    }
  }
}

extension [UInt8] {
  /// Whether the bytes contain a text.
  func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }

  /// The place of a text.
  func firstIndex(of text: String) -> Int? {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return nil }
    return (0...count - wanted.count).first { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }
}
