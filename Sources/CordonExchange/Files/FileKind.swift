internal import CordonCore

/// The kind of a file, detected from its first bytes; the name does not matter.
enum FileKind: Hashable {
  /// A recording in a format of traces. The formats in JSON are distinguished later.
  case trace(TraceFormat)
  /// Rows with a header, or text that may be.
  case table
  /// One JSON object a line, or text that may be.
  case jsonLines
  /// A format that is not read, and what to do about it.
  case foreign(name: String, advice: String)
  /// Bytes that are not text.
  case binary
  /// Text of an unknown kind.
  case unknown

  /// The number of bytes that decide.
  static let headLength = 8_192

  /// Detects the kind from the beginning of a file.
  init(of head: UnsafeBufferPointer<UInt8>) {
    if let found = FileKind.magic(head) {
      self = found
      return
    }
    // XML and JSON may begin with a comment, or with long values.
    var decided = head.prefix(FileKind.headLength)
    // Not the half of a character.
    if decided.count < head.count { while let last = decided.last, last >= 0x80 { decided.removeLast() } }
    let text = String(decoding: decided, as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    switch start.first {
    case nil: self = .unknown
    case "<": self = FileKind.markup(start)
    case "{", "[": self = FileKind.json(start)
    default: self = FileKind.lines(start)
    }
  }

  // MARK: Bytes

  private static let export = "export it as CSV, JSON Lines or GeoJSON"
  private static let arrowAdvice = export + "; cordon contacts reads it with --input-format arrow"

  private static func magic(_ head: UnsafeBufferPointer<UInt8>) -> FileKind? {
    func begins(_ word: String, at place: Int = 0) -> Bool {
      head.dropFirst(place).starts(with: Array(word.utf8))
    }
    func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
    if begins("PAR1") { return .foreign(name: "Parquet", advice: export) }
    if begins("SQLite format 3\u{0}") {
      return .foreign(name: begins("GPKG", at: 68) ? "a GeoPackage" : "a SQLite database", advice: export)
    }
    if begins("PK\u{3}\u{4}") {
      let text = String(decoding: head.prefix(4_096), as: Unicode.ASCII.self)
      if text.contains("xl/") || text.contains("[Content_Types].xml") {
        return .foreign(name: "an Excel workbook", advice: "save the sheet as CSV")
      }
      if text.contains(".kml") { return .foreign(name: "KMZ", advice: "unpack it and give the .kml file in it") }
      return .foreign(name: "a zip archive", advice: "unpack it and give the file in it")
    }
    let others: [([UInt8], String, String)] = [
      ([0x1F, 0x8B], "compressed twice with gzip", "unpack it once"),
      ([0x89, 0x50, 0x4E, 0x47], "a PNG picture", "give a recording"),
      ([0xFF, 0xD8, 0xFF], "a JPEG picture", "give a recording"),
      (Array("%PDF".utf8), "PDF", "give a recording"), (Array("ARROW1".utf8), "Arrow", arrowAdvice),
      (Array("FEA1".utf8), "Feather", export), ([0xFF, 0xFF, 0xFF, 0xFF], "an Arrow stream", arrowAdvice),
      ([0x89, 0x48, 0x44, 0x46], "HDF5", export), (Array("CDF".utf8) + [1], "NetCDF", export),
      (Array("BZh".utf8), "compressed with bzip2", "unpack it"),
      ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd", "unpack it"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz", "unpack it"),
      ([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive", "unpack it"),
      ([0x7F, 0x45, 0x4C, 0x46], "a program", "give a recording"),
    ]
    for (bytes, name, advice) in others where begins(bytes) { return .foreign(name: name, advice: advice) }
    if begins(".FIT", at: 8) { return .foreign(name: "FIT", advice: "convert it to GPX") }
    return head.prefix(headLength).contains(0) ? .binary : nil
  }

  // MARK: Text

  /// By the root element: names of other vocabularies may stand in it.
  private static func markup(_ text: Substring) -> FileKind {
    var rest = text
    while let mark = rest.firstIndex(of: "<") {
      rest = rest[mark...].dropFirst()
      if rest.hasPrefix("!--") {
        rest = rest.ends(after: "-->")
      } else if rest.first == "?" {
        rest = rest.ends(after: "?>")
      } else if rest.first == "!" {
        if rest.dropFirst().lowercased().hasPrefix("doctype html") {
          return .foreign(name: "HTML", advice: "give a recording")
        }
        rest = rest.ends(after: ">")
      } else {
        let name = rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        switch name.split(separator: ":").last?.lowercased() {
        case "gpx": return .trace(.gpx)
        case "kml": return .trace(.kml)
        case "html": return .foreign(name: "HTML", advice: "give a recording")
        case "trainingcenterdatabase": return .foreign(name: "TCX", advice: "convert it to GPX")
        default: return .foreign(name: "XML, but neither GPX nor KML", advice: "convert it to GPX")
        }
      }
    }
    return .unknown
  }

  /// By the members that only these formats have.
  private static func json(_ text: Substring) -> FileKind {
    func has(_ member: String, _ values: String...) -> Bool {
      var rest = text
      while let place = rest.firstRange(ofASCII: "\"\(member)\"") {
        rest = rest[place.upperBound...]
        let value = rest.drop { $0.isWhitespace }
        guard value.first == ":" else { continue }
        let found = value.dropFirst().drop { $0.isWhitespace }
        if values.isEmpty || values.contains(where: { found.hasPrefix("\"\($0)\"") }) { return true }
      }
      return false
    }
    if has("method"), has("path") { return .trace(.capture) }
    if has("_type") { return .trace(.owntracks) }
    if has("locations") { return .trace(.overland) }
    if has("temporalGeometry") { return .trace(.mfJSON) }
    if has("type", "FeatureCollection", "Feature", "GeometryCollection") { return .trace(.geojson) }
    if has("lonlat") { return .trace(.ingest) }
    if has("coordinates"), has("type") { return .trace(.geojson) }
    return .jsonLines
  }

  /// Whether a scalar is a control other than spaces and line ends, which shows that the file is binary.
  private static func isOfNoText(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !(9...13).contains(scalar.value) && scalar.value != 0x1A
  }

  private static func lines(_ text: Substring) -> FileKind {
    if text.hasPrefix("Geolife trajectory") { return .table }
    let lines = text.split(whereSeparator: \.isNewline).prefix(40)
    // Before anything else: a log may begin in the middle of a sentence, which has commas and letters as a table has.
    if lines.contains(where: isSentence) { return .trace(.nmea) }
    if let first = lines.first, isOwnTracksRecord(first) { return .trace(.owntracks) }
    for line in lines.prefix(20) {
      if line.hasPrefix("#") { continue }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ";" })
      if words.count >= 4, words.prefix(4).allSatisfy({ Double($0) != nil }) { return .trace(.jupedsim) }
      let hasMark = line.contains { ",;\t|".contains($0) }
      if hasMark, line.contains(where: \.isLetter), !line.unicodeScalars.contains(where: isOfNoText) { return .table }
    }
    return text.unicodeScalars.contains { isOfNoText($0) || $0 == "\u{FFFD}" } ? .binary : .unknown
  }

