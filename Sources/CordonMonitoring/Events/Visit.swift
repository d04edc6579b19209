public import CordonCore

/// A visit to a place outside of venues, as the operating system reports it.
public struct Visit: Hashable, Sendable {
  /// The place, in degrees.
  public var coordinate: Coordinate
  /// The radius (68 %) in metres.
  public var accuracy: Double
  /// The time of the arrival; `nil` when it is unknown.
  public var arrival: Instant?
  /// The time of the departure; `nil` while the visit lasts.
  public var departure: Instant?

  /// Makes a visit of its parts.
  public init(coordinate: Coordinate, accuracy: Double, arrival: Instant?, departure: Instant?) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
  }
}

extension VenueID {
  /// The name under which locations outside of venues are stored, `everywhere`. No venue may have it: the monitor
  /// ignores one that does.
  public static let everywhere = VenueID(slugging: "everywhere").unsafelyUnwrapped
}

extension Location {
  /// The purpose of the consent under which the location was recorded: `record` in a venue, `everywhere` outside.
  public var purpose: Consent.Purposes { venue == .everywhere ? .everywhere : .record }
}

extension Sink {
  /// Whether the sink receives a location.
  func receives(_ location: Location) -> Bool { purposes.contains(location.purpose) }
}
