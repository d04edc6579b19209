package import CordonCore
import CordonGeometry
package import CordonNavigation

/// The plan of one visit: arrival, stops until planned times, departure.
package struct Itinerary: Sendable {
  /// Number of the person, from 0; a person with several visits has an itinerary for each.
  package var person: Int
  /// Free speed on level ground without other people, in metres per second.
  package var freeSpeed: Double
  /// The time of arrival.
  package var arrival: Instant
  /// The entrance of arrival: an index in ``World/entrances``.
  package var entrance: Int
  /// The stops, in order.
  package var stops: [Stop]
  /// The exit: an index in ``World/entrances``.
  package var exit: Int
  /// A person with the same stops and times to walk with, by index in the list of itineraries; `nil` for people on
  /// their own.
  ///
  /// Each companion is the next member of the party, and the companion of the last member is the first. The first
  /// member walks beside the second, the third beside the fourth.
  package var companion: Int?
  /// The person whom this one accompanies, by index in the list of itineraries; `nil` for people who are not companions.
  ///
  /// A companion has the same stops, is not served, and leaves each stop when the leader leaves it.
  package var leader: Int?
  /// The start inside and the abilities of a person in an evacuation; `nil` for people who enter the building.
  package var evacuee: Evacuee?

  /// One stop of an itinerary.
  package struct Stop: Sendable {
    /// Index in ``World/destinations``.
    package var destination: Int
    /// The person's spot at the destination.
    package var spot: Place
    /// The planned time of departure. People stay for at least a few seconds, even if they arrive later.
    package var leave: Instant
    /// The duration of service, for stops at a service point with a queue; `nil` for other places. With it, ``leave``
    /// has no effect.
    package var service: TimeSpan?
    /// The duration of the stay, regardless of the time of arrival; `nil` to stay until ``leave``.
    package var length: TimeSpan?
    /// The station that serves the person here, or from which the person waits for a call: an index in
    /// ``RouteFields/stations``. A stop with a ``service`` and without a station has a station of its destination, with
    /// one server.
    package var station: Int?
    /// Whether the stay lasts until a server of ``station`` calls the person. The next stop is the service.
    package var isUntilCalled = false
    /// The time of the person's appointment at the station; `nil` without one.
    package var appointment: Instant?

    /// Creates a stop from its parts.
    package init(
      destination: Int, spot: Place, leave: Instant, service: TimeSpan? = nil, length: TimeSpan? = nil
    ) {
      self.service = service
      self.length = length
      self.destination = destination
      self.spot = spot
      self.leave = leave
    }
  }

  /// Creates an itinerary from its parts.
  package init(
    person: Int, freeSpeed: Double, arrival: Instant, entrance: Int, stops: [Stop], exit: Int, companion: Int? = nil
  ) {
    self.companion = companion
    self.person = person
    self.freeSpeed = freeSpeed
    self.arrival = arrival
    self.entrance = entrance
    self.stops = stops
    self.exit = exit
  }
}

extension Itinerary {
  /// Makes the person a companion who is not served.
  /// - Parameter leader: the index of the accompanied person.
  package mutating func accompany(_ leader: Int) {
    self.leader = leader
    for index in stops.indices {
      stops[index].service = nil
      stops[index].isUntilCalled = false
      stops[index].station = nil
      stops[index].appointment = nil
    }
  }
}

extension Itinerary.Stop {
  /// Whether the person joins a queue at the stop.
  package var hasQueue: Bool { service != nil || isUntilCalled }

  /// The purpose of the queue at the stop.
  var waitReason: Wait.Reason {
    station.map { .station($0, destination: destination) } ?? .service(destination)
  }

  /// Returns the end of a stay that begins at a time, both in milliseconds since 1970.
  ///
  /// A stop without a length lasts at least `minimum` milliseconds, even after a late arrival.
  package func end(from time: Int64, minimum: Int64) -> Int64 {
    if let length { return time + max(length.milliseconds, 0) }
    return max(time + minimum, leave.milliseconds)
  }
}
