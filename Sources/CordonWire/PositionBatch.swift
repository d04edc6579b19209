package import CordonCore
import CordonSupport

/// The body of `POST /v1/positions`.
///
/// ```json
/// {"rows": [{"id": "…", "device": "…", "time": 1763724000123, "lonlat": [8.54, 47.37], "acc": 12.5,
///   "floor": 1, "still_until": 1763724060123, "space": "…", "venue": "…", "venue_hash": "…"}]}
/// ```
///
/// Longitude comes first; times are milliseconds since 1970; `acc` is the radius at 68 % in metres; `floor` is an ordinal
/// or `null`. `id`, `still_until`, `space`, `venue_hash` and
/// `mocked` (whether software made the position up) may be left out. Coordinates carry seven decimals, `acc` three.
package enum PositionBatch {
  /// The most rows that are read from one body.
  package static let maximumRows = 10_000

  /// What identifies a batch: SHA-256 of its identifiers in order, 64 hexadecimal digits.
  package static func key(of ids: some Sequence<FixID>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ids.underestimatedCount * 16)
    for id in ids {
      withUnsafeBytes(of: id.high.bigEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: id.low.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return SHA256.hexDigest(of: bytes)
  }

  /// The key of the batch of some locations.
  package static func key(of locations: [Location]) -> String {
    key(of: locations.indices.lazy.map { locations[$0].id })
  }

  /// Writes locations as a body.
  package static func encode(_ locations: [Location]) -> [UInt8] {
    var capacity = 16
    for index in locations.indices { capacity += room(for: locations[index]) }
    return JSONWriter.bytes(capacity: capacity) { writer in
      writer.put("{\"rows\":[")
      for index in locations.indices {
        if index > 0 { writer.put(UInt8(ascii: ",")) }
        write(locations[index], to: &writer)
      }
      writer.put("]}")
    }
  }

  /// Writes locations as JSON Lines: the rows of a body, each on a line of its own.
  package static func encodeLines(_ locations: [Location]) -> [UInt8] {
    var capacity = 16
    for location in locations { capacity += room(for: location) }
    return JSONWriter.bytes(capacity: capacity) { writer in
      for location in locations {
        write(location, to: &writer)
        writer.put(UInt8(ascii: "\n"))
      }
    }
  }

  private static func room(for location: Location) -> Int {
    320 + JSONWriter.room(for: location.device.rawValue) + JSONWriter.room(for: location.venue.rawValue)
      + JSONWriter.room(for: location.venueHash) + (location.space.map { JSONWriter.room(for: $0.rawValue) } ?? 0)
  }

  private static func write(_ location: Location, to writer: inout JSONWriter) {
    writer.put("{\"id\":")
    writer.put(location.id)
    writer.put(",\"device\":")
    writer.put(string: location.device.rawValue)
    writer.put(",\"time\":")
    writer.put(location.time.milliseconds)
    writer.put(",\"lonlat\":[")
    writer.put(location.coordinate.longitude, places: 7)
    writer.put(UInt8(ascii: ","))
    writer.put(location.coordinate.latitude, places: 7)
    writer.put("],\"acc\":")
    writer.put(location.accuracy, places: 3)
    writer.put(",\"floor\":")
    if let floor = location.floor { writer.put(floor.value, places: 3) } else { writer.put("null") }
    if let end = location.stillUntil {
      writer.put(",\"still_until\":")
      writer.put(end.milliseconds)
    }
    if let space = location.space {
      writer.put(",\"space\":")
      writer.put(string: space.rawValue)
    }
    writer.put(",\"venue\":")
    writer.put(string: location.venue.rawValue)
    if !location.venueHash.isEmpty {
      writer.put(",\"venue_hash\":")
      writer.put(string: location.venueHash)
    }
    if location.isMocked { writer.put(",\"mocked\":true") }
    writer.put(UInt8(ascii: "}"))
  }

  /// One row as it was read: a location, or what is wrong with it. A fault in a row's values does not touch the others.
  package enum Row: Hashable, Sendable {
    /// A location whose values are in range.
    case location(Location)
    /// A row that is JSON but no location; its identifier, if it has one.
    case fault(FixID?, WireError)
  }

  /// Reads a body. Fails as a whole only where it is not JSON of this shape, or has too many rows.
  package static func decode(_ body: [UInt8]) throws(WireError) -> [Row] {
    // A closure of the standard library does not carry a typed error through.
    let result: Result<[Row], WireError> = body.withUnsafeBufferPointer { buffer in
      do throws(WireError) {
        var reader = RowReader(JSONReader(buffer))
        return .success(try reader.readBatch())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
