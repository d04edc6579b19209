internal import CordonCore
internal import CordonWire

/// The body of the published API's `POST /positions`: a bare array of rows.
enum PublishedRows {
  enum Row {
    case row(Location, hasConsent: Bool)
    /// `exchanged`: longitude and latitude the other way round, where only so they are in range.
    case fault(String, exchanged: Coordinate? = nil)
  }

  private struct Draft {
    var device: DeviceID?
    var venue: VenueID?
    var time: Int64?
    var coordinate: Coordinate?
    var exchanged: Coordinate?
    var accuracy: Double?
    var floor: FloorOrdinal?
    var hasConsent = false
    var fault: String?
  }

  /// The rows; `nil` when there are too many. Fails if the body is not a JSON array.
  static func decode(_ body: [UInt8], maximumRows: Int) throws(WireError) -> [Row]? {
    try JSONReader.read(body) { reader throws(WireError) in
      var rows: [Row] = []
      try reader.expect(UInt8(ascii: "["))
      var isFirst = true
      while try reader.nextElement(&isFirst) {
        if rows.count == maximumRows { return nil }
        do throws(WireError) {
          rows.append(try readRow(&reader))
        } catch {
          throw WireError(offset: error.offset, row: rows.count, error.reason)
        }
      }
      try reader.expectEnd()
      return rows
    }
  }

  private static func readRow(_ reader: inout JSONReader) throws(WireError) -> Row {
    guard reader.peek() == UInt8(ascii: "{") else {
      try reader.skipValue()
      return .fault("a row is an object")
    }
    var draft = Draft()
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      let start = reader.position
      do throws(WireError) {
        try readMember(key, &reader, into: &draft)
      } catch {
        if draft.fault == nil { draft.fault = "\(try key.string()): \(error.reason)" }
        reader.position = start
        try reader.skipValue()
      }
    }
    if let fault = draft.fault { return .fault(fault) }
    guard let device = draft.device else { return .fault("device: 1 to 128 printable characters are needed") }
    guard let venue = draft.venue else { return .fault("venue: 1 to 128 of A-Z a-z 0-9 . _ - are needed") }
    guard let time = draft.time else { return .fault("time: milliseconds since 1970 are needed") }
    guard let coordinate = draft.coordinate else {
      return .fault("lonlat: [longitude, latitude] in degrees is needed", exchanged: draft.exchanged)
    }
    guard let accuracy = draft.accuracy, accuracy >= 0, accuracy < 1e7 else {
      return .fault("acc: metres, 0 or more, are needed")
    }
    let instant = Instant(milliseconds: time)
    let id = FixID(device: device, time: instant, coordinate: coordinate, accuracy: accuracy, floor: draft.floor)
    return .row(
      Location(
        id: id, device: device, venue: venue, coordinate: coordinate, accuracy: accuracy, floor: draft.floor,
        time: instant, stillUntil: nil, space: nil, venueHash: ""),
      hasConsent: draft.hasConsent)
  }

  private static func readMember(
    _ key: JSONReader.Text, _ reader: inout JSONReader, into draft: inout Draft
  ) throws(WireError) {
    if key.equals("device") {
      draft.device = DeviceID(try reader.string())
    } else if key.equals("venue") {
      draft.venue = VenueID(try reader.string())
    } else if key.equals("time") {
      // The first clients send it as a fraction.
      let value = try reader.double().rounded()
      guard abs(value) < 9e15 else { throw reader.fault("out of range") }
      draft.time = Int64(value)
    } else if key.equals("lonlat") {
      try reader.expect(UInt8(ascii: "["))
      let longitude = try reader.double()
      try reader.expect(UInt8(ascii: ","))
      let coordinate = Coordinate(longitude: longitude, latitude: try reader.double())
      try reader.expect(UInt8(ascii: "]"))
      let exchanged = coordinate.exchanged
      if coordinate.isValid { draft.coordinate = coordinate } else if exchanged.isValid { draft.exchanged = exchanged }
    } else if key.equals("acc") {
      draft.accuracy = try reader.double()
    } else if key.equals("floor") {
      if try !reader.takeNull() { draft.floor = FloorOrdinal(try reader.double()) }
    } else if key.equals("userConsent") {
      draft.hasConsent = try reader.bool()
    } else {
      try reader.skipValue()
    }
  }
}
