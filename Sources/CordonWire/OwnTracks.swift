package import CordonCore

/// The messages of OwnTracks' HTTP mode: one location in each, and an answer that is a list of commands.
package enum OwnTracks {
  /// The body of a `POST`: a message of type `location`.
  ///
  /// Times are whole seconds and radii whole metres, rounded up: its receivers take no others. Floor, stay and identity travel as
  /// members of ours, which receivers ignore.
  package static func encode(_ location: Location, topic: String) -> [UInt8] {
    let device = location.device.rawValue
    let capacity = 512 + JSONWriter.room(for: topic) + JSONWriter.room(for: device)
    return JSONWriter.bytes(capacity: capacity) { writer in
      writer.put("{\"_type\":\"location\",\"lat\":")
      writer.put(location.coordinate.latitude, places: 7)
      writer.put(",\"lon\":")
      writer.put(location.coordinate.longitude, places: 7)
      writer.put(",\"tst\":")
      writer.put(location.time.milliseconds / 1_000)
      writer.put(",\"acc\":")
      writer.put(location.accuracy.rounded(.up), places: 0)
      writer.put(",\"tid\":")
      writer.put(string: String(device.suffix(2)))
      writer.put(",\"topic\":")
      writer.put(string: topic)
      writer.put(",\"fix_id\":")
      writer.put(location.id)
      if let floor = location.floor {
        writer.put(",\"floor\":")
        writer.put(floor.value, places: 3)
      }
      if let end = location.stillUntil {
        writer.put(",\"still_until\":")
        writer.put(end.milliseconds / 1_000)
      }
      writer.put("}")
    }
  }

  /// Whether the body of a success is one of OwnTracks: empty, or a JSON list or object. A page of HTML, as a hotel's
  /// network answers with, means that nobody took the location.
  package static func isAccepted(_ body: [UInt8]) -> Bool {
    guard let first = body.first(where: { !($0 == 0x20 || (0x09...0x0D).contains($0)) }) else { return true }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return false }
    let read: Void? = try? JSONReader.read(body) { reader throws(WireError) in
      try reader.skipValue()
      try reader.expectEnd()
    }
    return read != nil
  }
}
