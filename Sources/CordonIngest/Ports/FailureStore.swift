package import CordonCore
internal import CordonSupport

/// The subject of a count of failed attempts: a keyed hash of an address, a name, or both.
///
/// Without the key the counts show neither addresses nor names.
package struct FailureSubject: Hashable, Sendable {
  /// The kinds of subjects. The raw value is the first byte of the hash.
  package enum Kind: UInt8, Hashable, Sendable {
    /// An address, for requests of devices and keys of operators.
    case peer = 1
    /// A name at an address, for the same requests.
    case nameAtPeer = 2
    /// A sign-in name at an address.
    case signInNameAtAddress = 3
    /// A sign-in name at all addresses.
    case signInName = 4
    /// An address that signs in, with all names.
    case signInAddress = 5
  }

  /// 16 bytes: the kind, and the beginning of HMAC-SHA-256 of the words.
  package let bytes: [UInt8]

  /// The subject of words.
  /// - Parameter key: the key that all servers on one store have in common.
  package init(_ kind: Kind, _ words: String..., key: [UInt8]) {
    var message: [UInt8] = [kind.rawValue]
    for word in words { message += Array(word.utf8) + [0] }
    bytes = [kind.rawValue] + HMAC.code(of: message, key: key).prefix(15)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The subject that all further ones of its kind share while a store has no room for their own counts.
  package var shared: FailureSubject {
    FailureSubject(bytes: Array(bytes.prefix(1)) + [UInt8](repeating: 0, count: 15))
  }
}

/// How often a subject failed. The default is that of a subject that has not failed.
package struct FailureCount: Hashable, Sendable {
  /// The number of failures.
  package var failures: Int64 = 0
  /// The time from which the next attempt is allowed.
  package var free: Instant = .epoch
  /// The time from which the count is forgotten.
  package var ends: Instant = .epoch

  /// The count of a subject that has not failed.
  package init() {}
}

/// Where failed attempts are counted. It belongs to one thread at a time.
package protocol FailureStore: AnyObject {
  /// Returns the counts of subjects, in their order.
  func counts(of subjects: [FailureSubject]) throws(StoreFault) -> [FailureCount]
  /// Changes the counts of subjects as a whole: no other server reads or changes them between.
  /// - Parameters:
  ///   - subjects: pairwise different, at most one of each kind.
  ///   - body: receives the counts in the order of the subjects.
  func update<T>(_ subjects: [FailureSubject], _ body: (inout [FailureCount]) -> T) throws(StoreFault) -> T
  /// Deletes counts that ended.
  func expire(failuresAt now: Instant) throws(StoreFault)
}

/// Counts of failed attempts in memory, for one server. They end with the process.
package final class MemoryFailureStore: FailureStore {
  private var counts: [FailureSubject: FailureCount] = [:]

  /// The maximum number of counts; beyond it new subjects of a kind share one.
  static let maximumCount = 30_000

  /// No counts.
  package init() {}

  private func place(_ subject: FailureSubject) -> FailureSubject {
    counts.count < Self.maximumCount || counts[subject] != nil ? subject : subject.shared
  }

  /// See ``FailureStore/counts(of:)``.
  package func counts(of subjects: [FailureSubject]) -> [FailureCount] {
    subjects.map { counts[place($0)] ?? FailureCount() }
  }

  /// See ``FailureStore/update(_:_:)``.
  package func update<T>(_ subjects: [FailureSubject], _ body: (inout [FailureCount]) -> T) -> T {
    let places = subjects.map(place)
    var list = places.map { counts[$0] ?? FailureCount() }
    let value = body(&list)
    for (place, count) in zip(places, list) { counts[place] = count == FailureCount() ? nil : count }
    return value
  }

  /// See ``FailureStore/expire(failuresAt:)``.
  package func expire(failuresAt now: Instant) { counts = counts.filter { $0.value.ends > now } }
}
