import CordonGeometry
import CordonNavigation

/// Counterflow in narrow places.
extension EvacuationWalk {
  /// Time without progress after which people in counterflow squeeze past each other, in seconds, and the distance
  /// within which they do, in metres.
  ///
  /// The time is shorter than what ``PedestrianCrowd/losePatience(_:)`` sets: people who shuffle to and fro make no progress either.
  private static let squeezePatience = 2.0
  private static let squeezeReach = 0.7

  /// Lets people who block each other in counterflow squeeze past: they exchange their places.
  ///
  /// The crowd models know no turned shoulders, so two dense crowds would block a corridor without end. Each person exchanges
  /// places with the nearest one ahead who comes the other way, at most once a second.
  func squeezePast() {
    let crowd = state.crowd
    var done: Set<Int> = []
    for walker in crowd.walkers {
      let person = Int(walker)
      guard isBlocked(person), !done.contains(person), let mark = crowd.nextMark(of: person) else { continue }
      let here = crowd.position(of: person)
      let ahead = Self.direction(from: here, to: mark)
      var facing: (person: Int, distance: Double)?
      for other in crowd.people(near: here, within: Self.squeezeReach) where other != person && !done.contains(other) {
        guard isBlocked(other), let theirs = crowd.nextMark(of: other) else {
          continue
        }
        let there = crowd.position(of: other)
        let back = Self.direction(from: there, to: theirs)
        let offset = (there.x - here.x) * ahead.x + (there.y - here.y) * ahead.y
        let distance = PlaneSegment(here, there).length
        guard offset > 0.1, back.x * ahead.x + back.y * ahead.y < Self.opposition,
          distance < facing?.distance ?? .infinity,
          !crowd.sight.isCrossed(from: here, to: there)
        else { continue }
        facing = (other, distance)
      }
      guard let facing = facing?.person else { continue }
      crowd.exchange(person, facing)
      state.figures.exchanges += 1
      done.formUnion([person, facing])
    }
  }

  /// The cosine of the angle between two directions below which they are opposite.
  private static let opposition = -0.3

  private func isBlocked(_ person: Int) -> Bool {
    isWalkingOut(person) && state.crowd.blockedSeconds(of: person) > Self.squeezePatience
  }

  private static func direction(from a: PlanePoint, to b: PlanePoint) -> PlanePoint {
    let length = max(PlaneSegment(a, b).length, 1e-9)
    return PlanePoint(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
  }
}
