import CordonCore

/// Reads rows; remembers the texts of the last one, as neighbours in a batch have most of them in common.
struct RowReader {
  private var reader: JSONReader
  private var lastDevice: (JSONReader.Text, DeviceID)?
  private var lastVenue: (JSONReader.Text, VenueID)?
  private var lastHash: (JSONReader.Text, String)?
  private var lastSpace: (JSONReader.Text, SpaceID)?

  init(_ reader: JSONReader) { self.reader = reader }

  mutating func readBatch() throws(WireError) -> [PositionBatch.Row] {
    try reader.expect(UInt8(ascii: "{"))
    var rows: [PositionBatch.Row]?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if key.equals("rows") { rows = try readRows() } else { try reader.skipValue() }
    }
    try reader.expectEnd()
    guard let rows else { throw WireError(offset: 0, "no member \"rows\"") }
    return rows
  }

  private mutating func readRows() throws(WireError) -> [PositionBatch.Row] {
    try reader.expect(UInt8(ascii: "["))
    var rows: [PositionBatch.Row] = []
    rows.reserveCapacity(min((reader.bytes.count - reader.position) / 160, PositionBatch.maximumRows))
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      if rows.count == PositionBatch.maximumRows {
        throw WireError(.tooManyRows, offset: reader.position, "more than \(PositionBatch.maximumRows) rows")
      }
      do {
        rows.append(try readRow(rows.count))
      } catch {
        throw WireError(error.kind, offset: error.offset, row: rows.count, error.reason, field: error.field)
      }
    }
    return rows
  }

  /// The values of one row. The first value that is out of range makes it a fault; the rest is still JSON.
  private struct Draft {
    var id: FixID?
    var device: DeviceID?
    var venue: VenueID?
    var time: Int64?
    var longitude: Double?
    var latitude: Double?
    var accuracy: Double?
    var floor: FloorOrdinal?
    var stillUntil: Int64?
    var space: SpaceID?
    var hash = ""
    var isMocked = false
    var fault: WireError?
  }

  private mutating func readRow(_ number: Int) throws(WireError) -> PositionBatch.Row {
    let start = reader.position
    guard reader.peek() == UInt8(ascii: "{") else {
      try reader.skipValue()
      return .fault(nil, WireError(offset: start, row: number, "a row is an object"))
    }
    var draft = Draft()
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      let offset = reader.position
      do throws(WireError) {
        try readMember(key, into: &draft)
      } catch {
        // The value is not what it should be; it may still be JSON, and then only this row is lost.
        if draft.fault == nil { draft.fault = try fault(of: key, error, row: number) }
        reader.position = offset
        do throws(WireError) {
          try reader.skipValue()
        } catch {
          throw try fault(of: key, error, row: number)
        }
      }
    }
    if let fault = draft.fault { return .fault(draft.id, fault) }
    func missing(_ name: String) -> PositionBatch.Row {
      .fault(draft.id, WireError(offset: start, row: number, "no member \"\(name)\"", field: name))
    }
    guard let device = draft.device else { return missing("device") }
    guard let time = draft.time else { return missing("time") }
    guard let longitude = draft.longitude, let latitude = draft.latitude else { return missing("lonlat") }
    guard let accuracy = draft.accuracy else { return missing("acc") }
    guard let venue = draft.venue else { return missing("venue") }
    let coordinate = Coordinate(longitude: longitude, latitude: latitude)
    let instant = Instant(milliseconds: time)
    let id =
      draft.id
      ?? FixID(device: device, time: instant, coordinate: coordinate, accuracy: accuracy, floor: draft.floor)
    return .location(
      Location(
        id: id, device: device, venue: venue, coordinate: coordinate, accuracy: accuracy, floor: draft.floor,
        time: instant, stillUntil: draft.stillUntil.map(Instant.init(milliseconds:)), space: draft.space,
        venueHash: draft.hash, isMocked: draft.isMocked))
  }

  /// The fault of a value, with the name of its member.
  private func fault(of key: JSONReader.Text, _ error: WireError, row: Int) throws(WireError) -> WireError {
    // A name that a client made up may be of any length.
    let name = String(try key.string().prefix(64))
    return WireError(
      error.kind, offset: error.offset, row: row, "\(name): \(error.reason)", field: name, exchanged: error.exchanged)
  }

  private mutating func readMember(_ key: JSONReader.Text, into draft: inout Draft) throws(WireError) {
    if key.equals("id") {
      let text = try reader.text()
      guard let id = FixID(parsing: text.bytes) else { throw WireError(offset: text.offset, "expected a UUID") }
      draft.id = id
    } else if key.equals("device") {
      draft.device = try device()
    } else if key.equals("time") {
      draft.time = try reader.integer()
    } else if key.equals("lonlat") {
      try readCoordinate(into: &draft)
    } else if key.equals("acc") {
      let offset = reader.position
      let value = try reader.double()
      guard value >= 0, value < 1e7 else { throw WireError(offset: offset, "must be 0 ... 10 000 000 m") }
      draft.accuracy = value
    } else if key.equals("floor") {
      if try reader.takeNull() { return }
      let offset = reader.position
      guard let floor = FloorOrdinal(try reader.double()) else {
        throw WireError(offset: offset, "not a floor ordinal")
      }
      draft.floor = floor
    } else if key.equals("still_until") {
      if try !reader.takeNull() { draft.stillUntil = try reader.integer() }
    } else if key.equals("space") {
      if try !reader.takeNull() { draft.space = try space() }
    } else if key.equals("venue") {
      draft.venue = try venue()
    } else if key.equals("mocked") {
      draft.isMocked = try reader.bool()
    } else if key.equals("venue_hash") {
      draft.hash = try hash()
    } else {
      try reader.skipValue()
    }
  }

  private mutating func readCoordinate(into draft: inout Draft) throws(WireError) {
    try reader.expect(UInt8(ascii: "["))
    let offset = reader.position
    let longitude = try reader.double()
    try reader.expect(UInt8(ascii: ","))
    let latitude = try reader.double()
    try reader.expect(UInt8(ascii: "]"))
    guard Coordinate(longitude: longitude, latitude: latitude).isValid else {
      // Only who knows the venue can say whether they were exchanged.
      let exchanged = Coordinate(longitude: latitude, latitude: longitude)
      throw WireError(
        offset: offset, "must be [longitude, latitude] in degrees", exchanged: exchanged.isValid ? exchanged : nil)
    }
    draft.longitude = longitude
    draft.latitude = latitude
  }

  private mutating func device() throws(WireError) -> DeviceID {
    let text = try reader.text()
    if let (last, value) = lastDevice, last.isSame(as: text) { return value }
    guard let value = DeviceID(try text.string()) else {
      throw WireError(offset: text.offset, "must be 1 to 128 printable characters")
    }
    lastDevice = (text, value)
    return value
  }

  private mutating func venue() throws(WireError) -> VenueID {
    let text = try reader.text()
    if let (last, value) = lastVenue, last.isSame(as: text) { return value }
    guard let value = VenueID(try text.string()) else {
      throw WireError(offset: text.offset, "must be 1 to 128 of A-Z a-z 0-9 . _ -")
    }
    lastVenue = (text, value)
    return value
  }

  private mutating func hash() throws(WireError) -> String {
    let text = try reader.text()
    if let (last, value) = lastHash, last.isSame(as: text) { return value }
    let value = try text.string()
    guard value.isEmpty || value.utf8.count == 64, value.utf8.allSatisfy({ JSONReader.Text.nibble($0) != nil }) else {
      throw WireError(offset: text.offset, "must be 64 hexadecimal digits")
    }
    lastHash = (text, value)
    return value
  }

  private mutating func space() throws(WireError) -> SpaceID {
    let text = try reader.text()
    if let (last, value) = lastSpace, last.isSame(as: text) { return value }
    guard text.bytes.count <= 512 else { throw WireError(offset: text.offset, "must be at most 512 bytes") }
    let value = SpaceID(try text.string())
    lastSpace = (text, value)
    return value
  }
}

extension FixID {
  /// Reads the 36 characters of a UUID from bytes.
  init?(parsing bytes: UnsafeBufferPointer<UInt8>) {
    let dash = UInt8(ascii: "-")
    guard bytes.count == 36, bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash else {
      return nil
    }
    // The digits of a stretch, and whether all of them were digits; looked at only at the end.
    var isHexadecimal = true
    func number(_ start: Int, _ end: Int) -> UInt64 {
      var number: UInt64 = 0
      for position in start..<end {
        let digit = bytes[position] &- UInt8(ascii: "0")
        let letter = (bytes[position] | 0x20) &- UInt8(ascii: "a")
        isHexadecimal = isHexadecimal && (digit < 10 || letter < 6)
        number = number << 4 | UInt64(digit < 10 ? digit : letter &+ 10)
      }
      return number
    }
    let high = number(0, 8) << 32 | number(9, 13) << 16 | number(14, 18)
    let low = number(19, 23) << 48 | number(24, 36)
    guard isHexadecimal else { return nil }
    self.init(high: high, low: low)
  }
}
