/// The tables of the air in `run.sqlite`; without rows for a run without air.
struct AirTables {
  let air: RunAir?

  func write<Sink: TableSink>(to sink: Sink) throws {
    try writeBins(sink)
    try writePeople(sink)
    try writeSpaces(sink)
  }

  private func writeBins<Sink: TableSink>(_ sink: Sink) throws {
    let rows = try sink.rows(
      of: "air",
      columns: """
        row, space, bin_start_ms, people, infectious, co2_ppm, co2_at_end_ppm, quanta_per_m3, quanta_at_end_per_m3
        """)
    for (index, bin) in (air?.bins ?? []).enumerated() {
      rows.bind(1, Int64(index))
      rows.bind(2, Int64(bin.space))
      rows.bind(3, bin.start)
      rows.bind(4, bin.people)
      rows.bind(5, bin.infectious)
      rows.bind(6, bin.co2)
      rows.bind(7, bin.co2AtEnd)
      rows.bind(8, bin.quanta)
      rows.bind(9, bin.quantaAtEnd)
      try rows.insert()
    }
  }

  private func writePeople<Sink: TableSink>(_ sink: Sink) throws {
    let rows = try sink.rows(
      of: "air_people",
      columns: """
        person, health, mask, time_s, mean_co2_ppm, quanta, nearby_quanta, long_range_risk, short_range_risk, risk, \
        exposed_s, exposed_person_s, maximum_others
        """)
    for (number, person) in (air?.people ?? []).enumerated() where person.seconds > 0 {
      rows.bind(1, Int64(number))
      rows.bind(2, person.health.rawValue)
      rows.bind(3, Int64(person.wearsMask ? 1 : 0))
      rows.bind(4, person.seconds)
      rows.bind(5, person.meanCO2)
      rows.bind(6, person.quanta)
      rows.bind(7, person.nearbyQuanta)
      rows.bind(8, person.longRangeRisk)
      rows.bind(9, person.shortRangeRisk)
      rows.bind(10, person.risk)
      rows.bind(11, person.exposedSeconds)
      rows.bind(12, person.exposedPersonSeconds)
      rows.bind(13, Int64(person.maximumOthers))
      try rows.insert()
    }
  }

  private func writeSpaces<Sink: TableSink>(_ sink: Sink) throws {
    let rows = try sink.rows(
      of: "air_spaces",
      columns: """
        space, volume_m3, air_changes_per_h, filtration_per_h, mean_co2_ppm, peak_co2_ppm, mean_quanta_per_m3, \
        peak_quanta_per_m3
        """)
    for (number, space) in (air?.spaces ?? []).enumerated() {
      rows.bind(1, Int64(number))
      rows.bind(2, space.volume)
      rows.bind(3, space.airChanges)
      rows.bind(4, space.filtration)
      rows.bind(5, space.meanCO2)
      rows.bind(6, space.peakCO2)
      rows.bind(7, space.meanQuanta)
      rows.bind(8, space.peakQuanta)
      try rows.insert()
    }
  }
}

extension RunReader {
  /// Returns the air of the spaces by number; empty for a run without air.
  package func airSpaces() throws -> [RunAir.Space] {
    let sql = """
      SELECT space, volume_m3, air_changes_per_h, filtration_per_h, mean_co2_ppm, peak_co2_ppm, mean_quanta_per_m3,
        peak_quanta_per_m3
      FROM air_spaces ORDER BY space
      """
    var next = 0
    return try rows(sql, table: "air_spaces") { row in
      guard try row[0] as Int == next else { throw damaged("air_spaces") }
      next += 1
      return RunAir.Space(
        volume: try row[1], airChanges: try row[2], filtration: try row[3], meanCO2: try row[4], peakCO2: try row[5],
        meanQuanta: try row[6], peakQuanta: try row[7])
    }
  }

  /// Returns the figures of a run whose names begin with a text, in the order of their names.
  package func figures(prefix: String) throws -> [(name: String, value: Double)] {
    try rows(
      "SELECT name, value FROM figures WHERE substr(name, 1, length(?1)) = ?1 AND value IS NOT NULL ORDER BY name",
      prefix, table: "figures"
    ) { row in (try row[0], try row[1]) }
  }
}
