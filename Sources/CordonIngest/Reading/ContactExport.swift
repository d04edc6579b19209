internal import CordonCore
import CordonSupport

/// All requested contacts, written in parts, so that neither the server's memory nor anybody else's query waits
/// for the length of the answer.
///
/// Each part is read by itself, from where the last one ended: a contact that existed all the time is written once.
package struct ContactExport: Sendable {
  private var query: ContactQuery
  /// The person or operator who asks.
  package let asker: Query.Asker
  private var state = State.begun
  /// The contacts of a part.
  static let pageSize = 20_000

  private enum State {
    case begun
    case under
    case over
  }

  init(_ query: ContactQuery, by asker: Query.Asker) {
    self.query = query
    self.asker = asker
  }

  /// Status and headers of the answer, without a body.
  package var head: IngestResponse {
    guard query.isCSV else { return .json(200, bytes: []) }
    return IngestResponse(200, headers: ContactQuery.headersOfCSV + [.init("x-is-complete", "true")])
  }

  /// The next bytes of the body; `nil` behind the last ones.
  package mutating func next(from store: any PositionStore) throws(StoreFault) -> [UInt8]? {
    guard state != .over else { return nil }
    let (rows, next) = try query.page(Self.pageSize, from: store)
    var text: [UInt8] = []
    if query.isCSV {
      if state == .begun { text += CSVText.lines([ContactRow.header]) }
      text += CSVText.lines(rows.map(\.cells))
    } else {
      if state == .begun { text += Array(#"{"contacts":["#.utf8) }
      for (index, row) in rows.enumerated() {
        if state != .begun || index > 0 { text.append(UInt8(ascii: ",")) }
        text += Array(row.json.text().utf8)
      }
      if next == nil { text += Array(#"],"next_after":null,"is_complete":true}"#.utf8) }
    }
    query.after = next
    state = next == nil ? .over : .under
    return text
  }

  /// The answer in one piece.
  func whole(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    var rest = self
    var answer = head
    while let part = try rest.next(from: store) { answer.body += part }
    return answer
  }
}
