/// Puts points in the order of their devices.
enum DeviceOrder {
  /// Returns the indices of points by device, and those of one device by an order of the caller. Equal ones stay as they are.
  ///
  /// Points come by time, so those of one device are nearly always in order, and counting the points of each device is enough: a
  /// linear number of steps. Devices whose numbers are far apart are compared instead.
  /// - Parameters:
  ///   - indices: of points whose devices are 0 or more.
  ///   - points: the points.
  ///   - isBefore: whether a point precedes another one of its device.
  static func sorted(_ indices: [Int], of points: [TrackPoint], by isBefore: (Int, Int) -> Bool) -> [Int] {
    let devices = 1 + indices.reduce(-1) { max($0, Int(points[$1].device)) }
    guard devices <= 4 * indices.count + 1_024 else {
      return indices.sorted {
        let (a, b) = (points[$0].device, points[$1].device)
        return a != b ? a < b : isBefore($0, $1)
      }
    }
    // The place of each device's next point.
    var places = [Int](repeating: 0, count: devices + 1)
    for index in indices { places[Int(points[index].device) + 1] += 1 }
    for device in 0..<devices { places[device + 1] += places[device] }
    var order = [Int](repeating: 0, count: indices.count)
    for index in indices {
      let device = Int(points[index].device)
      order[places[device]] = index
      places[device] += 1
    }
    // Each place is the end of its device now.
    var start = 0
    for end in places.dropLast() {
      if (start..<end).dropFirst().contains(where: { isBefore(order[$0], order[$0 - 1]) }) {
        order[start..<end].sort(by: isBefore)
      }
      start = end
    }
    return order
  }
}
