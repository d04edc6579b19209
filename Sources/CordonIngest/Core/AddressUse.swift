internal import CordonCore

/// Counts how many devices prove themselves from one address within an hour. Many are a sign of a proxy in front of the server
/// that is not known to be one. In memory and bounded.
struct AddressUse {
  private var hour: Int64 = 0
  private var devices: [String: Set<Int64>] = [:]
  /// The most devices of one address within an hour, since the start; counted up to ``maximumDevices``.
  private(set) var most = 0
  /// The most devices that are counted at one address.
  static let maximumDevices = 100
  /// The most addresses at which devices are counted.
  static let maximumAddresses = 10_000

  mutating func note(_ device: Int64, at address: String, now: Instant) {
    guard most < Self.maximumDevices else { return }
    let hour = now.milliseconds / 3_600_000
    if hour != self.hour {
      self.hour = hour
      devices.removeAll(keepingCapacity: true)
    }
    guard devices.count < Self.maximumAddresses || devices[address] != nil else { return }
    devices[address, default: []].insert(device)
    most = max(most, devices[address]?.count ?? 0)
  }
}
