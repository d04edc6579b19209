internal import CordonCore
internal import CordonWire

/// What Overland and OwnTracks phones send, read by an allow-list: place, time, accuracy, and floor, stay and identity
/// where our own client adds them. The battery's charge is passed on, for servers that are configured to keep it. Names of networks,
/// activity and all else is skipped.
enum ReceiverRows {
  enum Row {
    /// The battery's charge is in per cent.
    case location(Location, battery: Int64?)
    case discarded(RowRefusal)
    /// A location whose longitude and latitude are in range only when they are exchanged.
    case exchanged(Coordinate)
  }

  private struct Draft {
    var coordinate: Coordinate?
    var time: Instant?
    var accuracy: Double?
    var floor: FloorOrdinal?
    var stillUntil: Instant?
    var id: FixID?
    var battery: Int64?
    /// Whether it names another kind of message, such as a visit or a trip, which need no place.
    var isOfAnotherKind = false

    func row(device: DeviceID, venue: VenueID) -> Row {
      guard let coordinate else { return .discarded(isOfAnotherKind ? .notALocation : .malformed) }
      guard let time else { return .discarded(.badTime) }
      guard coordinate.isValid else {
        return coordinate.exchanged.isValid ? .exchanged(coordinate.exchanged) : .discarded(.notALocation)
      }
      guard let accuracy, accuracy >= 0, accuracy < 1e7 else { return .discarded(.accuracy) }
      let id =
        id ?? FixID(device: device, time: time, coordinate: coordinate, accuracy: accuracy, floor: floor)
      return .location(
        Location(
          id: id, device: device, venue: venue, coordinate: coordinate, accuracy: accuracy, floor: floor, time: time,
          stillUntil: stillUntil, space: nil, venueHash: ""), battery: battery)
    }
  }

