import CordonCore

/// The file `spaces.csv`: one line for each space of the map and each record of the run.
enum SpacesCSV {
  /// The column names in order.
  static let header =
    ["source", "floor", "floor_name", "space", "space_name", "kind", "groups", "area_m2"] + PresenceColumns.names
    + ReplicaColumns.names

  static func write(_ contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    let columns = PresenceColumns(zone: LocalTimes(contents: contents))
    let replicas = ReplicaColumns(contents.outcome.replicaFigures)
    var csv = try CSVWriter(header: header, sink: sink)
    for source in RunSource.allCases {
      let rows = contents.outcome.places.filter { $0.source == source && $0.space != ObservedLocation.noSpace }
      guard !rows.isEmpty else { continue }
      let known = Dictionary(rows.map { ($0.space, $0) }, uniquingKeysWith: { first, _ in first })
      for (number, space) in contents.venue.spaces.enumerated() {
        csv.cell(word: source.rawValue)
        csv.cells(floor: contents.venue.floors[space.floor].ordinal.thousandths, of: contents.venue)
        csv.cells(space: Int32(number), of: contents.venue)
        csv.cell(text: space.kind)
        csv.cell(text: contents.venue.groups(ofSpace: number).joined(separator: "; "))
        csv.cell(space.area, places: 2)
        columns.append(known[Int32(number)], to: &csv)
        replicas.append(source == .truth ? .space(Int32(number)) : nil, to: &csv)
        try csv.endRow()
      }
    }
    try csv.finish()
  }
}

/// The columns about the presence of people in a place.
struct PresenceColumns {
  /// The column names in order.
  static let names =
    [
      "capacity", "mean", "p95", "peak", "peak_time", "peak_time_local", "minutes_over_capacity",
      "minutes_over_capacity_staying", "minutes_over_capacity_passing", "m2_per_person", "level_of_service", "visits",
      "mean_visit_s", "stays", "median_stay_s", "p95_stay_s",
    ] + LevelOfService.allCases.map { "minutes_\($0.rawValue.lowercased())" }

  let zone: LocalTimes

  /// Appends the cells of a place; zeros for a place that nobody was in.
  func append(_ row: RunOutcome.Place?, to csv: inout CSVWriter) {
    csv.cell(integer: row?.capacity)
    csv.cell(row?.mean ?? 0, places: 4)
    csv.cell(row?.p95 ?? 0, places: 4)
    csv.cell(integer: Int64(row?.peak ?? 0))
    csv.cells(time: row?.peakTime, in: zone)
    csv.cell(row?.minutesOverCapacity, places: 2)
    csv.cell(row?.minutesOverCapacityStaying, places: 2)
    csv.cell(row?.minutesOverCapacityPassing, places: 2)
    csv.cell(row?.areaPerPerson, places: 4)
    csv.cell(word: row?.levelOfService ?? "")
    csv.cell(integer: row == nil ? 0 : row?.visits)
    csv.cell(row?.meanVisit, places: 1)
    csv.cell(integer: row?.stays)
    csv.cell(row?.medianDwell, places: 1)
    csv.cell(row?.p95Dwell, places: 1)
    for level in LevelOfService.allCases { csv.cell(row == nil ? 0 : row?.levelMinutes?[level], places: 2) }
  }
}
