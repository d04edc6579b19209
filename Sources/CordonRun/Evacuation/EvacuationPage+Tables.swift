import CordonCore

extension EvacuationPage {
  /// The name of a place; that of stairs states the floor from which people came.
  func name(_ place: EvacuationReplica.Place) -> String {
    place.kind == .stairs ? "\(place.name), from floor \(place.floor)" : place.name
  }

  var exits: String {
    var table = HTMLTable([
      .init(name: "Exit"), .init(name: "Floor"), .init(name: "Width, m"), .init(name: "People, mean"),
      .init(name: "Last, min"), .init(name: "Most in a minute"),
    ])
    for exit in report.exits {
      let passage = report.replicas.first?.passages.first { $0.place.kind == .exit && $0.place.id == exit.id }
      table.add(
        HTMLText.escaped(HTMLText.readable(exit.name)),
        [
          .init(html: "\(exit.floor)"),
          .init(html: Quantity.decimal(exit.width, places: 2) + (exit.isAssumedWidth ? " (assumed)" : "")),
          .init(html: exit.isClosed ? "closed" : Quantity.decimal(report.mean(of: exit), places: 1)),
          .init(html: passage?.times.last.map(Self.clock) ?? "-"),
          .init(html: "\(passage?.maximumPerMinute ?? 0)"),
        ])
    }
    return table.html(style: "sortable")
  }

  var stairs: String {
    let list = report.passages.filter { $0.place.kind == .stairs }.sorted { $0.place < $1.place }
    guard !list.isEmpty else { return "" }
    var table = HTMLTable([
      .init(name: "Stairs"), .init(name: "People, mean"), .init(name: "Last, min"), .init(name: "Most in a minute"),
      .init(name: "Waited, s each"),
    ])
    for item in list {
      let passage = report.replicas.first?.passages.first { $0.place == item.place }
      table.add(
        HTMLText.escaped(HTMLText.readable(name(item.place))),
        [
          .init(html: Quantity.decimal(item.passed, places: 1)),
          .init(html: passage?.times.last.map(Self.clock) ?? "-"),
          .init(html: "\(passage?.maximumPerMinute ?? 0)"),
          .init(html: Quantity.decimal(item.waiting / max(item.passed, 1e-9), places: 1)),
        ])
    }
    return chart("People who passed, by stairs and floor of departure", .stairs) + table.html(style: "sortable")
  }

  var bottlenecks: String {
    let list = report.passages.filter { $0.waiting > 0 }
    guard !list.isEmpty else { return "<p>Nobody waited.</p>" }
    var table = HTMLTable([
      .init(name: "Place"), .init(name: "Kind", isText: true), .init(name: "Floor"), .init(name: "People, mean"),
      .init(name: "Waited, s each"), .init(name: "Longest wait, s"), .init(name: "Most who waited"),
    ])
    for item in list.prefix(20) {
      let passage = report.replicas.first?.passages.first { $0.place == item.place }
      table.add(
        HTMLText.escaped(HTMLText.readable(name(item.place))),
        [
          .init(html: item.place.kind.rawValue), .init(html: "\(item.place.floor)"),
          .init(html: Quantity.decimal(item.passed, places: 1)),
          .init(html: Quantity.decimal(item.waiting / max(item.passed, 1e-9), places: 1)),
          .init(html: Quantity.decimal(item.longest, places: 1)), .init(html: "\(passage?.peakQueue ?? 0)"),
        ])
    }
    return table.html(style: "sortable")
      + "<p class=\"note\">People wait while they walk slower than 0.2 m/s; the wait counts for the next door, stairs or exit that they pass. All places are in bottlenecks.csv.</p>"
  }

  var spaces: String {
    let list = (report.replicas.first?.spaces ?? []).sorted {
      $0.peak != $1.peak ? $0.peak > $1.peak : $0.number < $1.number
    }
    guard !list.isEmpty else { return "" }
    let titles = report.venue.distinctTitles
    var table = HTMLTable([
      .init(name: "Space"), .init(name: "At the start"), .init(name: "Most people"),
      .init(name: "Level of service", isText: true), .init(name: "Empty after, min"),
    ])
    for space in list.prefix(30) {
      table.add(
        HTMLText.escaped(titles[space.number]),
        [
          .init(html: "\(space.start)"), .init(html: "\(space.peak)"),
          .init(html: report.level(of: space).rawValue),
          .init(html: space.cleared.map(Self.clock) ?? "not empty"),
        ])
    }
    return table.html(style: "sortable")
      + "<p class=\"note\">First replica. Levels of service for queues after Fruin (1971). All spaces are in spaces.csv.</p>"
  }

  var assumptions: String {
    let rows = report.parameters.map {
      "<div><dt>\(HTMLText.escaped($0.name))</dt><dd>\(HTMLText.escaped(HTMLText.readable($0.value)))</dd></div>"
    }
    let notes = report.notes.map { "<li>\(HTMLText.escaped(HTMLText.readable($0)))</li>" }
    let command = origin.command.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
    return """
      <dl class="assumed">\(rows.joined())</dl>\(notes.isEmpty ? "" : "<ul class=\"note\">\(notes.joined())</ul>")
      <p class="note">Repeat with: <code>\(HTMLText.escaped(command))</code></p>
      """
  }
}
