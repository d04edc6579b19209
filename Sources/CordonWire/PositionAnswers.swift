package import CordonCore

/// The body that answers `POST /v1/positions`: one result for each row, in the order of the rows.
///
/// ```json
/// {"results": [{"id": "…", "status": "stored"}, {"id": "…", "status": "refused", "reason": "…"}]}
/// ```
/// `status` is `stored`, `known`, `refused` or `retry`; `id` is `null` for a row whose identity could not be read.
package enum PositionAnswers {
  /// One result.
  package struct Answer: Hashable, Sendable {
    /// Which row; `nil` when it had no readable identity.
    package var id: FixID?
    /// What became of it.
    package var status: RowStatus

    /// A result.
    package init(id: FixID?, status: RowStatus) {
      self.id = id
      self.status = status
    }
  }

  /// Writes results as a body.
  package static func encode(_ answers: [Answer]) -> [UInt8] {
    var capacity = 32
    for answer in answers {
      capacity += 96
      if case .refused(let reason) = answer.status { capacity += JSONWriter.room(for: reason) }
    }
    return JSONWriter.bytes(capacity: capacity) { writer in
      writer.put("{\"results\":[")
      var isFirst = true
      for answer in answers {
        if !isFirst { writer.put(UInt8(ascii: ",")) }
        isFirst = false
        writer.put("{\"id\":")
        if let id = answer.id { writer.put(id) } else { writer.put("null") }
        switch answer.status {
        case .stored: writer.put(",\"status\":\"stored\"}")
        case .known: writer.put(",\"status\":\"known\"}")
        case .retry: writer.put(",\"status\":\"retry\"}")
        case .refused(let reason):
          writer.put(",\"status\":\"refused\",\"reason\":")
          writer.put(string: reason)
          writer.put(UInt8(ascii: "}"))
        }
      }
      writer.put("]}")
    }
  }

  /// Reads a body. A result that cannot be understood answers nothing: its row is sent again.
  package static func decode(_ body: [UInt8]) throws(WireError) -> [Answer] {
    let result: Result<[Answer], WireError> = body.withUnsafeBufferPointer { buffer in
      do throws(WireError) {
        return .success(try read(JSONReader(buffer)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func read(_ reader: JSONReader) throws(WireError) -> [Answer] {
    var reader = reader
    var answers: [Answer]?
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      guard key.equals("results") else {
        try reader.skipValue()
        continue
      }
      var list: [Answer] = []
      try reader.expect(UInt8(ascii: "["))
      var isFirstResult = true
      while try reader.nextElement(&isFirstResult) {
        if list.count == PositionBatch.maximumRows {
          throw reader.fault("more than \(PositionBatch.maximumRows) results")
        }
        list.append(try readAnswer(&reader))
      }
      answers = list
    }
    try reader.expectEnd()
    guard let answers else { throw WireError(offset: 0, "no member \"results\"") }
    return answers
  }

  private static func readAnswer(_ reader: inout JSONReader) throws(WireError) -> Answer {
    var id: FixID?
    var status = RowStatus.retry
    var reason = ""
    try reader.expect(UInt8(ascii: "{"))
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if key.equals("id") {
        if try !reader.takeNull() { id = FixID(parsing: try reader.text().bytes) }
      } else if key.equals("status") {
        let text = try reader.text()
        if text.equals("stored") { status = .stored }
        if text.equals("known") { status = .known }
        if text.equals("refused") { status = .refused(reason: "") }
      } else if key.equals("reason") {
        reason = try reader.string()
      } else {
        try reader.skipValue()
      }
    }
    if case .refused = status { status = .refused(reason: reason) }
    return Answer(id: id, status: status)
  }
}
