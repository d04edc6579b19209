import CordonCore
import CordonGeometry
import Foundation
import Testing

@testable import CordonVenues

@Suite struct DumpTests {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["DUMP"] != nil)) func dump() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["DUMP"])
    for (kind, floors, seed) in [
      (VenueGenerator.Kind.office, 3, 7), (.mall, 3, 1), (.museum, 2, 1), (.hospital, 2, 1), (.station, 3, 1),
      (.campus, 2, 1),
    ] as [(VenueGenerator.Kind, Int, UInt64)] {
      let venue = try VenueGenerator.generate(kind: kind, floors: floors, area: kind.usualArea, seed: seed)
      if kind == .office { try Data(VenueWriter.bytes(of: venue, as: .mvf3)).write(to: URL(fileURLWithPath: "\(folder)/office.mvf.zip")) }
      for floor in venue.floors {
        try Data(FloorRenderer.svg(of: floor.id, in: venue).utf8).write(
          to: URL(fileURLWithPath: "\(folder)/\(kind.rawValue)-\(floor.id).svg"))
      }
    }
  }
}
