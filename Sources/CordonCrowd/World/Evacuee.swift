package import CordonCore
package import CordonGeometry

/// The start and the abilities of a person in an evacuation.
///
/// The person stands at a position inside until the end of the pre-movement time. The stops of the itinerary are then
/// the meeting place of the person's group, if it reunites.
package struct Evacuee: Hashable, Sendable {
  /// Index of the floor at the start.
  package var floor: Int
  /// The position at the start in the frame of the plan, in metres.
  package var position: PlanePoint
  /// The time at which the person sets off.
  package var departure: Instant
  /// The exits that the person may use, in ascending order: indices in ``World/entrances``. ``Itinerary/exit`` is one of
  /// them.
  package var exits: [Int]
  /// Factor of the speed on stairs and escalators, more than 0; 0 for a person who cannot use them.
  package var stairPace = 1.0
  /// Whether the person takes the exit that most of the visible people nearby walk to.
  package var followsOthers = false
  /// The number of the group that meets before it leaves, from 0; `nil` for a person alone.
  package var group: Int?

  /// Creates a person without limits of movement and without a group.
  package init(floor: Int, position: PlanePoint, departure: Instant, exits: [Int]) {
    self.floor = floor
    self.position = position
    self.departure = departure
    self.exits = exits
  }
}

/// The rules of an evacuation that apply to all people.
package struct EvacuationRules: Hashable, Sendable {
  /// Time between two comparisons of exits by a walking person, in milliseconds; 0 for one choice at the start.
  package var reconsideration: Int64 = 5_000
  /// Maximum flow through exits, in people per second and metre of width, more than 0.
  ///
  /// The default is the limit of IMO MSC.1/Circ.1533.
  package var exitFlow = 1.33
  /// Width of an exit that the map does not draw as a door, in metres.
  package var assumedWidth = 1.2
  /// The time from which an exit is closed, by index in ``World/entrances``, in milliseconds since 1970.
  ///
  /// People who walk to it choose another exit at that time.
  package var closing: [Int: Int64] = [:]
  /// The smoke in spaces, by index in `VenuePlan.spaces`; the same during the whole evacuation.
  package var smoke: [Int: Smoke] = [:]

  /// Creates the default rules.
  package init() {}
}

/// Smoke of a constant density in a space, as a fire model or an assumption gives it.
package struct Smoke: Hashable, Sendable {
  /// The extinction coefficient, per metre, from 0.
  package var extinction: Double
  /// The fractional effective dose that a person takes in, per minute, from 0. At a dose of 1 the person cannot move any more.
  package var dosePerMinute: Double

  /// Creates smoke.
  package init(extinction: Double, dosePerMinute: Double = 0) {
    self.extinction = extinction
    self.dosePerMinute = dosePerMinute
  }

  /// The factor of the walking speed in the smoke, 0.1 ... 1.
  ///
  /// The speed falls linearly with the extinction coefficient, by 0.057 / 0.706 per metre, down to a tenth (Frantzich and Nilsson,
  /// Lund 2003; the limit of a tenth is that of FDS+Evac).
  package var pace: Double { min(max(1 - 0.057 / 0.706 * extinction, 0.1), 1) }
}
