import CordonCore
import CordonTestSupport
import CordonVenues
import Foundation
import Testing

/// Every file of the fuzzing corpus is read or refused, as it was when it was added.
struct CorpusTests {
  static let folder = Places.file("Tests/CordonVenuesTests/Corpus")

  static let files: [String] = {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.contains(".") && !$0.hasPrefix(".") }.sorted()
  }()

  @Test func theCorpusHasSeedsOfEveryReader() {
    let folders = Set(Self.files.compactMap { $0.split(separator: "/").first.map(String.init) })
    #expect(folders == ["archive", "mvf-1", "mvf-2", "mvf-3", "imdf", "wrld", "geojson"])
  }

  @Test(arguments: files)
  func everyCorpusFileIsReadOrRefused(file: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(file)))
    let target = String(file.split(separator: "/")[0])
    do throws(VenueError) {
      let loaded =
        target == "archive"
        ? try VenueLoader.load(bytes: bytes, name: file)
        : try VenueLoader.load(
          files: BundleText.files(bytes), as: target == "geojson" ? nil : VenueFormat(rawValue: target))
      #expect(loaded.venue.format.rawValue == target || target == "archive" || target == "geojson")
      #expect(!file.contains("/bad-"), "\(file) should be refused")
    } catch {
      #expect(!file.contains("/valid-"), "\(error)")
      #expect(!error.code.isEmpty && !error.message.isEmpty)
    }
  }
}

/// A venue never refers to parts that it lacks, whatever a reader missed.
struct VenueIntegrityTests {
  @Test func objectsWithoutFloorsAndDanglingReferencesAreDropped() throws {
    let own = CorpusTests.folder.appendingPathComponent("geojson/valid-own.geojson")
    let loaded = try VenueLoader.load(bytes: [UInt8](try Data(contentsOf: own)), name: "own.geojson")
    let venue = loaded.venue
    #expect(venue.spaces.map(\.id.rawValue) == ["s"] && venue.openings[0].spaces.map(\.rawValue) == ["s"])
    #expect(venue.connections[0].landings.count == 1)
    #expect(loaded.count("dangling-reference") >= 2)
  }
}
