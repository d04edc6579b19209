import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// Archives of many tools, and archives made to do harm.
struct ZipTests {
  private let square = Drawing.collection([Drawing.feature(Drawing.box(0, 0, 10, 10), #""name":"hall""#)])

  private func load(_ builder: ZipBuilder, options: VenueReadOptions = VenueReadOptions()) throws -> LoadedVenue {
    try VenueLoader.load(bytes: builder.bytes(), name: "test.zip", options: options)
  }

  private func code(_ builder: ZipBuilder, options: VenueReadOptions = VenueReadOptions()) -> String? {
    do {
      _ = try VenueLoader.load(bytes: builder.bytes(), name: "test.zip", options: options)
      return nil
    } catch { return error.code }
  }

  @Test(arguments: [false, true])
  func storedAndDeflatedEntriesAreRead(isDeflated: Bool) throws {
    var zip = ZipBuilder()
    zip.add("hall.geojson", square, deflated: isDeflated)
    #expect(try load(zip).venue.spaces.count == 1)
  }

  @Test func wrappingFoldersAndSystemFilesAreIgnored() throws {
    var zip = ZipBuilder()
    zip.entries.append(.init(name: "my venue/", bytes: [], mode: 0x41ED))
    zip.add("my venue/hall.geojson", square)
    zip.add("__MACOSX/my venue/._hall.geojson", "junk")
    zip.add("my venue/.DS_Store", "junk")
    var plain = ZipBuilder()
    plain.add("hall.geojson", square)
    #expect(try load(zip).venue.contentHash == load(plain).venue.contentHash)
  }

  @Test func backslashesSeparateFolders() throws {
    var zip = ZipBuilder()
    for (name, text) in MVF3Fixture().files { zip.add(name.split(separator: "/").joined(separator: "\\"), text) }
    #expect(try load(zip).venue.format == .mvf3)
  }

  @Test func namesAreCaseInsensitive() throws {
    var zip = ZipBuilder()
    for (name, text) in MVF3Fixture().files.sorted(by: { $0.key < $1.key }) { zip.add(name.uppercased(), text) }
    #expect(try load(zip).venue.spaces.count == 3)
  }

  @Test func wideSizesAndDataDescriptorsAreRead() throws {
    var zip = ZipBuilder()
    zip.entries.append(.init(name: "hall.geojson", bytes: Array(square.utf8), isDeflated: true, isWide: true))
    zip.hasWideEnd = true
    #expect(try load(zip).venue.spaces.count == 1)
    zip = ZipBuilder()
    zip.entries.append(.init(name: "hall.geojson", bytes: Array(square.utf8), isDeflated: true, hasDescriptor: true))
    zip.comment = Array("packed by hand".utf8)
    #expect(try load(zip).venue.spaces.count == 1)
  }

  @Test(arguments: [
    "../hall.geojson", "a/../../hall.geojson", "/etc/hall.geojson", "C:\\hall.geojson", "..\\hall.geojson",
    "a\u{0}b.geojson",
  ])
  func namesThatLeadOutOfTheBundleAreRefused(name: String) {
    var zip = ZipBuilder()
    zip.add(name, square)
    #expect(code(zip) == "unsafe-name")
  }

  @Test func linksAreNotFollowed() throws {
    var zip = ZipBuilder()
    zip.add("hall.geojson", square)
    zip.entries.append(.init(name: "passwd.json", bytes: Array("/etc/passwd".utf8), mode: 0xA1FF))
    #expect(try load(zip).count("link-ignored") == 1)
  }

  @Test func twoFilesOfOneNameAreRefused() {
    var zip = ZipBuilder()
    zip.add("hall.geojson", square)
    zip.add("Hall.geojson", square)
    #expect(code(zip) == "duplicate-name")
  }

  @Test func encryptedEntriesAndUnknownMethodsAreRefused() {
    var zip = ZipBuilder()
    zip.entries.append(.init(name: "hall.geojson", bytes: Array(square.utf8), flags: 1))
    #expect(code(zip) == "unsupported-zip")
    zip.entries[0] = .init(name: "hall.geojson", bytes: Array(square.utf8), method: 14)
    #expect(code(zip) == "unsupported-zip")
  }

  @Test func wrongChecksumsAndSizesAreRefused() {
    var zip = ZipBuilder()
    zip.entries.append(.init(name: "hall.geojson", bytes: Array(square.utf8), isDeflated: true, crc: 1))
    #expect(code(zip) == "malformed-zip")
    zip.entries[0].crc = nil
    zip.entries[0].declaredSize = square.utf8.count + 1
    #expect(code(zip) == "malformed-zip")
  }

  @Test func aDeclaredBombIsRefusedBeforeUnpacking() {
    var zip = ZipBuilder()
    zip.entries.append(
      .init(
        name: "hall.geojson", bytes: [UInt8](repeating: 0x20, count: 1 << 20), isDeflated: true, declaredSize: 1 << 40,
        isWide: true))
    #expect(code(zip) == "limit-exceeded")
    // 8 MiB of spaces pack a thousandfold.
    zip.entries[0] = .init(name: "hall.geojson", bytes: [UInt8](repeating: 0x20, count: 8 << 20), isDeflated: true)
    #expect(code(zip) == "limit-exceeded")
  }

  @Test func aHiddenBombUnpacksOnlyItsDeclaredSize() {
    var zip = ZipBuilder()
    zip.entries.append(
      .init(name: "hall.geojson", bytes: [UInt8](repeating: 0x20, count: 8 << 20), isDeflated: true, declaredSize: 100))
    #expect(code(zip) == "malformed-zip")
  }

  @Test func limitsOnFilesBytesAndEntriesAreEnforced() {
    var zip = ZipBuilder()
    zip.add("a.geojson", square)
    zip.add("b.geojson", square)
    var options = VenueReadOptions()
    options.limits.entries = 1
    #expect(code(zip, options: options) == "limit-exceeded")
    options = VenueReadOptions()
    options.limits.bytesPerFile = square.utf8.count - 1
    #expect(code(zip, options: options) == "limit-exceeded")
    options = VenueReadOptions()
    options.limits.totalBytes = square.utf8.count * 2 - 1
    #expect(code(zip, options: options) == "limit-exceeded")
    options.limits.totalBytes += 1
    #expect(code(zip, options: options) == nil)
  }

  @Test func aHundredThousandEntriesAreRefused() {
    var zip = ZipBuilder()
    zip.hasWideEnd = true
    for index in 0..<100_000 { zip.entries.append(.init(name: "\(index).json", bytes: [])) }
    #expect(code(zip) == "limit-exceeded")
  }

  @Test func emptyArchivesAndArchivesWithoutAMapAreRefused() {
    #expect(code(ZipBuilder()) == "empty-bundle")
    var zip = ZipBuilder()
    zip.add("readme.txt", "nothing here")
    #expect(code(zip) == "empty-bundle")
  }

  @Test func everyTruncationIsAnError() {
    var zip = ZipBuilder()
    zip.add("venue/hall.geojson", square, deflated: true)
    zip.add("venue/b.json", "{}")
    let whole = zip.bytes()
    for length in 0..<whole.count {
      #expect(throws: VenueError.self) {
        try VenueLoader.load(bytes: Array(whole[..<length]), name: "cut.zip")
      }
    }
  }

  @Test func everyChangedByteIsReadOrRefused() {
    var zip = ZipBuilder()
    zip.entries.append(.init(name: "hall.geojson", bytes: Array(square.utf8), isDeflated: true, isWide: true))
    zip.hasWideEnd = true
    let whole = zip.bytes()
    var refused = 0
    for index in whole.indices {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = whole
        bytes[index] ^= change
        do { _ = try VenueLoader.load(bytes: bytes, name: "changed.zip") } catch { refused += 1 }
      }
    }
    #expect(refused > whole.count)
  }
}
