import CordonCore
import CordonTestSupport
import CordonVenues
import Foundation
import Testing

@testable import CordonOverlays

/// Which overlay a map gets.
@Suite("Overlay files")
struct OverlayFileTests {
  /// The sample office in a folder of its own.
  private func office(_ scratch: TemporaryFolder) throws -> String {
    let map = scratch.path("office.mvf.zip")
    try FileManager.default.copyItem(atPath: Places.office, toPath: map)
    return map
  }

  @Test func theOverlayBesideTheMapIsUsed() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    let plain = try OverlaidVenue.load(path: map)
    #expect(plain.overlay == nil)
    #expect(plain.venue == (try VenueLoader.load(path: map).venue))

    _ = try scratch.write("overlay: 1\nspaces: [{space: Canteen, name: Cafe}]\n", to: "office.overlay.yaml")
    let changed = try OverlaidVenue.load(path: map)
    #expect(changed.overlay?.path == scratch.path("office.overlay.yaml"))
    #expect(changed.venue.spaces.contains { $0.name.text() == "Cafe" })
    #expect(try OverlaidVenue.load(path: map, overlay: .none).venue == plain.venue)
  }

  /// Real maps have an order of their own, which decides among equal ways.
  @Test func anOverlayWithoutChangesLeavesARealMapAsItIs() throws {
    let scratch = try TemporaryFolder()
    let empty = try scratch.write("overlay: 1\n", to: "empty.yaml")
    for name in ["office.mvf.zip", "museum.imdf.zip", "station.geojson"] {
      let map = Places.file("venues/\(name)").path
      var loaded = try OverlaidVenue.load(path: map, overlay: .file(empty)).venue
      let plain = try VenueLoader.load(path: map).venue
      loaded.contentHash = plain.contentHash
      #expect(loaded == plain, "\(name)")
    }
  }

  @Test func theHashCoversMapAndOverlay() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    var hashes: Set<String> = [try OverlaidVenue.load(path: map).venue.contentHash]
    for text in ["overlay: 1\n", "overlay: 1\n# note\n", "overlay: 1\nspaces: [{space: Canteen, name: Cafe}]\n"] {
      let overlay = try scratch.write(text, to: "changes.yaml")
      let loaded = try OverlaidVenue.load(path: map, overlay: .file(overlay))
      hashes.insert(loaded.venue.contentHash)
      #expect(try loaded.venue.packed().contentHash == loaded.venue.contentHash)
      #expect(try OverlaidVenue.load(path: map, overlay: .file(overlay)).venue.contentHash == loaded.venue.contentHash)
    }
    #expect(hashes.count == 4)
  }

  @Test func aMissingOrUnreadableOverlayIsAnError() throws {
    let scratch = try TemporaryFolder()
    let map = try office(scratch)
    func code(_ choice: OverlayChoice) -> String? {
      do throws(VenueError) {
        _ = try OverlaidVenue.load(path: map, overlay: choice)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(.file(scratch.path("none.yaml"))) == "not-found")
    #expect(code(.file(scratch.url.path)) == "overlay")
    let beside = scratch.path("office.overlay.yaml")
    try Data([0xFF, 0xFE, 0xFF]).write(to: URL(fileURLWithPath: beside))
    #expect(code(.besideMap) == "overlay")
    // A link to a file that is gone must not mean that there are no rules.
    try FileManager.default.removeItem(atPath: beside)
    try FileManager.default.createSymbolicLink(atPath: beside, withDestinationPath: scratch.path("gone.yaml"))
    #expect(code(.besideMap) == "not-found")
    try FileManager.default.removeItem(atPath: beside)
    #expect(code(.besideMap) == nil)
    _ = try scratch.write("overlay: 1\n", to: "office.overlay.yml")
    #expect(code(.besideMap) == "overlay")
    #expect(code(.none) == nil)
    // An endless file is not read to its end.
    #expect(code(.file("/dev/zero")) == "limit-exceeded")
  }

  @Test(arguments: [
    ("maps/office.mvf.zip", "maps/office.overlay.yaml"), ("office.geojson", "office.overlay.yaml"),
    ("maps/v1.2/", "maps/v1.2.overlay.yaml"), ("maps/office v2.json", "maps/office v2.overlay.yaml"),
    ("maps/.json", "maps/.json.overlay.yaml"), ("tower", "tower.overlay.yaml"),
  ])
  func theNameFollowsThatOfTheMap(map: String, overlay: String) {
    #expect(OverlaidVenue.overlayPath(of: map) == overlay)
  }
}
