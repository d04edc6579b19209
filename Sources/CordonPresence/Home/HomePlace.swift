package import CordonCore

/// A home of a person: a circle, and the time from which it holds.
package struct HomePlace: Hashable, Sendable {
  /// The centre.
  package let coordinate: Coordinate
  /// The radius in metres.
  package let radius: Double
  /// The time at which the person moved in; `nil` for always.
  package let from: Instant?

  /// The radii that a home may have, in metres.
  package static let radii = 50.0...500.0
  /// The radius in metres of a home without one.
  package static let defaultRadius = 100.0

  /// Creates a home.
  /// - Throws: ``HomeError`` for an invalid coordinate or a radius outside of ``radii``.
  package init(
    _ coordinate: Coordinate, radius: Double = HomePlace.defaultRadius, from: Instant? = nil
  ) throws(HomeError) {
    guard coordinate.isValid else { throw .coordinate }
    guard HomePlace.radii.contains(radius) else { throw .radius(radius) }
    self.coordinate = coordinate
    self.radius = radius
    self.from = from
  }
}

/// A home that cannot be used.
package enum HomeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The longitude or the latitude is out of range.
  case coordinate
  /// The radius in metres is out of range.
  case radius(Double)

  /// The fault, in lower case.
  package var description: String {
    switch self {
    case .coordinate: "the longitude must be -180 to 180 and the latitude -90 to 90 degrees"
    case .radius(let metres): "the radius must be 50 to 500 metres, not \(metres)"
    }
  }
}

/// The homes of a person over time.
///
/// A home holds from its time until the next one begins. Homes that begin at the same time hold together, such as those of
/// a child with two.
package struct HomeHistory: Hashable, Sendable {
  /// Homes that hold together.
  package struct Period: Hashable, Sendable {
    /// Milliseconds since 1970 at which the period begins; `Int64.min` for always.
    package let start: Int64
    /// The homes in the given order.
    package let homes: [HomePlace]
  }

  /// The periods in the order of their times.
  package let periods: [Period]

  /// Creates a history from homes in any order; none for a person whose home is unknown.
  package init(_ homes: [HomePlace] = []) {
    let starts = homes.map { $0.from?.milliseconds ?? .min }
    periods = Set(starts).sorted().map { start in
      Period(start: start, homes: homes.indices.filter { starts[$0] == start }.map { homes[$0] })
    }
  }

  /// Whether no home is known at any time.
  package var isEmpty: Bool { periods.isEmpty }

  /// All homes by time.
  package var homes: [HomePlace] { periods.flatMap(\.homes) }
}
