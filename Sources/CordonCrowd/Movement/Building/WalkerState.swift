import CordonGeometry
import CordonNavigation

/// The state of a person in a building walk.
struct WalkerState {
  var phase = Phase.away
  var goal = Goal.stop
  /// Index of the next stop of the itinerary.
  var stop = 0
  var floor = 0
  var legs: [RouteLeg] = []
  var leg = 0
  /// Start of the current stay, wait or ride, in milliseconds since 1970.
  var since: Int64 = 0
  /// Time without progress on the way in seconds, counted once a second; while a person waits for room on another
  /// floor, the number of attempts.
  var stuck = 0
  /// Number of searches for a way since the last progress.
  var tries = 0
  var progress = WalkProgress()
  /// The current or last trip between floors.
  var ride = Ride()
  /// The vertical ways that the person found too crowded on the way to the current goal.
  var avoided: Set<Int> = []
  /// The server who called or serves the person, or the person whom a companion accompanies.
  var desk: Desk?
  /// The car that the person is leaving: vertical way and stop; -1 without a car.
  var exiting = (way: -1, stop: -1)

  enum Phase: UInt8 {
    case away, walking, dwelling, waitingForStairs, climbing, alighting, waitingForCar, called, inCar, queueing, served
    case steppingAside
    /// The person waits for room in a space with a limit: in front of it, or outside the building.
    case waitingForRoom, waitingOutside
    /// The person has no way to an exit.
    case trapped
    /// The person stands in an exit until others have passed it.
    case leaving
    case gone
  }

  enum Goal: UInt8 {
    case stop, exit
  }

  /// A trip between two floors.
  struct Ride {
    var way = -1
    /// The stop that the person leaves, the next stop, and the last stop.
    var from = -1
    var next = -1
    var to = -1
    /// Time at which the person reaches the next stop unless others cause a delay, in milliseconds since 1970.
    var arrival: Int64 = 0
    /// Factor of the free speed.
    var pace = 1.0
  }

  /// A server who is reserved for a person.
  struct Desk {
    var station: ServiceQueues.Key
    /// The place of the server: an index in ``World/destinations``.
    var destination: Int
    /// Index of the stop for which the server is reserved.
    var stop: Int
  }

  /// Sets a phase in which no time without progress has passed yet.
  mutating func begin(_ phase: Phase) {
    self.phase = phase
    stuck = 0
  }

  /// Makes a person who waited, rode or was blocked walk again.
  mutating func resumeWalking() {
    begin(.walking)
    tries = 0
  }

  /// Checks whether a person walks to the landing of a vertical way to change floors, or is on that way.
  func isBound(for way: Int) -> Bool {
    switch phase {
    case .climbing: return ride.way == way
    case .walking, .steppingAside:
      let next = leg < legs.count && legs[leg].isRide ? leg : leg + 1
      guard next < legs.count, case .ride(let theirs, _, _) = legs[next] else { return false }
      return theirs == way
    default: return false
    }
  }

  /// Whether the way ends with a walk, or has no legs.
  var endsWithWalk: Bool {
    guard let last = legs.last else { return true }
    return !last.isRide
  }
}

extension RouteLeg {
  var isRide: Bool { if case .ride = self { true } else { false } }
}
