import CordonCore
import CordonExchange
import CordonIngest

/// Stored positions of venues and spans of time as a table in Arrow IPC, by venue, span, device and time.
struct PositionExport {
  /// The columns: those of ``ArrowPositions``, and the venue.
  static let columns = ArrowPositions.columns + [.text("venue")]
  let store: any PositionStore
  let venues: [(number: Int64, id: VenueID)]
  /// Milliseconds.
  let spans: [ClosedRange<Int64>]
  /// Whether the form of files is written; else that of streams.
  let isFile: Bool
  /// Rows that are read at once.
  var pageSize = 10_000

  /// Writes the table; memory holds one batch of it.
  /// - Returns: the number of rows.
  @discardableResult
  func write(_ put: ([UInt8]) throws -> Void) throws -> Int {
    var table = ArrowTableWriter(PositionExport.columns, name: "positions", isFile: isFile)
    try put(table.head())
    var count = 0
    for venue in venues.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      for span in spans {
        for device in try named(store.devices(in: venue.number, during: span)) {
          try forEachPosition(of: device.number, venue.number, span) { position in
            count += 1
            let bytes = table.add(PositionExport.row(position, device: device.name, venue: venue.id.rawValue))
            if !bytes.isEmpty { try put(bytes) }
          }
        }
      }
    }
    try put(table.finish())
    return count
  }

  /// The devices by name; one that was erased meanwhile has none.
  private func named(_ numbers: [Int64]) throws -> [(number: Int64, name: String)] {
    try numbers.compactMap { number in try store.deviceID(number).map { (number, $0.rawValue) } }.sorted { $0.1 < $1.1 }
  }

  private func forEachPosition(
    of device: Int64, _ venue: Int64, _ span: ClosedRange<Int64>, _ body: (StoredPosition) throws -> Void
  ) throws {
    var last: FixID?
    while true {
      let page = try store.track(of: device, venue: venue, in: span, after: last, limit: pageSize)
      for position in page where span.contains(position.time) { try body(position) }
      guard page.count == pageSize, let next = page.last?.id else { return }
      last = next
    }
  }

  private static func row(_ position: StoredPosition, device: String, venue: String) -> [TableValue] {
    let place = position.coordinate
    return [
      .text(device), .time(position.time * 1_000), .number(place.longitude), .number(place.latitude),
      position.accuracy > 0 ? .number(Double(position.accuracy) / 1_000) : .missing,
      position.floor.map { .number(Double($0) / 1_000) } ?? .missing,
      position.stillUntil.map { .time($0 * 1_000) } ?? .missing, .text(venue),
    ]
  }
}
