package import CordonSupport

/// The spaces and links of a model, read from tables.
package struct SpaceTable: Hashable, Sendable {
  /// The spaces, in the order of the table.
  package var spaces: [AirSpace]

  /// Reads a table of spaces.
  ///
  /// The column `space` has the identifiers. The volume is in `volume` (m³), or the product of `area` (m²) and `height`
  /// (m, 2.7 without it). `air_changes` is per hour. `recirculated` (m³/h) times `filter_efficiency` (0 to 1) is
  /// air that filters clean of quanta.
  /// - Throws: ``TableError`` with line and column.
  package init(parsing text: String) throws(TableError) {
    let table = try SpreadsheetTable(air: text)
    let name = try table.required("space")
    let changes = try table.required("air_changes")
    let volume = table.column(["volume"])
    let area = volume == nil ? try table.required("area") : nil
    let (height, flow) = (table.column(["height"]), table.column(["recirculated"]))
    let efficiency = table.column(["filter_efficiency"])
    var seen: Set<String> = []
    spaces = []
    for row in table.rows {
      let id = table.name(row, name)
      guard !id.isEmpty else { throw table.fault(row, name, "has no name of a space") }
      guard seen.insert(id).inserted else { throw table.fault(row, name, "'\(id)' is there twice") }
      var cubic = 0.0
      if let volume {
        cubic = try table.requiredNumber(row, volume, in: 0.1...1e9, of: "volume")
      } else if let area {
        cubic =
          try table.requiredNumber(row, area, in: 0.1...1e7, of: "area")
          * (table.number(row, height, in: 1...200, of: "height") ?? AirDefaults.ceiling)
      }
      let cleaned =
        try (table.number(row, flow, in: 0...1e7, of: "flow") ?? 0)
        * (table.number(row, efficiency, in: 0...1, of: "filter efficiency") ?? 0)
      spaces.append(
        AirSpace(
          id: id, volume: cubic,
          airChanges: try table.requiredNumber(row, changes, in: 0...1_000, of: "number of air changes"),
          filtration: cleaned / cubic))
    }
  }

  /// Reads a table of links: the columns `first` and `second` have identifiers of spaces, and `flow` the exchange in each
  /// direction in cubic metres per hour.
  /// - Throws: ``TableError`` with line and column.
  package func links(parsing text: String) throws(TableError) -> [AirLink] {
    let table = try SpreadsheetTable(air: text)
    let columns = (try table.required("first"), try table.required("second"), try table.required("flow"))
    let numbers = Dictionary(uniqueKeysWithValues: spaces.enumerated().map { ($0.element.id, $0.offset) })
    var links: [AirLink] = []
    for row in table.rows {
      func space(_ column: Int) throws(TableError) -> Int {
        let name = table.name(row, column)
        guard let number = numbers[name] else {
          throw table.fault(row, column, "'\(name.prefix(60))' is not a space of the other table")
        }
        return number
      }
      let (first, second) = (try space(columns.0), try space(columns.1))
      guard first != second else { throw table.fault(row, columns.1, "joins a space with itself") }
      links.append(AirLink(first, second, flow: try table.requiredNumber(row, columns.2, in: 0...1e7, of: "flow")))
    }
    return links
  }
}
