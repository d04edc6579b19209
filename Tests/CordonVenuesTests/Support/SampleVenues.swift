import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonVenues
import Foundation
import Testing

/// The public bundles beside the package.
enum SampleVenues {
  static let folder = Places.realVenues.path

  static let isPresent = Places.hasRealVenues

  static let albert = folder + "/410-albert-mvf1"
  static let school = folder + "/mappedin-school-mvf3/school-demo-multifloor-mvfv3.zip"
  static let office = folder + "/mappedin-office-mvf3/office-demo_mvf-v3.zip"
  static let gare = folder + "/gare-de-l-est-osm/gare-de-l-est.geojson"
  static let westport = folder + "/westport-house-wrld"
}

@Suite(.enabled(if: SampleVenues.isPresent, "the public bundles are not beside the package"))
struct SampleVenueTests {
  @Test(arguments: [
    SampleVenues.albert, SampleVenues.school, SampleVenues.office, SampleVenues.gare, SampleVenues.westport,
  ])
  func everySampleLoads(path: String) throws {
    let loaded = try VenueLoader.load(path: path)
    #expect(!loaded.venue.spaces.isEmpty && !loaded.venue.floors.isEmpty)
    // Nothing refers to what is not there.
    let venue = loaded.venue
    let (floors, spaces) = (Set(venue.floors.map(\.id)), Set(venue.spaces.map(\.id)))
    #expect(venue.spaces.allSatisfy { floors.contains($0.floor) })
    #expect(venue.openings.allSatisfy { floors.contains($0.floor) && spaces.isSuperset(of: $0.spaces) })
    #expect(venue.pointsOfInterest.allSatisfy { spaces.isSuperset(of: $0.spaces) })
    #expect(venue.connections.flatMap(\.landings).allSatisfy { floors.contains($0.floor) })
    #expect(venue.graph?.nodes.allSatisfy { floors.contains($0.floor) } ?? true)
  }
}
