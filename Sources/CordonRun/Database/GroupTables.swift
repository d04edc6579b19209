import CordonContacts

/// The rows of the tables about groups of spaces, and of figures over replicas.
struct GroupTables {
  var venue: RunVenue
  var outcome: RunOutcome

  /// Writes the tables whose names begin with `group`, in the order of their names.
  func writeGroups<Sink: TableSink>(_ sink: Sink) throws {
    try writeEnsemble(sink)
    try writeFigures(sink)
    try writeOccupancy(sink)
    let members = try sink.rows(of: "group_spaces", columns: "group_number, space")
    for (number, group) in venue.groups.enumerated() {
      for space in group.spaces {
        members.bind(1, Int64(number))
        members.bind(2, Int64(space))
        try members.insert()
      }
    }
    let groups = try sink.rows(of: "groups", columns: "group_number, name, area_m2, capacity")
    for (number, group) in venue.groups.enumerated() {
      groups.bind(1, Int64(number))
      groups.bind(2, group.name)
      groups.bind(3, (venue.area(of: group) * 100).rounded() / 100)
      groups.bind(4, group.capacity.map(Int64.init))
      try groups.insert()
    }
  }

  private func writeEnsemble<Sink: TableSink>(_ sink: Sink) throws {
    let bins = try sink.rows(
      of: "group_ensemble", columns: "row, group_number, bin_start_ms, mean, p05, p50, p95, peak")
    for (index, row) in outcome.groupEnsemble.enumerated() {
      bins.bind(1, Int64(index))
      bins.bind(2, Int64(row.space))
      bins.bind(3, row.binStart)
      bins.bind(4, row.mean)
      bins.bind(5, row.p05)
      bins.bind(6, row.p50)
      bins.bind(7, row.p95)
      bins.bind(8, Int64(row.peak))
      try bins.insert()
    }
  }

  private func writeFigures<Sink: TableSink>(_ sink: Sink) throws {
    let figures = try sink.rows(
      of: "group_figures",
      columns: """
        row, source, group_number, mean, p95, peak, peak_ms, capacity, minutes_over_capacity, m2_per_person, \
        level_of_service, visits, mean_visit_s, stays, median_dwell_s, p95_dwell_s, waits, mean_wait_s, p95_wait_s, \
        minutes_a, minutes_b, minutes_c, minutes_d, minutes_e, minutes_f, minutes_over_capacity_staying, \
        minutes_over_capacity_passing
        """)
    for (index, group) in outcome.groups.enumerated() {
      let row = group.presence
      figures.bind(1, Int64(index))
      figures.bind(2, row.source.rawValue)
      figures.bind(3, Int64(group.number))
      figures.bind(4, row.mean)
      figures.bind(5, row.p95)
      figures.bind(6, Int64(row.peak))
      figures.bind(7, row.peakTime)
      figures.bind(8, row.capacity.map(Int64.init))
      figures.bind(9, row.minutesOverCapacity)
      figures.bind(10, row.areaPerPerson)
      figures.bind(11, row.levelOfService)
      figures.bind(12, row.visits.map(Int64.init))
      figures.bind(13, row.meanVisit)
      figures.bind(14, row.stays.map(Int64.init))
      figures.bind(15, row.medianDwell)
      figures.bind(16, row.p95Dwell)
      figures.bind(17, group.waits.map(Int64.init))
      figures.bind(18, group.meanWait)
      figures.bind(19, group.p95Wait)
      for level in LevelOfService.allCases { figures.bind(Int32(20 + level.index), row.levelMinutes?[level]) }
      figures.bind(26, row.minutesOverCapacityStaying)
      figures.bind(27, row.minutesOverCapacityPassing)
      try figures.insert()
    }
  }

  private func writeOccupancy<Sink: TableSink>(_ sink: Sink) throws {
    let areas = venue.groups.map(venue.area)
    let bins = try sink.rows(
      of: "group_occupancy",
      columns: "row, source, group_number, bin_start_ms, mean, peak, m2_per_person, level_of_service")
    for (index, row) in outcome.groupBins.enumerated() {
      let area = row.peak > 0 ? areas[row.group] / Double(row.peak) : nil
      bins.bind(1, Int64(index))
      bins.bind(2, row.source.rawValue)
      bins.bind(3, Int64(row.group))
      bins.bind(4, row.binStart)
      bins.bind(5, row.mean)
      bins.bind(6, Int64(row.peak))
      bins.bind(7, area.map { ($0 * 1e4).rounded() / 1e4 })
      bins.bind(8, area.map { LevelOfService(areaPerPerson: $0).rawValue })
      try bins.insert()
    }
  }

  /// Writes the table `replica_figures`.
  func writeReplicaFigures<Sink: TableSink>(_ sink: Sink) throws {
    let figures = try sink.rows(
      of: "replica_figures",
      columns: "row, ordinal, space, group_number, figure, replicas, mean, low, high, p05, p95")
    for (index, row) in outcome.replicaFigures.enumerated() {
      var (floor, space, group): (Double?, Int64?, Int64?)
      switch row.subject {
      case .floor(let number): floor = FloorNumber.ordinal(number)
      case .space(let number):
        space = Int64(number)
        floor = venue.floors[venue.spaces[Int(number)].floor].ordinal.value
      case .group(let number): group = Int64(number)
      }
      figures.bind(1, Int64(index))
      figures.bind(2, floor)
      figures.bind(3, space)
      figures.bind(4, group)
      figures.bind(5, row.name.rawValue)
      figures.bind(6, Int64(row.replicas))
      figures.bind(7, row.mean)
      figures.bind(8, row.low.isFinite ? row.low : nil)
      figures.bind(9, row.high.isFinite ? row.high : nil)
      figures.bind(10, row.p05)
      figures.bind(11, row.p95)
      try figures.insert()
    }
  }
}
