import CordonCore
import CordonGeometry
import CordonTestSupport
import Foundation
import Testing

@testable import CordonIngest

@Suite("Venues with overlays")
struct OverlaidVenueTests {
  /// A rule about recording in an overlay must hold on the server and in every app that it serves.
  @Test func aVenueIsServedWithItsOverlay() throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    try FileManager.default.copyItem(atPath: Places.office, toPath: folder + "/office.mvf.zip")
    let plain = try #require(VenueCatalog.load(folder: folder).catalog.venues.values.first)
    #expect(plain.bundle != nil)
    func canteen(_ venue: ServedVenue) -> GateVerdict.Recording? {
      try? PackedVenue(decoding: venue.packed).spaces.first { $0.kind == "restaurant" }?.recording
    }
    #expect(canteen(plain) == .full)
    _ = try scratch.write("overlay: 1\nspaces: [{space: Canteen, record: false}]\n", to: "office.overlay.yaml")
    let (catalog, refused) = VenueCatalog.load(folder: folder)
    let served = try #require(catalog.venues.values.first)
    #expect(refused.isEmpty && catalog.venues.count == 1)
    #expect(canteen(served) == .unrecorded)
    #expect(served.packed != plain.packed)
    // The map alone would record there.
    #expect(served.bundle == nil)
    // An overlay that no map has may belong to a renamed one.
    _ = try scratch.write("overlay: 1\n", to: "Office.overlay.yaml")
    #expect(VenueCatalog.load(folder: folder).refused.map(\.path) == [folder + "/Office.overlay.yaml"])
    // Without a readable overlay the map is not served in its place.
    _ = try scratch.write("overlay: 1\nspaces: [{space: Cantine, record: false}]\n", to: "office.overlay.yaml")
    #expect(VenueCatalog.load(folder: folder).catalog.ids.isEmpty)
    #expect(
      VenueCatalog.load(folder: folder, keeping: catalog).catalog.venues.values.first.flatMap(canteen) == .unrecorded)
  }
}
