import CordonTestSupport
import CordonVenues
import Foundation
import Testing

/// Validation: counts, groups, and a page that explains every code.
struct ValidationTests {
  @Test func countsAndFindingsMatchTheVenue() throws {
    let validation = VenueValidation(try Drawing.load(MVF3Fixture().files))
    #expect(validation.format == .mvf3 && validation.version == "3.0.0" && !validation.hasErrors)
    #expect(validation.floorCount == 2 && validation.spaceCount == 3 && validation.openingCount == 2)
    #expect(validation.connectionCount == 1 && validation.nodeCount == 4)
    let groups = validation.groups
    #expect(groups.reduce(0) { $0 + $1.count } == validation.findings.count && groups.count < validation.findings.count)
    let severities = groups.map(\.first.severity)
    #expect(
      severities == severities.filter { $0 == .error } + severities.filter { $0 == .warning }
        + severities.filter { $0 == .info })
  }

  @Test func unreadableVenuesAreFindings() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("venue.geojson")
    try Data(#"{"type":"#.utf8).write(to: URL(fileURLWithPath: path))
    let validation = try VenueValidation.validate(path: path)
    #expect(validation.hasErrors && validation.format == nil)
    #expect(validation.findings.map(\.code) == ["truncated-json"] && validation.findings[0].action == .refused)
    #expect(validation.findings[0].message.hasSuffix("(at byte 8)"))
    try Data(Drawing.box(0, 0, 5, 5).utf8).write(to: URL(fileURLWithPath: path))
    #expect(try VenueValidation.validate(path: path).spaceCount == 1)
    #expect(throws: VenueError.self) { try VenueValidation.validate(path: "/no/such/venue") }
  }
}