  /// The features of an Overland body: `{"locations": [...], "current": ..., "trip": ...}`.
  static func overland(_ body: [UInt8], device: DeviceID, venue: VenueID) throws(WireError) -> [Row] {
    try JSONReader.read(body) { reader throws(WireError) in
      var rows: [Row] = []
      var hasList = false
      try reader.expect(UInt8(ascii: "{"))
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        // `current` repeats a point that comes in a batch of its own, and `trip` sums up: neither is a row.
        guard key.equals("locations"), reader.peek() == UInt8(ascii: "[") else {
          try reader.skipValue()
          continue
        }
        hasList = true
        try reader.expect(UInt8(ascii: "["))
        var isFirstFeature = true
        while try reader.nextElement(&isFirstFeature) {
          do throws(WireError) {
            rows.append(try feature(&reader, device: device, venue: venue))
          } catch {
            throw WireError(offset: error.offset, row: rows.count, error.reason)
          }
        }
      }
      try reader.expectEnd()
      if !hasList { throw WireError(offset: 0, "no member \"locations\"") }
      return rows
    }
  }

  private static func feature(
    _ reader: inout JSONReader, device: DeviceID, venue: VenueID
  ) throws(WireError) -> Row {
    guard reader.peek() == UInt8(ascii: "{") else {
      try reader.skipValue()
      return .discarded(.malformed)
    }
    try reader.expect(UInt8(ascii: "{"))
    var draft = Draft()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if key.equals("geometry") {
        try lenient(&reader) { reader throws(WireError) in
          try members(&reader) { key, reader throws(WireError) in
            guard key.equals("coordinates") else { return try reader.skipValue() }
            try reader.expect(UInt8(ascii: "["))
            let longitude = try reader.double()
            try reader.expect(UInt8(ascii: ","))
            draft.coordinate = Coordinate(longitude: longitude, latitude: try reader.double())
            // An altitude may follow.
            while reader.take(UInt8(ascii: ",")) { try reader.skipValue() }
            try reader.expect(UInt8(ascii: "]"))
          }
        }
      } else if key.equals("properties") {
        try lenient(&reader) { reader throws(WireError) in
          try members(&reader) { key, reader throws(WireError) in try property(key, &reader, into: &draft) }
        }
      } else if key.equals("type") {
        try lenient(&reader) { reader throws(WireError) in
          if try reader.string() != "Feature" { draft.isOfAnotherKind = true }
        }
      } else {
        try reader.skipValue()
      }
    }
    return draft.row(device: device, venue: venue)
  }

  private static func property(
    _ key: JSONReader.Text, _ reader: inout JSONReader, into draft: inout Draft
  ) throws(WireError) {
    func value(_ read: (inout JSONReader) throws(WireError) -> Void) throws(WireError) {
      try lenient(&reader, read)
    }
    if key.equals("timestamp") {
      try value { reader throws(WireError) in draft.time = try time(&reader) }
    } else if key.equals("horizontal_accuracy") {
      try value { reader throws(WireError) in draft.accuracy = try reader.double() }
    } else if key.equals("floor") {
      try value { reader throws(WireError) in draft.floor = FloorOrdinal(try reader.double()) }
    } else if key.equals("still_until") {
      try value { reader throws(WireError) in draft.stillUntil = try time(&reader) }
    } else if key.equals("battery_level") {
      // A part of one; below zero where it is not known.
      try value { reader throws(WireError) in draft.battery = percent(try reader.double() * 100) }
    } else if key.equals("fix_id") {
      try value { reader throws(WireError) in draft.id = FixID(try reader.string()) }
    } else if key.equals("action") || key.equals("type") {
      // Visits, trips and the events of an app.
      try value { reader throws(WireError) in draft.isOfAnotherKind = !(try reader.string().isEmpty) }
    } else {
      try reader.skipValue()
    }
  }

  /// A date and time, which is UTC when it gives no zone, or a number since 1970; `nil` for what is neither.
  private static func time(_ reader: inout JSONReader) throws(WireError) -> Instant? {
    guard reader.peek() == UInt8(ascii: "\"") else { return Instant(epoch: try reader.double()) }
    let text = try reader.string()
    return Timestamp(text)?.instant ?? Double(text).flatMap { Instant(epoch: $0) }
  }

  private static func percent(_ value: Double) -> Int64? { (0...100).contains(value) ? Int64(value.rounded()) : nil }

  /// Reads a value; one of another kind is skipped, and counts as missing.
  private static func lenient(
    _ reader: inout JSONReader, _ read: (inout JSONReader) throws(WireError) -> Void
  ) throws(WireError) {
    let start = reader.position
    do throws(WireError) {
      try read(&reader)
    } catch {
      reader.position = start
      try reader.skipValue()
    }
  }

  private static func members(
    _ reader: inout JSONReader, _ body: (JSONReader.Text, inout JSONReader) throws(WireError) -> Void
  ) throws(WireError) {
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) { try body(key, &reader) }
  }

  /// An OwnTracks message, or a list of them. Other messages are neither a row nor a fault.
  static func ownTracks(_ body: [UInt8], device: DeviceID, venue: VenueID) throws(WireError) -> [Row] {
    try JSONReader.read(body) { reader throws(WireError) in
      var rows: [Row] = []
      if reader.take(UInt8(ascii: "[")) {
        var isFirst = true
        while try reader.nextElement(&isFirst) {
          rows.append(try message(&reader, device: device, venue: venue))
        }
      } else {
        rows.append(try message(&reader, device: device, venue: venue))
      }
      try reader.expectEnd()
      return rows
    }
  }

  private static func message(
    _ reader: inout JSONReader, device: DeviceID, venue: VenueID
  ) throws(WireError) -> Row {
    guard reader.peek() == UInt8(ascii: "{") else {
      try reader.skipValue()
      return .discarded(.malformed)
    }
    var draft = Draft()
    var kind = ""
    var (longitude, latitude): (Double?, Double?)
    try members(&reader) { key, reader throws(WireError) in
      try lenient(&reader) { reader throws(WireError) in
        if key.equals("_type") {
          kind = try reader.string()
        } else if key.equals("lon") {
          longitude = try reader.double()
        } else if key.equals("lat") {
          latitude = try reader.double()
        } else if key.equals("tst") {
          draft.time = try time(&reader)
        } else if key.equals("acc") {
          draft.accuracy = try reader.double()
        } else if key.equals("batt") {
          draft.battery = percent(try reader.double())
        } else {
          try reader.skipValue()
        }
      }
    }
    if kind == "encrypted" { return .discarded(.encrypted) }
    guard kind == "location" else { return .discarded(kind.isEmpty ? .malformed : .notALocation) }
    if let longitude, let latitude { draft.coordinate = Coordinate(longitude: longitude, latitude: latitude) }
    return draft.row(device: device, venue: venue)
  }
}
