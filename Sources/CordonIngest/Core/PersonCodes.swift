internal import CordonCore
import CordonSupport

/// Short codes by which persons open the page of their device, and the keys by which that page erases it.
///
/// They are in memory, as hashes, and end with the process. A device has one code at a time, and a code is used once.
struct PersonCodes {
  /// How long a code can be used.
  static let codeLifetime = TimeSpan.minutes(10)
  /// How long the page can erase the device.
  static let keyLifetime = TimeSpan.minutes(30)
  /// The maximum number of codes, and of keys; the earliest go.
  static let maximumCount = 10_000

  /// The device that a code or a key stands for.
  private struct Entry {
    var hash: [UInt8]
    var device: DeviceID
    /// The generation of its tokens: a new holder has another.
    var generation: Int64
    var end: Instant
  }

  private var codes: [Entry] = []
  private var keys: [Entry] = []

  /// Adds a code in place of the device's former one.
  mutating func add(code hash: [UInt8], of device: StoredDevice, now: Instant) -> Instant {
    codes.removeAll { $0.device == device.id }
    return Self.add(hash, device, now + Self.codeLifetime, now: now, to: &codes)
  }

  /// Adds a key.
  mutating func add(key hash: [UInt8], of device: StoredDevice, now: Instant) {
    _ = Self.add(hash, device, now + Self.keyLifetime, now: now, to: &keys)
  }

  private static func add(
    _ hash: [UInt8], _ device: StoredDevice, _ end: Instant, now: Instant, to list: inout [Entry]
  ) -> Instant {
    list.removeAll { $0.end <= now }
    if list.count >= maximumCount { list.removeFirst() }
    list.append(Entry(hash: hash, device: device.id, generation: device.generation, end: end))
    return end
  }

  /// Uses up a code; returns its device and the generation of its tokens.
  mutating func use(code hash: [UInt8], now: Instant) -> (device: DeviceID, generation: Int64)? {
    guard let index = codes.firstIndex(where: { isSameSecret($0.hash, hash) }) else { return nil }
    let entry = codes.remove(at: index)
    return entry.end > now ? (entry.device, entry.generation) : nil
  }

  /// Whether a key is that of a device.
  func has(key hash: [UInt8], of device: StoredDevice, now: Instant) -> Bool {
    keys.contains {
      isSameSecret($0.hash, hash) && $0.device == device.id && $0.generation == device.generation && $0.end > now
    }
  }

  /// Forgets a device.
  mutating func forget(_ device: DeviceID) {
    codes.removeAll { $0.device == device }
    keys.removeAll { $0.device == device }
  }
}
