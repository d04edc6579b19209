import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonSimulator

@Suite("Positions over the width of a corridor")
struct LateralTests {
  @Test func figuresOfPositions() {
    var use = LateralUse(width: 2)
    for offset in [0.35, 0.5, 1.05, 1.9] { use.add(offset) }
    #expect(use.share(within: 0.4) == 0.5)
    #expect(use.rightShare == 0.5)
    #expect(abs(use.deviation - 0.6072) < 1e-4)
    #expect(use.curve.count == 20 && use.curve.reduce(0) { $0 + $1.y } == 1)
    #expect(use.curve[3].y == 0.25 && abs(use.curve[3].x - 0.35) < 1e-12)
  }

  /// Walking time counts in corridors, at its distance from the wall; rests and other rooms do not count.
  @Test func corridorsCountWalkingTime() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 900, seed: 4)
    let world = try World(venue: venue)
    let raster = world.routes.navigation.floors[0]
    let lookup = SpaceLookup(plan: world.plan, floor: 0, raster: raster)
    func cells(_ isWanted: (SpaceKind) -> Bool) -> [Int] {
      raster.component.indices.filter { cell in
        guard raster.isWalkable(cell), raster.isWalkable(cell + 1), let space = lookup.space(of: cell) else {
          return false
        }
        return lookup.space(of: cell + 1) == space && isWanted(world.plan.spaces[space].kind)
      }
    }
    func distance(_ cell: Int) -> Double { raster.barriers.distance(to: raster.center(of: cell), limit: 3) }
    let near = try #require(cells { $0 == .corridor }.first { distance($0) < 0.39 && distance($0 + 1) < 0.39 })
    let far = try #require(cells { $0 == .corridor }.first { distance($0) > 0.61 && distance($0 + 1) > 0.61 })
    let office = try #require(cells { $0 == .office }.first)
    let ordinal = world.plan.floors[0].ordinal.thousandths
    func segment(_ from: Int, _ to: Int, start: Int64, seconds: Int64) -> Segment {
      let (a, b) = (raster.center(of: from), raster.center(of: to))
      return Segment(
        device: 0, floor: ordinal, start: start, end: start + seconds * 1_000, x0: a.x, y0: a.y, x1: b.x, y1: b.y)
    }
    var track = Track()
    track.segments = [
      segment(near, near + 1, start: 0, seconds: 3), segment(near + 1, near + 1, start: 3_000, seconds: 50),
      segment(far, far + 1, start: 60_000, seconds: 1), segment(office, office + 1, start: 70_000, seconds: 8),
    ]
    let replication = Replication(start: Instant(milliseconds: 0), duration: .minutes(5), seed: 1)
    let itinerary = Itinerary(
      person: 0, freeSpeed: 1.3, arrival: replication.start, entrance: 0, stops: [], exit: 0)
    let truth = Truth(
      frame: world.plan.frame, replication: replication, itineraries: [itinerary], tracks: [track],
      figures: MovementFigures())
    let use = CorridorUse(truth, in: world)
    #expect(use.seconds == 4)
    #expect(use.share(within: 0.4) == 0.75)
    #expect(use.share(within: 3) == 1)
    #expect(use.evenShare(within: 0.4) > 0 && use.evenShare(within: 0.4) < 1)
  }

  /// Everybody gets through a corridor, in one direction and in both.
  @Test func corridorsDoNotJam() throws {
    let validation = MovementValidation(
      settings: CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())), step: 0.1, seeds: [1])
    let counter = validation.twoWay(seed: 1)
    #expect(counter.jams == 0)
    #expect(counter.offsets.offsets.count > 1_000)
    let use = validation.oneWay(like: try #require(LateralMeasurement.all.last), seed: 1)
    #expect(use.offsets.count > 1_000)
    // Centres keep 0.18 m from walls.
    #expect(use.offsets.allSatisfy { $0 >= 0.179 && $0 <= 1.621 })
  }

  /// The figures of the laboratory follow from the trajectories: number, frame, x and y in centimetres.
  @Test(.enabled(if: Places.hasRealData, "the trajectories are not beside the package"))
  func measuredFiguresFollowFromTheTrajectories() throws {
    for (measurement, name) in zip(LateralMeasurement.all, ["050", "070", "145"]) {
      let file = Places.realData.appendingPathComponent("juelich-pedpy/uo-\(name)-180-180.txt")
      var use = LateralUse(width: LateralMeasurement.width)
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.first != "#" {
        let values = line.split(separator: " ").compactMap { Double($0) }
        guard values.count >= 4, values[3] >= -200, values[3] < 200 else { continue }
        use.add(values[2] / 100)
      }
      #expect(abs(use.share(within: LateralMeasurement.near) - measurement.nearShare) < 0.0006)
      #expect(abs(use.deviation - measurement.deviation) < 0.0006)
      #expect(use.curve.map { Int(($0.y * 1_000).rounded()) } == measurement.permille)
    }
  }
}
