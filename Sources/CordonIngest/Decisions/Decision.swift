internal import CordonCore

/// A decision that must outlive any restore: an erasure, a consent or its withdrawal, a revocation, a reset, the use of an
/// invite code, an access of an operator.
///
/// Devices and codes appear as keyed pseudonyms (``Pseudonyms``), never by name.
struct Decision: Hashable, Sendable {
  /// The kind of a decision. The raw values are written to files.
  enum Kind: Int64, Hashable, Sendable {
    /// A device was erased. `amount`: locations; `proof`: of its tombstone.
    case erasure = 1
    /// The records of a former holder were erased. `since`: everything before it; `amount`: locations; `proof`: the
    /// hash of the receipt.
    case formerErasure = 2
    /// A consent was given or taken back. `amount`: the device's time; `words`: version, then purposes.
    case consent = 3
    /// A device was activated, moved, revoked or reset. `amount`: generation; `proof` and `former`: hashes of its
    /// secrets; `since`: when it came to its holder; `words`: venue, longitude and latitude of the venue's frame, and
    /// "records" if its rows may be kept.
    case holder = 4
    /// An invite code was used. `amount`: how often so far.
    case codeUse = 5
    /// An invite code was revoked.
    case codeRevocation = 6
    /// An operator looked. `words`: pseudonym, role, action, venue, reason.
    case access = 7
    /// Something outside of the store ended: a record of a form was erased, a participant of a study was erased or left.
    case ending = 8
  }

  var kind: Kind
  /// When, by the server's clock.
  var time: Instant
  /// The pseudonym of a device or code; `nil` for an access to no device.
  var subject: [UInt8]?
  var amount: Int64 = 0
  var since: Int64?
  var proof: [UInt8]?
  var former: [UInt8]?
  var words: [String] = []

  /// Everything but kind, time and subject, as bytes.
  var body: [UInt8] {
    var bytes = amount.bytes
    for number in [since] { bytes += number.map { [1] + $0.bytes } ?? [0] }
    for field in [proof, former] + words.map({ Array($0.utf8) }) {
      bytes += field.map { [1] + UInt32(truncatingIfNeeded: $0.count).bytes + $0 } ?? [0]
    }
    return bytes
  }

  init(
    _ kind: Kind, time: Instant, subject: [UInt8]?, amount: Int64 = 0, since: Int64? = nil, proof: [UInt8]? = nil,
    former: [UInt8]? = nil, words: [String] = []
  ) {
    (self.kind, self.time, self.subject, self.amount) = (kind, time, subject, amount)
    (self.since, self.proof, self.former, self.words) = (since, proof, former, words)
  }

  /// Reads what ``body`` wrote; `nil` when it is something else.
  init?(kind: Int64, time: Int64, subject: [UInt8]?, body: [UInt8]) {
    guard let kind = Kind(rawValue: kind) else { return nil }
    var rest = body[...]
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    func number(_ count: Int) -> UInt64? { take(count)?.reduce(0) { $0 << 8 | UInt64($1) } }
    func field() -> [UInt8]?? {
      switch take(1)?.first {
      case 0: return .some(nil)
      case 1: return number(4).flatMap { take(Int($0)) }.map { .some(Array($0)) }
      default: return nil
      }
    }
    guard let amount = number(8), let flag = take(1)?.first, flag <= 1 else { return nil }
    self.init(kind, time: Instant(milliseconds: time), subject: subject, amount: Int64(bitPattern: amount))
    if flag == 1 {
      guard let since = number(8) else { return nil }
      self.since = Int64(bitPattern: since)
    }
    guard let proof = field(), let former = field() else { return nil }
    (self.proof, self.former) = (proof, former)
    while !rest.isEmpty {
      guard let word = field(), let word, let text = String(validating: word, as: UTF8.self) else { return nil }
      words.append(text)
    }
  }
}

extension FixedWidthInteger {
  /// The bytes, most significant first.
  var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// The pseudonyms of devices and invite codes in tombstones and in the log of decisions, and the key of that log.
package struct Pseudonyms: Sendable {
  private let signer: any TokenSigner
  private let key: [UInt8]

  /// - Parameters:
  ///   - signer: HMAC-SHA-256.
  ///   - keys: the keys of the server; of these, the one of the tombstones counts.
  package init(signer: any TokenSigner, keys: ServerKeys) {
    self.init(signer: signer, key: keys.tombstone)
  }

  init(signer: any TokenSigner, key: [UInt8]) { (self.signer, self.key) = (signer, key) }

  /// The pseudonym of a device.
  func device(_ id: DeviceID) -> [UInt8] { Array(code(Array("device \(id.rawValue)".utf8)).prefix(16)) }

  /// The pseudonym of an invite code.
  /// - Parameter hash: SHA-256 of the code.
  func invite(_ hash: [UInt8]) -> [UInt8] { Array(code(Array("code ".utf8) + hash).prefix(16)) }

  /// The pseudonym of something outside of the store that ended.
  func ending(_ name: String) -> [UInt8] { Array(code(Array("ending \(name)".utf8)).prefix(16)) }

  /// Proves to know the secret of an erased device.
  func proof(of device: DeviceID, secretHash: [UInt8]) -> [UInt8] {
    code(Array("secret \(device.rawValue) ".utf8) + secretHash)
  }

  /// The pseudonym of a former holder of a device, known by the hash of the secret.
  func formerHolder(of device: DeviceID, secretHash: [UInt8]) -> [UInt8] {
    Array(code(Array("former \(device.rawValue) ".utf8) + secretHash).prefix(16))
  }

  /// The pseudonym of a holder that has not requested the erasure yet, although the data is gone.
  /// - Parameter subject: the pseudonym of the device.
  func holderWithoutReceipt(of subject: [UInt8], secretHash: [UInt8]) -> [UInt8] {
    Array(code(Array("without receipt ".utf8) + subject + secretHash).prefix(16))
  }

  /// The code that authenticates a record of the log.
  func record(_ bytes: [UInt8]) -> [UInt8] { code(Array("decision ".utf8) + bytes) }

  private func code(_ message: [UInt8]) -> [UInt8] { signer.authenticationCode(of: message, key: key) }
}
