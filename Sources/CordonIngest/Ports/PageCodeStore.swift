package import CordonCore

/// A short code by which a person opens the page of their device, or a key by which that page erases it. Neither is kept itself.
package struct PageCode: Hashable, Sendable {
  /// The keyed hash of the code or key.
  package var hash: [UInt8]
  /// The device that it stands for.
  package var device: DeviceID
  /// The generation of the device's tokens: a new holder has another.
  package var generation: Int64
  /// The time from which it opens nothing.
  package var end: Instant

  /// How long a code can be used.
  package static let codeLifetime = TimeSpan.minutes(10)
  /// How long the page can erase the device.
  package static let keyLifetime = TimeSpan.minutes(30)
  /// The maximum number of keys of a device; those that end first go.
  package static let maximumKeys = 8

  /// Takes the values as they are.
  package init(hash: [UInt8], device: DeviceID, generation: Int64, end: Instant) {
    self.hash = hash
    self.device = device
    self.generation = generation
    self.end = end
  }
}

/// Where codes and keys of persons' pages are kept. It belongs to one thread at a time.
package protocol PageCodeStore: AnyObject {
  /// Keeps a code, in place of the device's former one.
  func save(code: PageCode) throws(StoreFault)
  /// Deletes a code and returns it. Of several servers that use it at the same moment one gets it.
  func take(code hash: [UInt8]) throws(StoreFault) -> PageCode?
  /// Keeps a key. Of the keys of its device the last ``PageCode/maximumKeys`` stay.
  func save(key: PageCode) throws(StoreFault)
  /// Returns a key.
  func key(_ hash: [UInt8]) throws(StoreFault) -> PageCode?
  /// Deletes what there is of a device.
  func forgetCodes(of device: DeviceID) throws(StoreFault)
  /// Deletes what ended.
  func expire(codesAt now: Instant) throws(StoreFault)
}

/// Codes and keys in memory, for one server. They end with the process.
package final class MemoryPageCodeStore: PageCodeStore {
  private var codes: [PageCode] = []
  private var keys: [PageCode] = []

  /// The maximum number of codes, and of keys; the earliest go.
  static let maximumCount = 10_000

  /// No codes and no keys.
  package init() {}

  /// See ``PageCodeStore/save(code:)``.
  package func save(code: PageCode) {
    codes.removeAll { $0.device == code.device }
    if codes.count >= Self.maximumCount { codes.removeFirst() }
    codes.append(code)
  }

  /// See ``PageCodeStore/take(code:)``.
  package func take(code hash: [UInt8]) -> PageCode? {
    guard let index = codes.firstIndex(where: { $0.hash == hash }) else { return nil }
    return codes.remove(at: index)
  }

  /// See ``PageCodeStore/save(key:)``.
  package func save(key: PageCode) {
    if keys.count >= Self.maximumCount { keys.removeFirst() }
    keys.append(key)
    let own = keys.filter { $0.device == key.device }.sorted {
      $0.end == $1.end ? $0.hash.lexicographicallyPrecedes($1.hash) : $0.end > $1.end
    }
    guard own.count > PageCode.maximumKeys else { return }
    let former = Set(own.dropFirst(PageCode.maximumKeys).map(\.hash))
    keys.removeAll { former.contains($0.hash) }
  }

  /// See ``PageCodeStore/key(_:)``.
  package func key(_ hash: [UInt8]) -> PageCode? { keys.first { $0.hash == hash } }

  /// See ``PageCodeStore/forgetCodes(of:)``.
  package func forgetCodes(of device: DeviceID) {
    codes.removeAll { $0.device == device }
    keys.removeAll { $0.device == device }
  }

  /// See ``PageCodeStore/expire(codesAt:)``.
  package func expire(codesAt now: Instant) {
    codes.removeAll { $0.end <= now }
    keys.removeAll { $0.end <= now }
  }
}
