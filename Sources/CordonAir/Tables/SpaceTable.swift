/// The spaces and links of a model, read from tables.
package struct SpaceTable: Hashable, Sendable {
  /// The spaces, in the order of the table.
  package var spaces: [AirSpace]

  /// Reads a table of spaces.
  ///
  /// The column `space` has the identifiers. The volume is in `volume` (m³), or the product of `area` (m²) and `height`
  /// (m, 2.7 without it). `air_changes` is per hour. `recirculated` (m³/h) times `filter_efficiency` (0 to 1) is
  /// air that filters clean of quanta.
  /// - Throws: ``AirTableFault`` with the line.
  package init(parsing text: String) throws(AirTableFault) {
    let table = try AirTable(parsing: text)
    let name = try table.required("space")
    let changes = try table.required("air_changes")
    let volume = table.column("volume")
    let area = volume == nil ? try table.required("area") : nil
    var seen: Set<String> = []
    spaces = []
    for row in table.rows {
      let id = row.cells[name]
      guard !id.isEmpty else { throw AirTableFault(line: row.line, message: "has no name of a space") }
      guard seen.insert(id).inserted else { throw AirTableFault(line: row.line, message: "'\(id)' is there twice") }
      var cubic: Double
      if let area {
        cubic =
          try AirTable.number(row, area, "area", in: 0.1...1e7)
          * AirTable.number(row, table.column("height"), "height", in: 1...200, fallback: AirDefaults.ceiling)
      } else {
        cubic = try AirTable.number(row, volume, "volume", in: 0.1...1e9)
      }
      let flow = try AirTable.number(row, table.column("recirculated"), "flow", in: 0...1e7, fallback: 0)
      let share = try AirTable.number(
        row, table.column("filter_efficiency"), "filter efficiency", in: 0...1, fallback: 0)
      spaces.append(
        AirSpace(
          id: id, volume: cubic, airChanges: try AirTable.number(row, changes, "number of air changes", in: 0...1_000),
          filtration: flow * share / cubic))
    }
  }

  /// Reads a table of links: the columns `first` and `second` have identifiers of spaces, and `flow` the exchange in each
  /// direction in cubic metres per hour.
  /// - Throws: ``AirTableFault`` with the line.
  package func links(parsing text: String) throws(AirTableFault) -> [AirLink] {
    let table = try AirTable(parsing: text)
    let columns = (try table.required("first"), try table.required("second"), try table.required("flow"))
    let numbers = Dictionary(uniqueKeysWithValues: spaces.enumerated().map { ($0.element.id, $0.offset) })
    var links: [AirLink] = []
    for row in table.rows {
      guard let first = numbers[row.cells[columns.0]], let second = numbers[row.cells[columns.1]] else {
        let unknown = numbers[row.cells[columns.0]] == nil ? row.cells[columns.0] : row.cells[columns.1]
        throw AirTableFault(line: row.line, message: "'\(unknown.prefix(60))' is not a space of the other table")
      }
      guard first != second else { throw AirTableFault(line: row.line, message: "joins a space with itself") }
      links.append(AirLink(first, second, flow: try AirTable.number(row, columns.2, "flow", in: 0...1e7)))
    }
    return links
  }
}
