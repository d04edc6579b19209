package import CordonCore

/// The messages of the Overland receiver API: GeoJSON points in, one word out.
package enum Overland {
  /// The body of a `POST`: `{"locations": [Feature]}`. Floor, stay and identity travel as properties of ours.
  package static func encode(_ locations: [Location]) -> [UInt8] {
    var capacity = 64
    for location in locations {
      capacity += 448 + JSONWriter.room(for: location.device.rawValue)
    }
    return JSONWriter.bytes(capacity: capacity) { writer in
      writer.put("{\"locations\":[")
      var isFirst = true
      for location in locations {
        if !isFirst { writer.put(UInt8(ascii: ",")) }
        isFirst = false
        writer.put("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
        writer.put(location.coordinate.longitude, places: 7)
        writer.put(UInt8(ascii: ","))
        writer.put(location.coordinate.latitude, places: 7)
        writer.put("]},\"properties\":{\"timestamp\":")
        writer.put(string: location.time.rfc3339)
        writer.put(",\"horizontal_accuracy\":")
        writer.put(location.accuracy, places: 3)
        writer.put(",\"device_id\":")
        writer.put(string: location.device.rawValue)
        writer.put(",\"fix_id\":")
        writer.put(location.id)
        if let floor = location.floor {
          writer.put(",\"floor\":")
          writer.put(floor.value, places: 3)
        }
        if let end = location.stillUntil {
          writer.put(",\"still_until\":")
          writer.put(string: end.rfc3339)
        }
        writer.put("}}")
      }
      writer.put("]}")
    }
  }

  /// Whether a body is the answer `{"result": "ok"}`; nothing else means that the locations were taken.
  package static func isAccepted(_ body: [UInt8]) -> Bool {
    guard let members = try? JSONReader.members(of: body, "result") else { return false }
    return members[0] == "ok"
  }
}
