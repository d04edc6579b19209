package import CordonCore
internal import CordonGeometry

/// Squares on the earth and intervals of time, in which two points are one sighting.
///
/// The squares lie in rows along the parallels and do not depend on the data, so that no place can be read from where they
/// begin. Intervals begin at the Unix epoch.
package struct SightingGrid: Hashable, Sendable {
  /// A square, an interval and a floor.
  package struct Sighting: Hashable, Comparable, Sendable {
    /// Whether the places are metres in a plane of the file's own.
    var isPlane: Bool
    /// From the south.
    var row: Int64
    /// From the west.
    var column: Int64
    /// Thousandths; `nil` when it is not known.
    var floor: Int32?
    /// Intervals since the epoch; `nil` without a time.
    var interval: Int64?

    /// By time, then place.
    package static func < (lhs: Sighting, rhs: Sighting) -> Bool {
      (lhs.interval ?? .min, lhs.row, lhs.column, lhs.floor ?? .min)
        < (rhs.interval ?? .min, rhs.row, rhs.column, rhs.floor ?? .min)
    }
  }

  /// The side of a square, metres; more than 0.
  package var cell: Double
  /// The length of an interval; more than 0.
  package var interval: TimeSpan

  /// A grid.
  package init(cell: Double, interval: TimeSpan) {
    self.cell = cell
    self.interval = interval
  }

  /// The most intervals of one stay.
  static let longestStay: Int64 = 1_000_000

  /// The sightings of a point: one, or one for each interval of a stay.
  /// - Throws: ``TraceError`` when a stay has more than a million intervals.
  package func sightings(of point: TracePoint) throws(TraceError) -> [Sighting] {
    var sighting = square(of: point.place)
    sighting.floor = point.floor?.thousandths
    guard let time = point.time else { return [sighting] }
    let first = time.bucket(of: interval)
    let last = max(first, (point.stillUntil ?? time).bucket(of: interval))
    let (length, isTooLong) = last.subtractingReportingOverflow(first)
    guard !isTooLong, length <= SightingGrid.longestStay else {
      throw TraceError(.unsuitable, "a stay is longer than a million intervals of \(interval)", line: point.line)
    }
    return (first...last).map {
      sighting.interval = $0
      return sighting
    }
  }

  /// The middle of a place's square.
  func middle(of place: TracePoint.Place) -> TracePoint.Place {
    let square = square(of: place)
    switch place {
    case .metres:
      return .metres(PlanePoint(x: (Double(square.column) + 0.5) * cell, y: (Double(square.row) + 0.5) * cell))
    case .degrees:
      let width = width(ofRow: square.row)
      return .degrees(
        Coordinate(
          longitude: min(-180 + (Double(square.column) + 0.5) * width, 180),
          latitude: min(-90 + (Double(square.row) + 0.5) * height, 90)))
    }
  }

  /// The beginning of a time's interval; times too early for one are not moved.
  func beginning(of time: Instant) -> Instant {
    let (start, isTooEarly) = time.bucket(of: interval).multipliedReportingOverflow(by: interval.milliseconds)
    return isTooEarly ? time : Instant(milliseconds: start)
  }

  private func square(of place: TracePoint.Place) -> Sighting {
    switch place {
    case .metres(let point):
      return Sighting(isPlane: true, row: Self.index(point.y / cell), column: Self.index(point.x / cell))
    case .degrees(let place):
      let row = Self.index((place.latitude + 90) / height)
      return Sighting(
        isPlane: false, row: row, column: Self.index((place.longitude + 180) / width(ofRow: row)))
    }
  }

  /// Degrees of latitude of a square's side, on a sphere of 6 371 km.
  private var height: Double { min(cell / 111_194.926_6, 180) }

  /// Degrees of longitude of a square's side in a row.
  private func width(ofRow row: Int64) -> Double {
    let latitude = min(-90 + (Double(row) + 0.5) * height, 90)
    return min(height / max(PortableMath.cos(latitude * Double.pi / 180), 1e-6), 360)
  }

  private static func index(_ value: Double) -> Int64 {
    value.isFinite && abs(value) < 1e15 ? Int64(value.rounded(.down)) : 0
  }
}
