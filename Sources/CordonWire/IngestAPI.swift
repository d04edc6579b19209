package import CordonCore

/// The messages of the published contact-monitoring ingest API, so that a phone can send to servers that exist.
///
/// That API knows no stays, spaces or identifiers of fixes; it keeps one row of a device and minute, and answers by place.
package enum IngestAPI {
  /// The body of `POST /positions`: an array of rows in order of time. A row without a floor carries none.
  package static func encodePositions(_ locations: [Location]) -> [UInt8] {
    var capacity = 16
    for location in locations {
      capacity += 256 + JSONWriter.room(for: location.device.rawValue) + JSONWriter.room(for: location.venue.rawValue)
    }
    return JSONWriter.bytes(capacity: capacity) { writer in
      writer.put(UInt8(ascii: "["))
      var isFirst = true
      for location in locations {
        if !isFirst { writer.put(UInt8(ascii: ",")) }
        isFirst = false
        writer.put("{\"device\":")
        writer.put(string: location.device.rawValue)
        writer.put(",\"acc\":")
        writer.put(location.accuracy, places: 3)
        writer.put(",\"lonlat\":[")
        writer.put(location.coordinate.longitude, places: 7)
        writer.put(UInt8(ascii: ","))
        writer.put(location.coordinate.latitude, places: 7)
        writer.put("],\"time\":")
        writer.put(location.time.milliseconds)
        writer.put(",\"venue\":")
        writer.put(string: location.venue.rawValue)
        if let floor = location.floor {
          writer.put(",\"floor\":")
          writer.put(floor.value, places: 3)
        }
        // Only consented locations exist.
        writer.put(",\"userConsent\":true}")
      }
      writer.put(UInt8(ascii: "]"))
    }
  }

  /// Reads the answer to positions, one status for each row in their order: 200 is stored, 409 is known (the server has
  /// a row of that minute), 500 and above come again, everything else is refused.
  package static func decodeAnswers(_ body: [UInt8]) throws(WireError) -> [RowStatus] {
    try JSONReader.read(body) { reader throws(WireError) in
      var answers: [RowStatus] = []
      try reader.expect(UInt8(ascii: "["))
      var isFirst = true
      while try reader.nextElement(&isFirst) {
        if answers.count == PositionBatch.maximumRows { throw reader.fault("too many answers") }
        var status: Int64 = 0
        var message = ""
        try reader.expect(UInt8(ascii: "{"))
        var isFirstKey = true
        while let key = try reader.nextKey(&isFirstKey) {
          if key.equals("status") {
            status = try reader.integer()
          } else if key.equals("message"), reader.peek() == UInt8(ascii: "\"") {
            message = try reader.string()
          } else {
            try reader.skipValue()
          }
        }
        switch status {
        case 200..<300: answers.append(.stored)
        case 409: answers.append(.known)
        case 400..<500 where status != 429 && status != 408: answers.append(.refused(reason: message))
        default: answers.append(.retry)
        }
      }
      try reader.expectEnd()
      return answers
    }
  }

  /// The body of `POST /device/{id}/activate`.
  package static func encodeActivation(code: String, type: String) -> [UInt8] {
    JSONWriter.bytes(capacity: 64 + JSONWriter.room(for: code) + JSONWriter.room(for: type)) { writer in
      writer.put("{\"code\":")
      writer.put(string: code)
      writer.put(",\"deviceType\":")
      writer.put(string: type)
      writer.put(UInt8(ascii: "}"))
    }
  }

  /// Reads the answer to an activation: the venue, if it can be one.
  package static func decodeActivation(_ body: [UInt8]) throws(WireError) -> VenueID? {
    try JSONReader.members(of: body, "venue").first.flatMap { $0 }.flatMap { VenueID($0) }
  }

  /// Whether a body is that API's own refusal: an object with a text `error`.
  package static func isRefusal(_ body: [UInt8]) -> Bool {
    guard let members = try? JSONReader.members(of: body, "error") else { return false }
    return members[0] != nil
  }

  /// Reads the answer to `GET /device/{id}/token`: the token, and when it ends. The date has 0 to 9 decimals.
  package static func decodeToken(_ body: [UInt8]) throws(WireError) -> (token: String, expires: Instant) {
    let members = try JSONReader.members(of: body, "token", "expiresAt")
    guard let token = members[0] else { throw WireError(offset: 0, "no member \"token\"") }
    guard let date = members[1] else { throw WireError(offset: 0, "no member \"expiresAt\"") }
    do throws(RFC3339Error) {
      return (token, try Instant(rfc3339: date))
    } catch {
      throw WireError(offset: 0, "expiresAt: \(error)")
    }
  }
}

extension JSONReader {
  /// Reads a whole text.
  package static func read<T>(
    _ bytes: [UInt8], _ body: (inout JSONReader) throws(WireError) -> T
  ) throws(WireError) -> T {
    let result: Result<T, WireError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(WireError) {
        var reader = JSONReader(buffer)
        return .success(try body(&reader))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The values of some members of an object that are strings, in the order asked for.
  package static func members(of bytes: [UInt8], _ names: StaticString...) throws(WireError) -> [String?] {
    try read(bytes) { reader throws(WireError) in
      var values = [String?](repeating: nil, count: names.count)
      try reader.expect(UInt8(ascii: "{"))
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        if let index = names.firstIndex(where: { key.equals($0) }), reader.peek() == UInt8(ascii: "\"") {
          values[index] = try reader.string()
        } else {
          try reader.skipValue()
        }
      }
      try reader.expectEnd()
      return values
    }
  }
}