  /// `$GPRMC,`: a talker and a sentence, or a longer name of a maker's when a checksum follows.
  private static func isSentence(_ line: Substring) -> Bool {
    guard let dollar = line.lastIndex(of: "$") else { return false }
    let name = line[line.index(after: dollar)...].prefix { $0 != "," }
    guard name.utf8.count < line.utf8.count, name.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }) else {
      return false
    }
    let hasSum = line.dropLast(line.last == "\r" ? 1 : 0).suffix(3).first == "*"
    return (4...6).contains(name.utf8.count) || hasSum && (4...9).contains(name.utf8.count)
  }

  /// A line of a file of the OwnTracks recorder: a time, what it is, and a message.
  static func isOwnTracksRecord(_ line: Substring) -> Bool {
    let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && Timestamp(parts[0]) != nil && parts[2].drop { $0 == " " }.first == "{"
  }
}

extension FileKind {
  /// The name of the format, for messages: `GPX`.
  var name: String? {
    switch self {
    case .trace(let format): format.title
    case .foreign(let name, _): name
    case .binary: "binary and not of a known format"
    case .table, .jsonLines, .unknown: nil
    }
  }
}

extension TraceFormat {
  /// Whether it is XML, which is never rows.
  var isMarkup: Bool { self == .gpx || self == .kml }

  /// The usual name of the format.
  var title: String {
    switch self {
    case .gpx: "GPX"
    case .nmea: "NMEA"
    case .geojson: "GeoJSON"
    case .mfJSON: "MF-JSON"
    case .kml: "KML"
    case .csv: "CSV"
    case .overland: "a body of Overland"
    case .owntracks: "OwnTracks messages"
    case .ingest: "rows of the ingest API"
    case .jupedsim: "a text trajectory"
    case .capture: "captured requests"
    }
  }
}

extension Substring {
  /// The text after a word; empty when the word does not occur.
  fileprivate func ends(after word: String) -> Substring {
    guard let place = firstRange(ofASCII: word) else { return self[endIndex...] }
    return self[place.upperBound...]
  }

  fileprivate func firstRange(ofASCII word: String) -> Range<Index>? {
    let word = Array(word.utf8)
    guard let first = word.first else { return nil }
    var place = startIndex
    while let found = utf8[place...].firstIndex(of: first) {
      if utf8[found...].starts(with: word) { return found..<utf8.index(found, offsetBy: word.count) }
      place = utf8.index(after: found)
    }
    return nil
  }
}
