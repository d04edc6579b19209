import CordonContacts
import CordonCore

/// All rooms and groups in one table, which the script sorts and filters.
struct ReportPlaces {
  let contents: RunContents
  let storeys: ReportStoreys
  let occupancy: ReportOccupancy

  private static let columns: [HTMLTable.Column] = [
    .init(name: "place"), .init(name: "kind", isText: true), .init(name: "group", isText: true),
    .init(name: "area, m²"), .init(name: "limit", title: "the maximum number of people that a rule permits"),
    .init(name: "mean", title: "mean number over the run"),
    .init(name: "95 % of the time at most", title: "95 % quantile over the bins of time"),
    .init(name: "maximum", title: "maximum number at one time"),
    .init(name: "minutes above limit", title: "minutes of bins in which more people than the limit were there"),
    .init(
      name: "staying, passing",
      title:
        "the part of these minutes in which more people than the limit stayed, and the part in which only people who "
        + "passed through made the difference"),
    .init(name: "visits", title: "times that somebody came in, also to walk through"),
    .init(name: "mean visit", title: "mean time between coming in and going out"),
    .init(
      name: "m² per person at maximum (level)",
      title: "floor area per person at the fullest moment, and its level of service after Fruin"),
  ]

  var html: String {
    guard let source = occupancy.sources.first, !contents.venue.spaces.isEmpty else { return "" }
    var table = HTMLTable(ReportPlaces.columns)
    table.omitsEmptyColumns = true
    let replicas = Dictionary(grouping: contents.outcome.replicaFigures, by: \.subject)
    for group in contents.outcome.groups where group.presence.source == source {
      let own = contents.venue.groups[group.number]
      table.add(
        HTMLText.escaped(own.name),
        [
          .init(html: "group of \(HTMLText.count(own.spaces.count, "space", "spaces"))"), .init(html: ""),
          number(contents.venue.area(of: own), places: 0),
        ] + cells(group.presence, replicas[.group(group.number)] ?? []), style: "whole")
    }
    let rows = rows(source)
    let means = contents.venue.spaces.indices.map { space in
      replicas[.space(Int32(space))]?.first { $0.name == .mean }?.mean ?? rows[space]?.mean ?? 0
    }
    let order = means.indices.sorted { means[$0] != means[$1] ? means[$0] > means[$1] : $0 < $1 }
    var unvisited = 0
    for space in order {
      let kind = contents.venue.spaces[space].kind
      let row = rows[space]
      if row == nil, ReportStoreys.voids.contains(kind) { continue }
      unvisited += row == nil ? 1 : 0
      table.add(
        HTMLText.escaped(storeys.titles[space]),
        [
          .init(html: HTMLText.escaped(HTMLText.readable(kind.replacing("-", with: " ")))),
          .init(html: HTMLText.escaped(contents.venue.groups(ofSpace: space).joined(separator: ", "))),
          number(contents.venue.spaces[space].area, places: 0),
        ] + cells(row, replicas[.space(Int32(space))] ?? []))
    }
    return """
      <div class="table-controls" id="place-controls" data-needs-script hidden>\
      <label>Filter <input type="search" id="place-filter" placeholder="name, kind or group"></label>\
      <label>Sort by <select id="place-sort"></select></label>\
      <p id="place-count" role="status" class="small"></p></div>
      \(table.html(id: "places"))
      <p class="note">\(note(source, unvisited: unvisited))</p>
      """
  }

  /// The figures of spaces; without an outcome, those that the occupancy gives.
  private func rows(_ source: RunSource) -> [Int: RunOutcome.Place] {
    let known = contents.outcome.places.filter { $0.source == source && $0.space != ObservedLocation.noSpace }
    guard known.isEmpty else {
      return Dictionary(known.map { (Int($0.space), $0) }, uniquingKeysWith: { first, _ in first })
    }
    let spaces = occupancy.records[source]?.spaces ?? [:]
    return Dictionary(
      uniqueKeysWithValues: spaces.map { space, series in
        let sorted = series.means.sorted()
        let row = RunOutcome.Place(
          source: source, floor: Segment.unknownFloor, space: Int32(space),
          mean: series.means.reduce(0, +) / Double(occupancy.binCount),
          p95: sorted[min(Int(0.95 * Double(sorted.count)), sorted.count - 1)], peak: Int32(series.peak), peakTime: 0)
        return (space, row)
      })
  }

