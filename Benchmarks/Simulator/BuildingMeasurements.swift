import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSimulator
import CordonVenueTools
import CordonVenues

/// People in generated buildings of several floors, with stairs, escalators and elevators, with a check of every
/// step against the plan.
enum BuildingMeasurements {
  static let kinds: [VenueGenerator.Kind] = [.hospital, .office, .station, .mall, .museum, .campus]

  /// One building with people for a time.
  static func walk(
    _ kind: VenueGenerator.Kind, people: Int, minutes: Int64, movement: CrowdMovement, seed: UInt64,
    only way: Connection.Kind? = nil
  ) throws -> (world: World, truth: Truth) {
    var venue = try VenueGenerator.generate(kind: kind, floors: 3, area: kind.defaultArea, seed: seed)
    if let way { venue.connections = Array(venue.connections.filter { $0.kind == way }.prefix(1)) }
    let world = try World(venue: venue)
    let scenario = Scenario(
      visitors: people, start: Instant(milliseconds: 1_763_971_200_000), duration: .minutes(minutes), seed: seed)
    return (world, try Simulation.truth(world: world, scenario: scenario, model: movement))
  }

  static func run(_ arguments: [String]) {
    let values = Arguments.values(arguments)
    let first = UInt64(values["first"] ?? 3)
    // With only one flight of stairs, or one elevator, for all people.
    let way: Connection.Kind? =
      arguments.contains("one-stairs") ? .stairs : arguments.contains("one-elevator") ? .elevator : nil
    var isClean = true
    for kind in kinds where arguments.contains("\(kind)") || !arguments.contains(where: isKind) {
      for seed in first..<(first + UInt64(values["seeds"] ?? 1)) {
        let model =
          arguments.contains("avm")
          ? CrowdModel.anticipationVelocity(AnticipationVelocity()) : .collisionFreeSpeed(CollisionFreeSpeed())
        let movement = CrowdMovement(
          CrowdSettings(model: model), step: Int64((values["step"] ?? 0.1) * 1_000 + 0.5), checksEveryStep: true)
        do {
          let (world, truth) = try walk(
            kind, people: Int(values["people"] ?? 200), minutes: Int64(values["minutes"] ?? 40), movement: movement,
            seed: seed, only: way)
          let overdue = truth.people.filter { person in
            guard !person.hasLeft, let last = person.stays.last else { return false }
            return last.end < truth.end - .minutes(10)
          }
          let stays = truth.people.reduce(0) { $0 + $1.stays.count }
          let left = truth.people.count { $0.hasLeft }
          print(
            "\(kind) \(seed): \(stays) stays, \(left) left, \(overdue.count) on the way for 10 minutes, truth clean \(TruthCheck.findings(truth, in: world).isClean), \(truth.figures)"
          )
          if arguments.contains("verbose") { for person in overdue { describe(person, truth, world) } }
          if !truth.figures.isClean { isClean = false }
        } catch {
          print("\(kind) \(seed) cannot be run: \(error)")
          isClean = false
        }
      }
    }
    if !isClean { exitWithFindings() }
  }

  /// Prints the positions of an overdue person in the last ten minutes.
  private static func describe(_ person: PersonTruth, _ truth: Truth, _ world: World) {
    guard let visit = person.visits.last else { return }
    let late = truth.segments[visit.segmentRange].filter { $0.end > truth.end.milliseconds - 600_000 }
    guard let last = late.last else { return }
    let xs = late.filter { $0.floor == last.floor }.flatMap { [$0.x0, $0.x1] }
    let ys = late.filter { $0.floor == last.floor }.flatMap { [$0.y0, $0.y1] }
    let here = PlanePoint(x: last.x1, y: last.y1)
    let floor = world.plan.floors.firstIndex { $0.ordinal.thousandths == last.floor } ?? 0
    let doors = world.plan.doors.filter { $0.floor == floor }.map { ($0.line.distance(to: here), $0.line.length) }
    let door = doors.min { $0.0 < $1.0 } ?? (0, 0)
    let wall = world.routes.navigation.floors[floor].barriers.distance(to: here, limit: 5)
    let landing = world.routes.navigation.verticals.enumerated().flatMap { way, vertical in
      vertical.stops.filter { $0.floor == floor }.map { stop in
        (
          PlaneSegment(world.routes.navigation.floors[floor].center(of: stop.cell), here).length,
          "\(world.plan.connections[world.routes.connectionOfVertical[way]].kind)"
        )
      }
    }.min { $0.0 < $1.0 }
    print(
      "   floor \(last.floor) at \(here.x),\(here.y), \(late.count) pieces in \((xs.max() ?? 0) - (xs.min() ?? 0)) x \((ys.max() ?? 0) - (ys.min() ?? 0)) m, still for \(Double(last.end - last.start) / 1_000) s, wall \(wall) m, door \(door), landing \(landing.map { "\($0)" } ?? "-"), entrance \(world.entrances.map { PlaneSegment($0.position, here).length }.min() ?? 0) m"
    )
  }

  private static func isKind(_ word: String) -> Bool { kinds.contains { "\($0)" == word } }
}
