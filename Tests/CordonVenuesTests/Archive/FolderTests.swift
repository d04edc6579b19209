import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonVenues
import Foundation
import Testing

/// Folders and single files on disk.
struct FolderTests {
  /// A temporary folder with some files.
  private struct Scratch {
    let folder: TemporaryFolder
    var path: String { folder.path("venue") }

    init(_ files: [String: String]) throws {
      folder = try TemporaryFolder()
      for (name, text) in files {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
    }
  }

  @Test func aZipAndAFolderOfEqualFilesAreEqualVenues() throws {
    let files = MVF3Fixture().files
    let folder = try Scratch(files)
    try Data("not part of the map".utf8).write(to: URL(fileURLWithPath: folder.path + "/SOURCE.txt"))
    let fromFolder = try VenueLoader.load(path: folder.path)
    let fromZip = try VenueLoader.load(bytes: ZipBuilder.zip(files, deflated: true))
    #expect(fromFolder.venue == fromZip.venue)
    let zipPath = folder.path + ".zip"
    try Data(ZipBuilder.zip(files)).write(to: URL(fileURLWithPath: zipPath))
    defer { try? FileManager.default.removeItem(atPath: zipPath) }
    #expect(try VenueLoader.load(path: zipPath).venue == fromZip.venue)
  }

  @Test func theHashDependsOnContentsAndNames() throws {
    var files = MVF3Fixture().files
    let hash = try Drawing.load(files).venue.contentHash
    files["locations.json"]? += " "
    #expect(try Drawing.load(files).venue.contentHash != hash)
    files = MVF3Fixture().files
    files["extra.json"] = "{}"
    #expect(try Drawing.load(files).venue.contentHash != hash)
  }

  @Test func linksInAFolderAreNotFollowed() throws {
    let folder = try Scratch(["hall.geojson": Drawing.box(0, 0, 5, 5)])
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/b.json", withDestinationPath: "/etc/passwd")
    #expect(try VenueLoader.load(path: folder.path).count("link-ignored") == 1)
  }

  @Test func missingFilesAndEmptyFoldersAreNamed() throws {
    #expect(throws: VenueError(code: "not-found", file: "/no/such.zip", message: "no such file or folder")) {
      try VenueLoader.load(path: "/no/such.zip")
    }
    let folder = try Scratch(["readme.txt": "hello"])
    let error = #expect(throws: VenueError.self) { try VenueLoader.load(path: folder.path) }
    #expect(error?.code == "empty-bundle")
    #expect(error?.file == folder.path)
  }

  @Test func anEmptyFileIsNamed() throws {
    let folder = try Scratch(["empty.geojson": ""])
    let error = #expect(throws: VenueError.self) { try VenueLoader.load(path: folder.path + "/empty.geojson") }
    #expect(error?.code == "empty-bundle")
  }

  @Test func aFileBeyondTheLimitIsRefused() throws {
    let folder = try Scratch(["hall.geojson": Drawing.box(0, 0, 5, 5)])
    var options = VenueReadOptions()
    options.limits.bytesPerFile = 10
    #expect(throws: VenueError.self) { try VenueLoader.load(path: folder.path, options: options) }
    options.limits.totalBytes = 10
    #expect(throws: VenueError.self) { try VenueLoader.load(path: folder.path + "/hall.geojson", options: options) }
  }
}
