import CordonCore

/// The file `pairs.csv`: one line for each pair of people or devices with a contact.
enum PairsCSV {
  /// The column names in order.
  static let header = [
    "source", "first_person", "first_device", "first_population", "second_person", "second_device",
    "second_population", "contacts", "contact_s", "longest_s", "min_distance_m", "start", "start_local", "end",
    "end_local", "longest_space", "longest_space_name",
  ]

  static func write(
    _ contents: RunContents, totals: PairTotals, to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let zone = LocalTimes(contents: contents)
    var csv = try CSVWriter(header: header, sink: sink)
    for pair in totals.pairs {
      csv.cell(word: pair.source.rawValue)
      for person in [pair.first, pair.second] {
        csv.cell(integer: Int64(person))
        csv.cell(text: contents.people[Int(person)].device?.rawValue ?? "")
        csv.cell(text: contents.people[Int(person)].population)
      }
      csv.cell(integer: Int64(pair.contacts))
      csv.cell(Double(pair.total) / 1e6, places: 3)
      csv.cell(Double(pair.longest) / 1e6, places: 3)
      csv.cell(pair.minimumDistance, places: 4)
      csv.cells(time: CSVWriter.milliseconds(pair.start), in: zone)
      csv.cells(time: CSVWriter.milliseconds(pair.end), in: zone)
      csv.cells(space: pair.space, of: contents.venue)
      try csv.endRow()
    }
    try csv.finish()
  }
}

/// The file `people.csv`: one line for each person who came in.
enum PeopleCSV {
  /// The column names in order.
  static let header = [
    "person", "device", "population", "arrival", "arrival_local", "departure", "departure_local", "inside_s",
    "true_others", "true_long_pairs", "true_contact_s", "observed_others", "observed_long_pairs",
    "observed_contact_s",
  ]

  static func write(
    _ contents: RunContents, totals: PairTotals, to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let zone = LocalTimes(contents: contents)
    var csv = try CSVWriter(header: header, sink: sink)
    for (number, person) in contents.people.enumerated() where person.cameIn {
      csv.cell(integer: Int64(number))
      csv.cell(text: person.device?.rawValue ?? "")
      csv.cell(text: person.population)
      csv.cells(time: person.arrival?.milliseconds, in: zone)
      csv.cells(time: person.departure?.milliseconds, in: zone)
      csv.cell(person.timeInside?.seconds, places: 3)
      for source in RunSource.allCases {
        // Truth is unknown without segments; a person without a device cannot be observed.
        let isKnown = source == .truth ? !contents.truth.isEmpty : person.device != nil
        let contacts = isKnown ? totals.people[source]?[number] ?? PairTotals.Person() : nil
        csv.cell(integer: contacts?.others)
        csv.cell(integer: contacts?.longPairs)
        csv.cell(contacts.map { Double($0.total) / 1e6 }, places: 3)
      }
      try csv.endRow()
    }
    try csv.finish()
  }
}
