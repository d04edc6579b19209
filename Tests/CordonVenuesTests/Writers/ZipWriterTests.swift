import Testing

@testable import CordonVenueTools
@testable import CordonVenues

@Suite struct ZipWriterTests {
  @Test func writtenDataReadsBack() throws {
    var random = RandomBytes(state: 7)
    let files = [
      VenueFile(name: "empty.txt", bytes: []), VenueFile(name: "folder/näme.json", bytes: Array("{}".utf8)),
      VenueFile(name: "zeros", bytes: [UInt8](repeating: 0, count: 300_000)),
      VenueFile(name: "noise", bytes: (0..<50_000).map { _ in random.next() }),
    ]
    let bytes = try ZipWriter.zip(files)
    // Zeros shrink, noise does not grow by more than its headers.
    #expect(bytes.count < 51_500)
    var limits = VenueLimits()
    limits.compressionRatio = 10_000
    let archive = try ZipArchive(bytes, file: "test.zip", limits: VenueLimits())
    #expect(archive.entries.map(\.name) == files.map(\.name))
    for (entry, file) in zip(archive.entries, files) {
      #expect(entry.size == file.bytes.count)
      #expect(entry.method == (file.name == "zeros" ? 8 : entry.method))
      #expect(try ZipInflate.unpack(entry, of: archive, limits: limits) == file.bytes)
    }
    #expect(try ZipWriter.zip(files) == bytes)
  }

  private struct RandomBytes {
    var state: UInt64
    mutating func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }
}
