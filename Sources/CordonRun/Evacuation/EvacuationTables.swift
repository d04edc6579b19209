import CordonCore

/// The tables of an evacuation as CSV.
enum EvacuationTables {
  typealias Sink = ([UInt8]) throws -> Void

  /// One row for each replica.
  static func replicas(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: [
        "replica", "people", "out", "inside", "no_way_out", "needs_help", "incapacitated", "alarm_s", "time_50_s",
        "time_95_s", "last_out_s",
      ], sink: sink)
    for replica in report.replicas {
      writer.cell(integer: Int64(replica.number))
      writer.cell(integer: Int64(replica.people.count))
      for status in EvacuationReplica.Status.allCases {
        writer.cell(integer: Int64(replica.people.count { $0.status == status }))
      }
      writer.cell(replica.alarm, places: 1)
      for share in [0.5, 0.95, 1] { writer.cell(replica.time(share), places: 1) }
      try writer.endRow()
    }
    try writer.finish()
  }

  /// One row for each person of the first replica.
  static func people(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: [
        "person", "population", "mobility", "group", "floor", "space", "speed_m_s", "set_off_s", "out_s", "exit",
        "familiar_exit_only", "distance_m", "waited_s", "status",
      ], sink: sink)
    for (number, person) in (report.replicas.first?.people ?? []).enumerated() {
      writer.cell(integer: Int64(number))
      writer.cell(text: report.populations[person.population])
      writer.cell(text: report.mobilities[person.mobility])
      writer.cell(integer: person.group)
      writer.cell(word: "\(person.floor)")
      writer.cell(text: report.spaceTitle(person.space))
      writer.cell(person.speed, places: 2)
      writer.cell(person.setOff, places: 1)
      writer.cell(person.out, places: 1)
      writer.cell(text: person.exit.map { report.exits[$0].name } ?? "")
      writer.cell(word: person.isFamiliar ? "true" : "false")
      writer.cell(person.distance, places: 1)
      writer.cell(person.waited, places: 1)
      writer.cell(word: person.status.rawValue)
      try writer.endRow()
    }
    try writer.finish()
  }

  /// One row for each exit.
  static func exits(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: [
        "exit", "name", "floor", "width_m", "width_assumed", "closed", "people", "people_mean", "first_s", "last_s",
        "flow_maximum_per_min", "waited_person_s", "peak_queue",
      ], sink: sink)
    for exit in report.exits {
      let passage = report.replicas.first?.passages.first { $0.place.kind == .exit && $0.place.id == exit.id }
      writer.cell(text: exit.id)
      writer.cell(text: exit.name)
      writer.cell(word: "\(exit.floor)")
      writer.cell(exit.width, places: 2)
      writer.cell(word: exit.isAssumedWidth ? "true" : "false")
      writer.cell(word: exit.isClosed ? "true" : "false")
      writer.cell(integer: Int64(passage?.times.count ?? 0))
      writer.cell(report.mean(of: exit), places: 1)
      writer.cell(passage?.times.first, places: 1)
      writer.cell(passage?.times.last, places: 1)
      writer.cell(integer: Int64(passage?.maximumPerMinute ?? 0))
      writer.cell(passage?.waiting ?? 0, places: 1)
      writer.cell(integer: Int64(passage?.peakQueue ?? 0))
      try writer.endRow()
    }
    try writer.finish()
  }

  /// One row for each exit, stairs and door that people passed, the longest wait first.
  static func bottlenecks(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: [
        "kind", "id", "name", "floor", "people_mean", "waited_person_s_mean", "waited_each_s_mean", "waited_maximum_s",
        "peak_queue", "flow_maximum_per_min",
      ], sink: sink)
    for item in report.passages {
      let passage = report.replicas.first?.passages.first { $0.place == item.place }
      writer.cell(word: item.place.kind.rawValue)
      writer.cell(text: item.place.id)
      writer.cell(text: item.place.name)
      writer.cell(word: "\(item.place.floor)")
      writer.cell(item.passed, places: 1)
      writer.cell(item.waiting, places: 1)
      writer.cell(item.passed > 0 ? item.waiting / item.passed : 0, places: 1)
      writer.cell(item.longest, places: 1)
      writer.cell(integer: Int64(passage?.peakQueue ?? 0))
      writer.cell(integer: Int64(passage?.maximumPerMinute ?? 0))
      try writer.endRow()
    }
    try writer.finish()
  }

  /// The number of people who passed each exit and stairs until each time, in the first replica.
  static func flows(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(header: ["time_s", "kind", "id", "name", "floor", "people"], sink: sink)
    guard let replica = report.replicas.first else { return try writer.finish() }
    for passage in replica.passages where passage.place.kind != .door {
      for (bin, count) in passage.cumulative(bins: replica.inside.count).enumerated() {
        writer.cell(Double(bin) * EvacuationReport.bin, places: 0)
        writer.cell(word: passage.place.kind.rawValue)
        writer.cell(text: passage.place.id)
        writer.cell(text: passage.place.name)
        writer.cell(word: "\(passage.place.floor)")
        writer.cell(integer: Int64(count))
        try writer.endRow()
      }
    }
    try writer.finish()
  }

  /// The number of people inside at each time.
  static func inside(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: ["time_s", "people", "people_mean", "people_minimum", "people_maximum"], sink: sink)
    for (bin, counts) in report.insideByTime.enumerated() {
      writer.cell(Double(bin) * EvacuationReport.bin, places: 0)
      writer.cell(integer: Int64(counts.first ?? 0))
      writer.cell(Double(counts.reduce(0, +)) / Double(max(counts.count, 1)), places: 1)
      writer.cell(integer: Int64(counts.min() ?? 0))
      writer.cell(integer: Int64(counts.max() ?? 0))
      try writer.endRow()
    }
    try writer.finish()
  }

  /// One row for each space in which people were, in the first replica.
  static func spaces(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: [
        "space", "name", "kind", "floor", "area_m2", "people_start", "people_maximum", "density_maximum_per_m2",
        "level_of_service", "cleared_s",
      ], sink: sink)
    for space in report.replicas.first?.spaces ?? [] {
      let place = report.venue.spaces[space.number]
      writer.cell(text: place.id.rawValue)
      writer.cell(text: place.title)
      writer.cell(word: place.kind)
      writer.cell(word: "\(report.venue.floors[place.floor].ordinal)")
      writer.cell(place.area, places: 1)
      writer.cell(integer: Int64(space.start))
      writer.cell(integer: Int64(space.peak))
      writer.cell(place.area > 0 ? Double(space.peak) / place.area : nil, places: 2)
      writer.cell(word: report.level(of: space).rawValue)
      writer.cell(space.cleared, places: 0)
      try writer.endRow()
    }
    try writer.finish()
  }

  /// One row for each square metre in which people were, in the first replica.
  static func density(_ report: EvacuationReport, to sink: @escaping Sink) throws {
    var writer = try CSVWriter(
      header: ["floor", "x_m", "y_m", "density_maximum_per_m2", "level_of_service", "crowded_s"], sink: sink)
    for cell in report.replicas.first?.cells ?? [] {
      writer.cell(word: "\(cell.floor)")
      writer.cell(integer: Int64(cell.x))
      writer.cell(integer: Int64(cell.y))
      writer.cell(cell.peak, places: 2)
      writer.cell(word: LevelOfService(areaPerPerson: 1 / max(cell.peak, 1e-9)).rawValue)
      writer.cell(cell.crowded, places: 0)
      try writer.endRow()
    }
    try writer.finish()
  }
}
