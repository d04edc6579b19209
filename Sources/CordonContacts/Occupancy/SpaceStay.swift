/// A stretch of time that a device spent in a space without interruption.
package struct SpaceStay: Hashable, Sendable {
  /// The device.
  package let device: Int32
  /// The space, by the index of the locator.
  package let space: Int
  /// The start in milliseconds since 1970, UTC.
  package let start: Int64
  /// The end, after the start.
  package let end: Int64
}

extension Occupancy {
  /// The stretches of time that devices spent in spaces: by space, device and time.
  package var spaceStays: [SpaceStay] {
    series.flatMap { series -> [SpaceStay] in
      guard case .space(let space) = series.place else { return [] }
      return (presences[series.place] ?? []).map {
        SpaceStay(device: $0.device, space: space, start: $0.start, end: $0.end)
      }
    }
  }
}
