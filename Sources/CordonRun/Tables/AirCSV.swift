import CordonCore

/// A table of the air as a CSV file: the rows of one part of ``RunAir``.
struct AirCSV: Sendable {
  /// The name of the file.
  let name: String
  /// The column names in order.
  let header: [String]
  /// Writes the cells of all rows.
  private let rows: @Sendable (RunAir, RunContents, inout CSVWriter) throws -> Void

  /// The tables of a run with air.
  static let all = [bins, spaces, people]

  /// Writes the file.
  func write(_ air: RunAir, of contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    var csv = try CSVWriter(header: header, sink: sink)
    try rows(air, contents, &csv)
    try csv.finish()
  }

  /// One line for each space and bin in which the air differs from that outdoors.
  static let bins = AirCSV(
    name: "air.csv",
    header: [
      "space", "space_name", "floor", "floor_name", "bin_start", "bin_start_local", "people", "infectious", "co2_ppm",
      "co2_at_end_ppm", "quanta_per_m3", "quanta_at_end_per_m3",
    ]
  ) { air, contents, csv in
    let zone = LocalTimes(contents: contents)
    for bin in air.bins {
      let floor = contents.venue.floors[contents.venue.spaces[Int(bin.space)].floor]
      csv.cells(space: bin.space, of: contents.venue)
      csv.cells(floor: floor.ordinal.thousandths, of: contents.venue)
      csv.cells(time: bin.start, in: zone)
      csv.cell(bin.people, places: 3)
      csv.cell(bin.infectious, places: 3)
      csv.cell(bin.co2, places: 2)
      csv.cell(bin.co2AtEnd, places: 2)
      csv.cell(bin.quanta, places: 9)
      csv.cell(bin.quantaAtEnd, places: 9)
      try csv.endRow()
    }
  }

  /// One line for each space in which people were.
  static let spaces = AirCSV(
    name: "air-spaces.csv",
    header: [
      "space", "space_name", "floor", "floor_name", "volume_m3", "air_changes_per_h", "filtration_per_h",
      "mean_co2_ppm",
      "peak_co2_ppm", "mean_quanta_per_m3", "peak_quanta_per_m3",
    ]
  ) { air, contents, csv in
    for (number, space) in air.spaces.enumerated() where space.meanCO2 != nil {
      let floor = contents.venue.floors[contents.venue.spaces[number].floor]
      csv.cells(space: Int32(number), of: contents.venue)
      csv.cells(floor: floor.ordinal.thousandths, of: contents.venue)
      csv.cell(space.volume, places: 1)
      csv.cell(space.airChanges, places: 3)
      csv.cell(space.filtration, places: 3)
      csv.cell(space.meanCO2, places: 2)
      csv.cell(space.peakCO2, places: 2)
      csv.cell(space.meanQuanta, places: 9)
      csv.cell(space.peakQuanta, places: 9)
      try csv.endRow()
    }
  }

  /// One line for each person who was in a space.
  static let people = AirCSV(
    name: "air-people.csv",
    header: [
      "person", "population", "health", "mask", "time_s", "mean_co2_ppm", "quanta", "nearby_quanta", "long_range_risk",
      "short_range_risk", "risk", "exposed_s", "exposed_person_s", "maximum_others",
    ]
  ) { air, contents, csv in
    for (number, person) in air.people.enumerated() where person.seconds > 0 {
      csv.cell(integer: Int64(number))
      csv.cell(text: contents.people[number].population)
      csv.cell(word: person.health.rawValue)
      csv.cell(integer: person.wearsMask ? 1 : 0)
      csv.cell(person.seconds, places: 3)
      csv.cell(person.meanCO2, places: 2)
      csv.cell(person.quanta, places: 9)
      csv.cell(person.nearbyQuanta, places: 9)
      csv.cell(person.longRangeRisk, places: 9)
      csv.cell(person.shortRangeRisk, places: 9)
      csv.cell(person.risk, places: 9)
      csv.cell(person.exposedSeconds, places: 1)
      csv.cell(person.exposedPersonSeconds, places: 1)
      csv.cell(integer: Int64(person.maximumOthers))
      try csv.endRow()
    }
  }
}
