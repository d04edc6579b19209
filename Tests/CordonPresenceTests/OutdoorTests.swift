import CordonCore
import CordonGeometry
import CordonPresence
import Testing

@Suite("Outdoors")
struct OutdoorTests {
  /// A building from 200 to 260 m east and 0 to 40 m north, and one far away, so that the map is known between both.
  private var buildings: [GeoMultiPolygon] {
    [rectangle(200, 0, 260, 40), rectangle(900, 500, 950, 540)]
  }

  private func rectangle(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> GeoMultiPolygon {
    GeoMultiPolygon([
      GeoPolygon(outer: [
        Near.place(west, south), Near.place(east, south), Near.place(east, north), Near.place(west, north),
      ])
    ])
  }

  private func firstDay(_ fixes: [PresenceFix], _ rule: OutdoorRule) throws -> PresenceDay {
    try #require(Near.report(fixes, PresenceRules(homes: try Near.home(), outdoors: rule)).days.first)
  }

  @Test func anUnknownAccuracyIsNotOutdoors() throws {
    let fixes = (0..<11).map { Near.fix(Double($0) * 60, east: 2_000, accuracy: nil) }
    let day = try firstDay(fixes, OutdoorRule())
    #expect(day.away == 600_000 && day.outdoors == 0 && day.indoors == 0 && day.undetermined == 600_000)
    let onTheMap = try firstDay(
      (0..<11).map { Near.fix(Double($0) * 60, east: 500, north: 100, accuracy: nil) },
      OutdoorRule(buildings: BuildingMap(buildings)))
    #expect(onTheMap.outdoors == 0 && onTheMap.undetermined == 600_000)
  }

  @Test func oneThresholdDecidesEverywhere() throws {
    let fixes = (0..<11).map { Near.fix(Double($0) * 60, east: 2_000, accuracy: $0 < 5 ? 9.9 : 10) }
    let day = try firstDay(fixes, OutdoorRule())
    #expect(day.outdoors == 300_000 && day.indoors == 300_000)
    // The table writes the same as the day sums.
    var stream = PresenceStream(PresenceRules(homes: try Near.home()))
    var written = 0
    for (index, fix) in fixes.enumerated() {
      stream.add(fix)
      if stream.outdoorProbability == 1, index < fixes.count - 1 { written += 60_000 }
    }
    #expect(Double(written) == day.outdoors)
  }

  @Test func homeIsNotOutdoors() throws {
    let day = try firstDay((0..<11).map { Near.fix(Double($0) * 60, accuracy: 3) }, OutdoorRule())
    #expect(day.home == 600_000 && day.outdoors == 0)
  }

  @Test func aMapDecidesByProbability() throws {
    let map = try #require(BuildingMap(buildings))
    #expect(map.count == 2 && map.contains(Near.place(230, 20)) && !map.contains(Near.place(300, 20)))
    #expect(map.knows(Near.place(500, 250)) && !map.knows(Near.place(0, 0)) && BuildingMap([]) == nil)
    // In the building a good fix outdoors by accuracy alone is indoors by the map.
    let inside = try firstDay(
      (0..<11).map { Near.fix(Double($0) * 60, east: 230, north: 20, accuracy: 3) }, OutdoorRule(buildings: map))
    #expect(inside.outdoors == 0 && inside.indoors == 600_000 && inside.byMap == 600_000)
    let street = try firstDay(
      (0..<11).map { Near.fix(Double($0) * 60, east: 500, north: 250, accuracy: 30) }, OutdoorRule(buildings: map))
    #expect(street.outdoors == 600_000)
    // On a wall, far from corners, both are equally likely.
    let wall = try firstDay(
      (0..<11).map { Near.fix(Double($0) * 60, east: 200, north: 20, accuracy: 5) }, OutdoorRule(buildings: map))
    #expect(abs(wall.outdoors - 300_000) < 60_000)
    #expect(wall.outdoors + wall.indoors == 600_000)
  }

  @Test func theProbabilityAgreesWithTheExactOne() throws {
    let map = try #require(BuildingMap(buildings))
    let exact = BoundaryIndex(GeoMultiPolygon(buildings.flatMap(\.polygons)))
    var noise = Noise(seed: 5)
    var largest = 0.0
    var sum = 0.0
    let count = 400
    for _ in 0..<count {
      let place = Near.place(190 + noise.uniform() * 80, noise.uniform() * 50)
      let accuracy = 2 + noise.uniform() * 40
      let error =
        map.outdoorProbability(at: place, accuracy: accuracy)
        - (1 - exact.probabilityInside(at: place, accuracy: accuracy))
      largest = max(largest, abs(error))
      sum += error
    }
    let mean = sum / Double(count)
    #expect(largest < 0.16 && abs(mean) < 0.02, "\(largest) \(mean)")
  }
}
