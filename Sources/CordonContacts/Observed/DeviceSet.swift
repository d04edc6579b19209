/// A set of devices, by number: bits while the numbers are small.
package struct DeviceSet: Sendable {
  private static let denseLimit = 1 << 24
  private var dense: [Bool] = []
  private var sparse: Set<Int32> = []
  /// How many devices are in it.
  package private(set) var count = 0

  /// The devices in rising order.
  package var members: [Int32] {
    dense.indices.lazy.filter { dense[$0] }.map { Int32(truncatingIfNeeded: $0) } + sparse.sorted()
  }

  /// No device.
  package init() {}

  /// Adds a device, 0 or more; false when it was there.
  @discardableResult
  package mutating func insert(_ device: Int32) -> Bool {
    let place = Int(device)
    guard place < DeviceSet.denseLimit else {
      let isNew = sparse.insert(device).inserted
      if isNew { count += 1 }
      return isNew
    }
    if place >= dense.count {
      dense.append(contentsOf: repeatElement(false, count: max(place + 1, dense.count * 2) - dense.count))
    }
    guard !dense[place] else { return false }
    dense[place] = true
    count += 1
    return true
  }
}
