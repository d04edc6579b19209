public import CordonCore

extension ContactNetwork {
  /// When something that starts at one device can have reached each other device by contacts that follow one another in
  /// time. It passes at any instant of a contact, at once. O(n log n).
  ///
  /// - Returns: the devices that can be reached, with the earliest instant in microseconds since 1970, by time and device;
  ///   the device itself first.
  public func reachable(from device: Int32, at time: Instant) -> [(device: Int32, time: Int64)] {
    var byDevice: [Int32: [Int]] = [:]
    for (k, contact) in contacts.enumerated() {
      byDevice[contact.first, default: []].append(k)
      byDevice[contact.second, default: []].append(k)
    }
    let start = time.milliseconds.multipliedReportingOverflow(by: 1_000)
    guard !start.overflow else { return [] }
    var heap = ArrivalHeap()
    heap.insert((start.partialValue, device))
    var arrived: Set<Int32> = []
    var order: [(device: Int32, time: Int64)] = []
    while let (time, device) = heap.removeLeast() {
      guard arrived.insert(device).inserted else { continue }
      order.append((device, time))
      for k in byDevice[device] ?? [] where contacts[k].end >= time {
        let other = contacts[k].first == device ? contacts[k].second : contacts[k].first
        if !arrived.contains(other) { heap.insert((max(time, contacts[k].start), other)) }
      }
    }
    return order
  }
}

/// Arrivals, the earliest first; of equal ones the lowest device.
private struct ArrivalHeap {
  private var items: [(time: Int64, device: Int32)] = []

  mutating func insert(_ item: (Int64, Int32)) {
    items.append(item)
    var k = items.count - 1
    while k > 0, items[k] < items[(k - 1) / 2] {
      items.swapAt(k, (k - 1) / 2)
      k = (k - 1) / 2
    }
  }

  mutating func removeLeast() -> (Int64, Int32)? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return first }
    items[0] = last
    var k = 0
    while true {
      var least = k
      for child in [2 * k + 1, 2 * k + 2] where child < items.count && items[child] < items[least] {
        least = child
      }
      if least == k { return first }
      items.swapAt(k, least)
      k = least
    }
  }
}
