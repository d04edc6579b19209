import CordonContacts
import CordonCore
import CordonExchange
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServerCommand

@Suite("Exported positions", .timeLimit(.minutes(10)))
struct ExportPositionsTests {
  @Test func positionsOfDaysAndVenuesAreATable() async throws {
    try await LiveServer.with { server in
      for name in ["phone-2", "phone-1"] {
        let bearer = ["authorization": "Bearer \(try await server.token(name))"]
        _ = try await server.send("POST", "/v1/positions", try server.batch(name, 25), bearer)
      }
      let (data, file) = (server.folder + "/data", server.folder + "/positions.arrow")
      let store = try SQLitePositionStore(path: data + "/cordon.sqlite")
      let venue = try #require(try store.venues().first)
      let export = ["export-positions", "--data", data, "-o"]
      let end = try await Program.run(Program.server, export + [file])
      #expect(end.status == 0 && end.output.contains("50 rows"), "\(end)")
      let table = try PointFiles.read([PointFile(path: file)])
      #expect(table.devices == ["phone-1", "phone-2"] && table.pointCount == 50 && table.badRowCount == 0)
      #expect(table.groups.map(\.venue) == [venue.id.rawValue])
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      // By device and time, page by page.
      var bytes: [UInt8] = []
      let span = Int64.min...Int64.max
      let pages = PositionExport(
        store: store, venues: [(venue.number, venue.id)], spans: [span], isFile: true, pageSize: 7)
      #expect(try pages.write { bytes += $0 } == 50)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(bytes))
      let times = table.groups[0].points.map { ($0.device, $0.time) }
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      // A file that exists, another day, another venue, and what is neither.
      #expect(try await Program.run(Program.server, export + [file]).status == 2)
      let other = server.folder + "/other.arrow"
      let day = try await Program.run(Program.server, export + [other, "--day", "1999-12-31"])
      #expect(day.status == 0 && day.output.contains("0 rows"), "\(day)")
      for wrong in [["--venue", "nowhere"], ["--day", "yesterday"], ["--day", "2026-02-30"]] {
        let path = server.folder + "/none.arrow"
        let end = try await Program.run(Program.server, export + [path] + wrong)
        #expect(end.status == 2 && !FileManager.default.fileExists(atPath: path), "\(wrong), \(end)")
      }
    }
  }
}
