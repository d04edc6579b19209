import CordonCore

/// The file `queues.csv`: one line for each place in which people waited.
enum QueuesCSV {
  /// The column names in order.
  static let header = [
    "kind", "place", "place_name", "space", "space_name", "served", "mean_length", "longest", "mean_wait_s",
    "p95_wait_s",
  ]

  static func write(_ contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    var csv = try CSVWriter(header: header, sink: sink)
    for queue in contents.outcome.queues {
      csv.cell(text: queue.kind)
      csv.cell(text: queue.place)
      csv.cell(text: queue.name)
      csv.cells(space: queue.space, of: contents.venue)
      csv.cell(integer: Int64(queue.served))
      csv.cell(queue.meanLength, places: 3)
      csv.cell(integer: Int64(queue.longest))
      csv.cell(queue.meanWait, places: 3)
      csv.cell(queue.p95Wait, places: 3)
      try csv.endRow()
    }
    try csv.finish()
  }
}

/// The file `flows.csv`: one line for each door and quarter of an hour in which people passed it.
enum FlowsCSV {
  /// The column names in order.
  static let header = [
    "opening", "opening_name", "entrance", "floor", "floor_name", "left_space", "left_space_name", "right_space",
    "right_space_name", "start", "start_local", "end", "end_local", "forward", "backward",
  ]

  static func write(_ contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    let zone = LocalTimes(contents: contents)
    let openings = Dictionary(contents.venue.openings.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var csv = try CSVWriter(header: header, sink: sink)
    for flow in contents.outcome.flows {
      let opening = openings[flow.opening]
      csv.cell(text: flow.opening)
      csv.cell(text: opening?.name ?? "")
      csv.cell(integer: opening?.entrance)
      csv.cells(floor: flow.floor, of: contents.venue)
      csv.cells(space: opening?.left ?? ObservedLocation.noSpace, of: contents.venue)
      csv.cells(space: opening?.right ?? ObservedLocation.noSpace, of: contents.venue)
      csv.cells(time: flow.binStart, in: zone)
      csv.cells(time: (Instant(milliseconds: flow.binStart) + RunOutcome.Flow.width).milliseconds, in: zone)
      csv.cell(integer: Int64(flow.forward))
      csv.cell(integer: Int64(flow.backward))
      try csv.endRow()
    }
    try csv.finish()
  }
}
