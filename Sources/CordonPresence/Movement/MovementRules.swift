package import CordonCore
package import CordonGeometry

/// The rules of visits and trips.
package struct MovementRules: Sendable {
  /// A place with a name, such as a venue. Being in it is one visit, however far the person walks there.
  package struct Place: Sendable {
    /// The name, such as the venue's identifier.
    package let name: String
    let area: Gate
    let surroundings: Gate

    /// Creates a place.
    /// - Parameters:
    ///   - name: its name.
    ///   - area: its outline. A visit begins in it and ends 25 m outside of it.
    package init(_ name: String, area: GeoMultiPolygon) {
      self.name = name
      self.area = Gate(area)
      surroundings = Gate(area, tolerance: MovementRules.hysteresis)
    }
  }

  /// The radius in metres of a visit to a place without a name.
  package var radius = MovementRules.defaultRadius
  /// The shortest visit; the observed time counts. A shorter stop is a part of a trip.
  package var minimumDwell = TimeSpan.minutes(5)
  /// The shortest trip in metres; shorter ones are left out.
  package var minimumTrip = 100.0
  /// Places with names; the first one that contains a fix counts.
  package var places: [Place] = []

  /// Whether a gap ends a visit although the person is there again afterwards, so that no visit contains unknown time.
  package var splitsAtGaps = false

  /// The default of ``radius`` in metres.
  static let defaultRadius = 60.0
  /// The distance in metres beyond the edge that ends a visit.
  static let hysteresis = 25.0
  /// The time outside that ends a visit, in milliseconds.
  static let confirmation: Int64 = 60_000
  /// The time outside after which a stop that is too short for a visit is over, in milliseconds.
  static let patience: Int64 = 10_000
  /// The largest accuracy radius in metres of fixes that decide.
  static let usableAccuracy = 100.0
  /// The accuracy radius in metres that an unknown one counts as.
  static let unknownAccuracy = 30.0

  /// Creates the default rules.
  package init() {}
}

/// The place of a visit, or of the end of a trip.
package enum VisitPlace: Hashable, Sendable {
  /// A home.
  case home
  /// A place of the rules by its number there.
  case named(Int)
  /// Any other place.
  case other
}

/// A stay at one place.
package struct PresenceVisit: Hashable, Sendable {
  /// The place.
  package var place: VisitPlace
  /// The mean position.
  package var coordinate: Coordinate
  /// Milliseconds since 1970.
  package var arrival: Int64
  /// Milliseconds since 1970.
  package var departure: Int64
  /// Whether the arrival was seen; otherwise the person was there at the first fix after a gap or of the record.
  package var isArrivalKnown: Bool
  /// Whether the departure was seen; otherwise the person was there at the last fix before a gap or of the record.
  package var isDepartureKnown: Bool
  /// The time of gaps between arrival and departure in milliseconds. Nobody knows whether the person was there.
  package var unknown: Int64
  /// The person arrived at most this long before ``arrival``, in milliseconds: the time since the last fix elsewhere. `nil` when
  /// no fix came before.
  package var arrivalUncertainty: Int64?
  /// The person left at most this long after ``departure``, in milliseconds: the time until the next fix elsewhere. `nil` when no
  /// fix followed.
  package var departureUncertainty: Int64?

  /// The observed time at the place in milliseconds.
  package var dwell: Int64 { max(departure - arrival - unknown, 0) }
}

/// A movement between two visits.
package struct PresenceTrip: Hashable, Sendable {
  /// Milliseconds since 1970.
  package var start: Int64
  /// Milliseconds since 1970.
  package var end: Int64
  /// The place where it began and where it ended.
  package var startPlace: VisitPlace
  package var endPlace: VisitPlace
  /// The position where it began and where it ended.
  package var startCoordinate: Coordinate
  package var endCoordinate: Coordinate
  /// Whether the beginning was seen; otherwise a gap came before it, or the record began.
  package var isStartKnown: Bool
  /// Whether the end was seen; otherwise a gap followed, or the record ended.
  package var isEndKnown: Bool
  /// The length of the filtered path in metres.
  package var distance: Double
  /// The number of fixes.
  package var fixes: Int

  /// The time from start to end in milliseconds.
  package var duration: Int64 { end - start }
}
