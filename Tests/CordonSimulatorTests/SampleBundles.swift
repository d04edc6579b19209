import CordonTestSupport
import CordonVenues
import Foundation
import Testing

/// The public bundles beside the package.
enum SampleBundle: String, CaseIterable, CustomTestStringConvertible {
  case albert = "410-albert-mvf1"
  case school = "mappedin-school-mvf3/school-demo-multifloor-mvfv3.zip"
  case office = "mappedin-office-mvf3/office-demo_mvf-v3.zip"
  case station = "gare-de-l-est-osm/gare-de-l-est.geojson"

  static let folder = Places.realVenues.path
  static let arePresent = Places.hasRealVenues

  var testDescription: String { "\(self)" }

  func venue() throws -> Venue { try VenueLoader.load(path: SampleBundle.folder + "/" + rawValue).venue }
}
