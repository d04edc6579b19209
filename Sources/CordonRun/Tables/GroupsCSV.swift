/// The file `groups.csv`: one line for each group of spaces and each record of the run.
enum GroupsCSV {
  /// The column names in order.
  static let header =
    ["source", "group", "spaces", "area_m2"] + PresenceColumns.names + ["waits", "mean_wait_s", "p95_wait_s"]
    + ReplicaColumns.names

  static func write(_ contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    let columns = PresenceColumns(zone: LocalTimes(contents: contents))
    let replicas = ReplicaColumns(contents.outcome.replicaFigures)
    var csv = try CSVWriter(header: header, sink: sink)
    for row in contents.outcome.groups {
      let group = contents.venue.groups[row.number]
      csv.cell(word: row.presence.source.rawValue)
      csv.cell(text: group.name)
      csv.cell(integer: Int64(group.spaces.count))
      csv.cell(contents.venue.area(of: group), places: 2)
      columns.append(row.presence, to: &csv)
      csv.cell(integer: row.waits)
      csv.cell(row.meanWait, places: 3)
      csv.cell(row.p95Wait, places: 3)
      replicas.append(row.presence.source == .truth ? .group(row.number) : nil, to: &csv)
      try csv.endRow()
    }
    try csv.finish()
  }
}

/// The columns about a place over replicas; empty for a single run.
struct ReplicaColumns {
  private typealias Figure = RunOutcome.ReplicaFigure

  private static let figures: [RunOutcome.ReplicaFigure.Name] = [
    .mean, .p95, .peak, .minutesOverCapacity, .minutesOverCapacityStaying, .minutesOverCapacityPassing,
  ]

  /// The column names in order.
  static let names =
    ["replicas"] + figures.flatMap { name in ["replicas", "low", "high"].map { "\(name.rawValue)_\($0)" } }

  private let known: [Figure.Subject: [Figure]]

  init(_ figures: [RunOutcome.ReplicaFigure]) { known = Dictionary(grouping: figures, by: \.subject) }

  /// Appends the cells of a place: the mean over replicas and its 95 % confidence interval, for each figure.
  func append(_ subject: RunOutcome.ReplicaFigure.Subject?, to csv: inout CSVWriter) {
    let figures = subject.flatMap { known[$0] } ?? []
    csv.cell(integer: figures.first?.replicas)
    for name in ReplicaColumns.figures {
      let figure = figures.first { $0.name == name }
      csv.cell(figure?.mean, places: 4)
      csv.cell(figure?.low, places: 4)
      csv.cell(figure?.high, places: 4)
    }
  }
}
