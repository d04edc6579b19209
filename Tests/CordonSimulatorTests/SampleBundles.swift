import CordonVenues
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The public bundles beside the package.
enum SampleBundle: String, CaseIterable, CustomTestStringConvertible {
  case albert = "410-albert-mvf1"
  case school = "mappedin-school-mvf3/school-demo-multifloor-mvfv3.zip"
  case office = "mappedin-office-mvf3/office-demo_mvf-v3.zip"
  case station = "gare-de-l-est-osm/gare-de-l-est.geojson"

  static let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/shared/venues"
  static let arePresent = access(folder, R_OK) == 0

  var testDescription: String { "\(self)" }

  func venue() throws -> Venue { try VenueLoader.load(path: SampleBundle.folder + "/" + rawValue).venue }
}
