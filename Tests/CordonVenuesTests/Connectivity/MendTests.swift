import CordonCore
import CordonVenues
import Testing

@Suite("Repairs of incomplete maps")
struct MendTests {
  private static let seeds: Range<UInt64> = 1..<13

  @Test(arguments: [false, true])
  func aSoundMapIsNotChanged(hasWalls: Bool) throws {
    for seed in Self.seeds {
      let venue = try DefectiveMap(nil, seed: seed, hasWalls: hasWalls).drawing.venue()
      let report = ConnectivityReport(try VenueRoutes(venue).routes)
      #expect(report.isComplete && report.findings.isEmpty, "seed \(seed): \(report.findings.map(\.message))")
    }
  }

  @Test(arguments: DefectiveMap.Defect.allCases.filter { $0 != .divided }, [false, true])
  func defectsAreFoundAndMended(defect: DefectiveMap.Defect, hasWalls: Bool) throws {
    var (spaces, before, after, maps, found) = (0, 0, 0, 0, 0)
    for seed in Self.seeds {
      let map = DefectiveMap(defect, seed: seed, hasWalls: hasWalls)
      guard map.affected > 0 else { continue }
      let venue = try map.drawing.venue()
      let without = ConnectivityReport(try VenueRoutes(venue, mends: false).routes)
      let mended = ConnectivityReport(try VenueRoutes(venue).routes)
      maps += 1
      spaces += map.drawing.spaces.count
      before += cutOff(without)
      after += cutOff(mended)
      if !mended.findings.isEmpty { found += 1 }
      // Nothing is mended silently, and nothing is left without a reason.
      let codes = Set(mended.findings.map(\.code))
      #expect(codes.contains(Self.code(of: defect)), "seed \(seed): \(mended.sentence); \(codes)")
      #expect(mended.findings.count { $0.code == "space-unreachable" } == mended.connectivity.unreachable.count)
    }
    #expect(maps >= 10 && found == maps)
    #expect(Double(after) <= 0.05 * Double(spaces), "\(before) of \(spaces) unreachable, then \(after)")
    // Each map has the defect. Rooms without doors get them in the plan already if the map has no walls.
    let isMendedBefore = defect == .misplacedEntrance || (defect == .missingDoors && !hasWalls)
    #expect(isMendedBefore || before >= maps, "\(before)")
  }

  /// Two buildings may be meant, so that no door is assumed between them.
  @Test(arguments: [false, true])
  func aDividedBuildingIsFound(hasWalls: Bool) throws {
    for seed in Self.seeds {
      let map = DefectiveMap(.divided, seed: seed, hasWalls: hasWalls)
      let report = ConnectivityReport(try VenueRoutes(map.drawing.venue()).routes)
      let parts = report.connectivity.parts
      #expect(parts.map(\.entrances.count) == [1, 1], "seed \(seed): \(report.sentence)")
      #expect(cutOff(report) == map.affected && report.connectivity.unreachable.isEmpty)
      let findings = report.findings.filter { $0.code == Self.code(of: .divided) }
      #expect(findings.map(\.severity) == [.warning], "seed \(seed): \(report.findings.map(\.message))")
      #expect(findings.first?.message.contains("and only entrance ") == true)
      // Simulations note it first.
      #expect(report.remarks.first?.hasPrefix("the map has separate parts: ") == true)
      #expect(report.connectivity.assumedDoors.isEmpty)
    }
  }

  /// Returns the number of spaces without a way to the main entrance.
  private func cutOff(_ report: ConnectivityReport) -> Int {
    let main = report.connectivity.parts.first { $0.entrances.contains { $0.id == "main" } }
    return report.plan.spaces.count - (main?.spaces.count ?? 0)
  }

  private static func code(of defect: DefectiveMap.Defect) -> String {
    switch defect {
    case .divided: "disconnected-part"
    case .missingDoors, .shopsOnOutline, .island: "door-assumed"
    case .misplacedEntrance: "entrance-displaced"
    case .shiftedFloors: "connections-derived"
    case .seam: "seam-bridged"
    }
  }

  @Test func assumedDoorsOfAMendStayWhenSomethingIsClosed() throws {
    var venue = try DefectiveMap(.island, seed: 3, hasWalls: true).drawing.venue()
    let open = try VenueRoutes(venue).routes
    let door = try #require(open.plan.doors.first { $0.id.hasPrefix("assumed:") })
    venue.closures.spaces = [SpaceID("f0-s0")]
    let closed = try VenueRoutes(venue)
    #expect(closed.routes.plan.doors.contains { $0.id == door.id && $0.line == door.line })
    #expect(closed.open?.plan.doors.count == open.plan.doors.count)
  }

  @Test func furnitureInTheWayLeavesNoDoor() throws {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.openings.removeAll { $0.id == "da" }
    for wall in [
      ((0.0, 3.1), (12.0, 3.1)), ((0, 3.1), (0, 8)), ((6, 3.1), (6, 8)), ((0, 8), (12, 8)), ((12, 3.1), (12, 8)),
    ] {
      drawing.wall("f", wall.0, wall.1)
    }
    let routes = try VenueRoutes(drawing.venue()).routes
    #expect(routes.plan.doors.contains { $0.id == "assumed:a" })
    drawing.furniture.append(
      Barrier(id: "shelf", floor: FloorID("f"), shape: .area(PlanVenue.rectangle(0, 3.25, 5.9, 3.5))))
    let report = ConnectivityReport(try VenueRoutes(drawing.venue()).routes)
    #expect(!report.plan.doors.contains { $0.id == "assumed:a" } || report.connectivity.unreachable.isEmpty)
  }
}
