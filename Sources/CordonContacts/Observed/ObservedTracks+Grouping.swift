extension ObservedTracks {
  /// Puts fixes by device and time when that needs no comparison: all are usable, and those of a device come by time.
  ///
  /// Servers and files give fixes by time, so that the number of fixes of each device gives the place of each. Takes a
  /// linear number of steps, and the memory of the points once more.
  /// - Returns: false, with nothing changed, for other fixes.
  mutating func groupByDevice() -> Bool {
    guard var places = placesOfDevices() else { return false }
    // The latest time of each device so far.
    var latest = [Int64](repeating: .min, count: places.count)
    let targets = points.withUnsafeBufferPointer { points in
      [Int32](unsafeUninitializedCapacity: points.count) { targets, initialized in
        for (k, point) in points.enumerated() {
          let device = Int(point.device)
          guard point.time > latest[device] else { return }
          latest[device] = point.time
          targets[k] = places[device]
          places[device] &+= 1
        }
        initialized = points.count
      }
    }
    guard targets.count == points.count else { return false }
    points = ObservedTracks.moved(points, to: targets)
    if !accuracies.isEmpty { accuracies = ObservedTracks.moved(accuracies, to: targets) }
    if !stillUntil.isEmpty { stillUntil = ObservedTracks.moved(stillUntil, to: targets) }
    return true
  }

  /// Where the fixes of each device begin when they are put by device; `nil` when one is not usable, or when devices have numbers
  /// so far apart that counting them would take longer than comparing.
  private func placesOfDevices() -> [Int32]? {
    guard points.count < Int32.max else { return nil }
    var largest: Int32 = -1
    for point in points {
      guard point.isUsable else { return nil }
      largest = max(largest, point.device)
    }
    guard largest >= 0, Int(largest) < 4 * points.count + 1_024 else { return nil }
    var places = [Int32](repeating: 0, count: Int(largest) + 2)
    for point in points { places[Int(point.device) + 1] &+= 1 }
    for device in 1..<places.count { places[device] &+= places[device - 1] }
    return places
  }

  /// Values at other places.
  /// - Parameter targets: the new place of each; every place occurs once.
  private static func moved<Value>(_ values: [Value], to targets: [Int32]) -> [Value] {
    values.withUnsafeBufferPointer { values in
      [Value](unsafeUninitializedCapacity: values.count) { moved, initialized in
        for k in 0..<values.count { moved.initializeElement(at: Int(targets[k]), to: values[k]) }
        initialized = values.count
      }
    }
  }
}
