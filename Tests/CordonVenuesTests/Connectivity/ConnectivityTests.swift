import CordonCore
import CordonGeometry
import CordonVenues
import Testing

@Suite("Connectivity of venues")
struct ConnectivityTests {
  private func report(_ drawing: PlanVenue, shut: VenueClosures = VenueClosures()) throws -> ConnectivityReport {
    var venue = try drawing.venue()
    venue.closures = shut
    return ConnectivityReport(try VenueRoutes(venue).routes)
  }

  private func names(_ spaces: [Int], _ report: ConnectivityReport) -> [String] {
    spaces.map { report.plan.spaces[$0].id.rawValue }
  }

  /// A corridor with two rooms, and a hall with an entrance of its own 5 m away.
  private func withIsland() -> PlanVenue {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.space("food", "f", .restaurant, PlanVenue.rectangle(17, 0, 20, 3))
    drawing.door("side", "f", isEntrance: true, (20, 1), (20, 2))
    return drawing
  }

  @Test func aConnectedMapIsOnePart() throws {
    let report = try report(VenuePlanTests.corridorAndRooms(doors: true))
    let part = try #require(report.connectivity.parts.first)
    #expect(report.connectivity.parts.count == 1)
    #expect(names(part.spaces, report) == ["corridor", "a", "b"])
    #expect(part.entrances.map(\.id) == ["in"])
    #expect(part.entrances.first?.space == 0)
    #expect(part.floors == [0])
    // The outlines count, not the cells on which people can stand.
    #expect(abs(part.squareMetres - (36 + 2 * 5.9 * 4.8)) < 0.5, "\(part.squareMetres)")
    #expect(report.connectivity.unreachable.isEmpty && report.connectivity.unreachableShare == 0)
    #expect(report.findings.isEmpty)
    #expect(report.sentence == "3 spaces in 1 part: 3 from entrance 0 (corridor)")
    #expect(report.warning == nil)
  }

