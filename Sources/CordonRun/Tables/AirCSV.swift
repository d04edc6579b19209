import CordonCore

/// The file `air.csv`: one line for each space and bin in which the air differs from that outdoors.
enum AirCSV {
  /// The column names in order.
  static let header = [
    "space", "space_name", "floor", "floor_name", "bin_start", "bin_start_local", "people", "infectious", "co2_ppm",
    "co2_at_end_ppm", "quanta_per_m3", "quanta_at_end_per_m3",
  ]

  static func write(_ air: RunAir, of contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    let zone = LocalTimes(contents: contents)
    var csv = try CSVWriter(header: header, sink: sink)
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
    try csv.finish()
  }
}

/// The file `air-spaces.csv`: one line for each space in which people were.
enum AirSpacesCSV {
  /// The column names in order.
  static let header = [
    "space", "space_name", "floor", "floor_name", "volume_m3", "air_changes_per_h", "filtration_per_h", "mean_co2_ppm",
    "peak_co2_ppm", "mean_quanta_per_m3", "peak_quanta_per_m3",
  ]

  static func write(_ air: RunAir, of contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    var csv = try CSVWriter(header: header, sink: sink)
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
    try csv.finish()
  }
}

/// The file `air-people.csv`: one line for each person who was in a space.
enum AirPeopleCSV {
  /// The column names in order.
  static let header = [
    "person", "population", "health", "mask", "time_s", "mean_co2_ppm", "quanta", "nearby_quanta", "long_range_risk",
    "short_range_risk", "risk", "exposed_s", "exposed_person_s", "maximum_others",
  ]

  static func write(_ air: RunAir, of contents: RunContents, to sink: @escaping ([UInt8]) throws -> Void) throws {
    var csv = try CSVWriter(header: header, sink: sink)
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
    try csv.finish()
  }
}
