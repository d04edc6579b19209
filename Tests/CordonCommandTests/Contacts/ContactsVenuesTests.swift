import CordonTestSupport
import Foundation
import Testing

@Suite("cordon contacts with several venues")
struct ContactsVenuesTests {
  private func json(_ arguments: [String]) throws -> [String: Any] {
    let result = try CordonProcess.run(["contacts"] + arguments + ["--json"])
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return try result.json()
  }

  /// A pair that meets for ten minutes in each of two venues is one pair, of twenty minutes.
  @Test func aPairThatMeetsInTwoVenuesCountsOnce() throws {
    let scratch = try TemporaryFolder()
    var text = "venue,device,t_ms,x,y,still_until\n"
    for (venue, start) in [("south", 0), ("north", 3_600_000)] {
      for (device, x) in [("a", 0), ("b", 1)] {
        text += "\(venue),\(device),\(start),\(x),0,\(start + 600_000)\n"
      }
    }
    let path = try scratch.write(text, to: "points.csv")
    let found = try json(["find", path, "-o", scratch.path("rows.jsonl")])
    #expect(found["pairs"] as? Int == 1 && found["contacts"] as? Int == 2)
    #expect(found["pairs_15min"] as? Int == 1 && found["overlap_s"] as? Double == 1_200)
    #expect(try json(["network", path])["pairs"] as? Int == 1)
    #expect(try json(["exposures", path])["exposures"] as? Int == 1)
    // Venue by venue, by name.
    #expect(try scratch.rows("rows.jsonl").map { $0["venue"] as? String } == ["north", "south"])
  }

  /// Two fixes in a venue with one elsewhere between them are not joined, and a fix elsewhere ends a rest. A fix that
  /// is not joined to another is an instant, and can touch.
  @Test func fixesElsewhereEndTracks() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(
      """
      venue,device,t_ms,x,y,still_until
      north,a,0,0,0,
      south,a,10000,0,0,
      north,a,20000,0,0,
      north,a,100000,0,0,400000
      south,a,250000,0,0,
      north,b,0,1,0,900000
      south,c,250000,0,0,
      north,c,250000,50,0,

      """, to: "points.csv")
    let result = try CordonProcess.run(["contacts", "find", path, "--json", "-o", scratch.path("rows.jsonl")])
    #expect(result.status == 0, "\(result.errors)")
    let rows = try scratch.rows("rows.jsonl")
    #expect(rows.map { $0["venue"] as? String } == ["north", "north", "north", "south"])
    #expect(
      rows.map { $0["start"] as? String } == [
        "1970-01-01T00:00:00.000000Z", "1970-01-01T00:00:20.000000Z", "1970-01-01T00:01:40.000000Z",
        "1970-01-01T00:04:10.000000Z",
      ])
    #expect(rows.map { $0["duration_s"] as? Double } == [0, 0, 150, 0])
    #expect(try result.json()["points"] as? Int == 8)
    #expect(try result.json()["conflicting"] as? Int == 1)
    #expect(result.errors.contains("1 time a device was in two venues at once"), "\(result.errors)")
    #expect(result.errors.contains("  c at 1970-01-01T00:04:10.000Z\n"))
  }
}