  @Test func anEntranceOfAnIslandLeadsNowhere() throws {
    var drawing = withIsland()
    // The island holds less than 5 % of the area of the venue, but more of its floor.
    drawing.floor("up", 1)
    drawing.space("hall", "up", .lobby, PlanVenue.rectangle(0, 0, 30, 10))
    let report = try report(drawing)
    #expect(report.connectivity.parts.map(\.spaces.count) == [1, 3, 1])
    let finding = try #require(report.findings.first { $0.code == "entrance-leads-nowhere" })
    #expect(finding.object == "side" && finding.severity == .warning)
    #expect(finding.message.hasPrefix("entrance 1 (restaurant) leads only to 'food': nobody enters by it unless"))
    #expect(report.findings.contains { $0.code == "disconnected-part" && $0.object == "food" })
    // People can enter the island, so that it is not unreachable.
    #expect(report.connectivity.unreachable.isEmpty)
    #expect(report.connectivity.parts.first?.entrances.map(\.id) == ["shell:1"])
    #expect(
      report.sentence
        == "5 spaces in 3 parts: 1 from entrance 2 (lobby), 3 from entrance 0 (corridor), "
        + "1 from entrance 1 (restaurant), to food")
  }

  @Test func anEntranceToASliverIsNotUsed() throws {
    var drawing = withIsland()
    drawing.space("wing", "f", .lobby, PlanVenue.rectangle(-30, 0, 0, 8))
    let report = try report(drawing)
    #expect(report.connectivity.unusedEntrances.map { report.plan.doors[$0].id } == ["side"])
    let finding = try #require(report.findings.first { $0.code == "entrance-leads-nowhere" })
    #expect(finding.message.hasPrefix("the entrance 'side' on 0 leads only to 'food': nobody enters by it; add"))
    #expect(names(report.connectivity.unreachable.map(\.space), report) == ["food"])
  }

  @Test func aLargePartWithAnEntranceIsAWarning() throws {
    // One of four spaces.
    let report = try report(withIsland())
    #expect(report.connectivity.entrancesToNowhere.isEmpty)
    #expect(report.connectivity.largeParts.map(\.spaces.count) == [1])
    let finding = try #require(report.findings.first { $0.code == "disconnected-part" })
    #expect(finding.severity == .warning && finding.object == "food")
    #expect(finding.message.contains("has no way to the largest part and only entrance 1 (restaurant): people who"))
    #expect(report.remarks.contains { $0.hasPrefix("the map has separate parts: ") } && !report.isComplete)
  }

  @Test func aSmallPartWithAnEntranceIsABuilding() throws {
    var drawing = withIsland()
    // Six spaces, and an island with 9 % of their area.
    drawing.space("c", "f", .office, PlanVenue.rectangle(0, -4, 6, -0.1))
    drawing.space("d", "f", .office, PlanVenue.rectangle(6.1, -4, 12, -0.1))
    drawing.door("dc", "f", (2, -0.05), (3, -0.05))
    drawing.door("dd", "f", (8, -0.05), (9, -0.05))
    let report = try report(drawing)
    #expect(report.connectivity.largeParts.isEmpty && report.connectivity.entrancesToNowhere.isEmpty)
    #expect(report.findings.first { $0.code == "disconnected-part" }?.severity == .info)
    #expect(report.remarks.isEmpty)
  }

  @Test func aPartWithoutAnEntranceIsUnreachable() throws {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.space("yard", "f", .lobby, PlanVenue.rectangle(20, 0, 23, 3))
    drawing.space("passage", "f", .corridor, PlanVenue.rectangle(23, 0, 26, 3))
    let report = try report(drawing)
    #expect(names(report.connectivity.unreachable.map(\.space), report) == ["yard", "passage"])
    #expect(report.connectivity.unreachable.map(\.reason) == [.behindUnreachable, .behindUnreachable])
    let all = 36 + 2 * 5.9 * 4.8 + 18
    #expect(abs(report.connectivity.unreachableShare - 18 / all) < 0.01)
    #expect(report.connectivity.isTooUnreachable)
    #expect(report.findings.filter { $0.code == "space-unreachable" }.compactMap(\.object) == ["yard", "passage"])
    #expect(report.findings.first { $0.code == "disconnected-part" }?.severity == .warning)
    #expect(report.sentence == "5 spaces in 2 parts: 3 from entrance 0 (corridor), 2 from no entrance")
    let warning = try #require(report.warning)
    #expect(warning.hasPrefix("no entrance reaches 2 spaces, \(report.percent) of the area"), "\(warning)")
    #expect(warning.hasSuffix(": yard, passage"))
  }

  @Test func theReasonIsNamed() throws {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.space("alone", "f", .lobby, PlanVenue.rectangle(20, 0, 23, 3))
    drawing.space("slit", "f", .storage, PlanVenue.rectangle(30, 0, 30.3, 3))
    let reasons = try report(drawing).connectivity.unreachable.map(\.reason)
    #expect(reasons == [.noDoor, .noPlaceToStand])
  }

  @Test func assumedDoorsNameBothSpaces() throws {
    var drawing = VenuePlanTests.corridorAndRooms(doors: false)
    drawing.door("in", "f", isEntrance: true, (0, 1), (0, 2))
    let report = try report(drawing)
    let door = try #require(report.connectivity.assumedDoors.first)
    #expect(report.connectivity.assumedDoors.count == 2)
    #expect(names([door.space] + [door.neighbour].compactMap { $0 }, report) == ["a", "corridor"])
    let findings = report.findings.filter { $0.code == "door-assumed" }
    #expect(findings.compactMap(\.object) == ["a", "b"])
    #expect(
      findings.first?.message
        == "no door of the map leads to 'a' (office, 28 m², 0): one to 'corridor' is assumed; if the door is elsewhere, add it"
    )
    #expect(findings.first?.severity == .info && findings.first?.action == .repaired)
  }

  @Test func smallerSpacesAreNotCountedTwice() throws {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.space("desk", "f", .lobby, PlanVenue.rectangle(4, 0, 8, 2))
    let report = try report(drawing)
    #expect(abs(report.connectivity.usableSquareMetres - (36 + 2 * 5.9 * 4.8)) < 0.5)
  }

  @Test func closedSpacesAreNotUnreachable() throws {
    var shut = VenueClosures()
    shut.spaces = [SpaceID("a")]
    let report = try report(VenuePlanTests.corridorAndRooms(doors: true), shut: shut)
    #expect(report.connectivity.unreachable.isEmpty)
    #expect(abs(report.connectivity.usableSquareMetres - (36 + 5.9 * 4.8)) < 0.5)
  }

  @Test func floorsWithoutSpacesCountWithTheirArea() throws {
    var drawing = PlanVenue()
    drawing.floor("f", 0, outline: PlanVenue.rectangle(0, 0, 20, 10))
    let report = try report(drawing)
    let part = try #require(report.connectivity.parts.first)
    #expect(part.spaces.isEmpty && part.floors == [0] && part.example == nil)
    #expect(part.squareMetres > 180 && part.squareMetres <= 200)
  }

  @Test func aMapWithoutSpacesIsAWarning() throws {
    var drawing = PlanVenue()
    drawing.floor("f", 0, outline: PlanVenue.rectangle(0, 0, 20, 10))
    drawing.door("in", "f", isEntrance: true, (0, 4), (0, 6))
    let report = try report(drawing)
    #expect(report.findings.map(\.code) == ["no-spaces"] && report.findings[0].severity == .warning)
    #expect(report.sentence.hasPrefix("no spaces, only floors: "))
    #expect(report.remarks.first?.hasPrefix("the map has no rooms or other spaces: ") == true && !report.isComplete)
  }

  @Test(arguments: [([0], "0"), ([0, 1], "0 and 1"), ([0, 1, 2, 5], "0 to 2 and 5"), ([7, 3, 9], "3, 7 and 9")])
  func rangesOfNumbers(numbers: [Int], words: String) {
    #expect(ConnectivityReport.ranges(numbers) == words)
  }
}