  private func cells(_ row: RunOutcome.Place?, _ replicas: [RunOutcome.ReplicaFigure]) -> [HTMLTable.Cell] {
    func figure(_ name: RunOutcome.ReplicaFigure.Name, _ value: Double, places: Int) -> HTMLTable.Cell {
      guard let known = replicas.first(where: { $0.name == name }) else { return number(value, places: places) }
      var html = Quantity.decimal(known.mean, places: 1)
      if known.low.isFinite, known.high.isFinite {
        html +=
          "<small>\(Quantity.decimal(max(known.low, 0), places: 1)) to \(Quantity.decimal(known.high, places: 1))</small>"
      }
      return HTMLTable.Cell(html: html, value: known.mean)
    }
    let whole = { (value: Double) in HTMLText.number(Int(value.rounded())) }
    var cells = [cell(row?.capacity.map(Double.init), whole)]
    cells.append(figure(.mean, row?.mean ?? 0, places: 1))
    cells.append(figure(.p95, row?.p95 ?? 0, places: 1))
    cells.append(figure(.peak, Double(row?.peak ?? 0), places: 0))
    if let minutes = row?.minutesOverCapacity {
      cells.append(figure(.minutesOverCapacity, minutes, places: 0))
    } else {
      cells.append(cell(nil, whole))
    }
    cells.append(reasons(row, replicas))
    cells.append(cell(row == nil ? 0 : row?.visits.map(Double.init), whole))
    cells.append(cell(row?.meanVisit, Quantity.duration))
    let level = row?.levelOfService ?? ""
    cells.append(
      cell(row?.areaPerPerson, missing: 1e9) { "\(Quantity.decimal($0, places: 1))\u{a0}(\(level))" })
    return cells
  }

  /// Returns the minutes above the limit by reason, sorted by those of people who stay.
  private func reasons(_ row: RunOutcome.Place?, _ replicas: [RunOutcome.ReplicaFigure]) -> HTMLTable.Cell {
    func minutes(_ name: RunOutcome.ReplicaFigure.Name, _ value: Double?) -> (value: Double, text: String)? {
      if let known = replicas.first(where: { $0.name == name }) {
        return (known.mean, Quantity.decimal(known.mean, places: 1))
      }
      return value.map { ($0, HTMLText.number(Int($0.rounded()))) }
    }
    guard let staying = minutes(.minutesOverCapacityStaying, row?.minutesOverCapacityStaying),
      let passing = minutes(.minutesOverCapacityPassing, row?.minutesOverCapacityPassing)
    else { return cell(nil) { _ in "" } }
    return HTMLTable.Cell(html: "\(staying.text), \(passing.text)", value: staying.value)
  }

  /// Returns a cell with a value that may be unknown; `missing` sorts it then.
  private func cell(_ value: Double?, missing: Double = -1, _ text: (Double) -> String) -> HTMLTable.Cell {
    value.map { HTMLTable.Cell(html: text($0), value: $0) } ?? HTMLTable.Cell(html: "-", value: missing)
  }

  private func number(_ value: Double, places: Int) -> HTMLTable.Cell {
    .init(
      html: places == 0 ? HTMLText.number(Int(value.rounded())) : Quantity.decimal(value, places: places), value: value)
  }

  private func note(_ source: RunSource, unvisited: Int) -> String {
    let who = source == .truth ? "People" : "Devices, as observed"
    var text = "\(who), from the bins of \(contents.parameters.occupancyBin). "
    if let replicas = contents.outcome.replicaFigures.map(\.replicas).max() {
      text +=
        "Mean, quantile, maximum and minutes are means over \(replicas) repetitions; small figures are their 95 % confidence intervals. "
    }
    if unvisited > 0 { text += "\(HTMLText.count(unvisited, "space was", "spaces were")) never entered. " }
    text += """
      Levels of service after Fruin for people who stand: A from 1.21 m² per person, B from 0.93, C from 0.65, D from 0.28, \
      E from 0.19, F below. <code>spaces.csv</code> and <code>groups.csv</code> hold the table.
      """
    return text
  }
}
