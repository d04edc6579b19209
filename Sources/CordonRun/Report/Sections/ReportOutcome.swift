import CordonCore

/// The results beyond rooms and contacts: queues, doors, repetitions, other thresholds, and battery use. Empty for runs
/// without an outcome.
struct ReportOutcome {
  let contents: RunContents
  let storeys: ReportStoreys

  var html: String {
    let parts = [queues, doors, repetitions, thresholds, battery].filter { !$0.isEmpty }
    guard !parts.isEmpty else { return "" }
    return """
      <section id="outcome" aria-labelledby="outcome-title">
      <div class="head"><h2 id="outcome-title">Queues, doors and other results</h2></div>
      \(parts.joined(separator: "\n"))
      </section>
      """
  }

  private var queues: String {
    var table = HTMLTable([
      .init(name: "place"), .init(name: "kind", isText: true), .init(name: "arrivals"), .init(name: "mean wait"),
      .init(name: "95 of 100 wait at most"), .init(name: "mean length"), .init(name: "longest queue"),
    ])
    let order = contents.outcome.queues.sorted { a, b in
      let (x, y) = (a.meanWait * Double(a.served), b.meanWait * Double(b.served))
      return x != y ? x > y : (a.kind, a.place) < (b.kind, b.place)
    }
    let names = DistinctNames.numbered(order.map { $0.title(in: contents.venue, titles: storeys.titles) })
    for (row, name) in zip(order, names).prefix(40) {
      table.add(
        HTMLText.escaped(HTMLText.readable(name)),
        [
          .init(html: HTMLText.escaped(row.kind)), .init(html: HTMLText.number(row.served)),
          .init(html: Quantity.duration(row.meanWait)), .init(html: Quantity.duration(row.p95Wait)),
          .init(html: Quantity.decimal(row.meanLength, places: 1)), .init(html: HTMLText.number(row.longest)),
        ])
    }
    let more = order.count > 40 ? " The 40 places with the most waiting time; queues.csv has all." : ""
    return table.details(
      "Queues", open: true, note: "Arrivals include people who did not have to wait.\(more)")
  }

  private var doors: String {
    struct Sum {
      var forward = 0
      var backward = 0
      var most = 0
      var total: Int { forward + backward }
    }
    var sums: [String: Sum] = [:]
    for row in contents.outcome.flows {
      sums[row.opening, default: Sum()].forward += row.forward
      sums[row.opening, default: Sum()].backward += row.backward
      sums[row.opening, default: Sum()].most = max(sums[row.opening]?.most ?? 0, row.forward + row.backward)
    }
    let openings = Dictionary(contents.venue.openings.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var table = HTMLTable([
      .init(name: "door"), .init(name: "one way", isText: true), .init(name: "other way", isText: true),
      .init(name: "maximum in 15 min"),
    ])
    let order = sums.keys.sorted { a, b in
      let (x, y) = (sums[a]?.total ?? 0, sums[b]?.total ?? 0)
      return x != y ? x > y : a < b
    }
    for id in order.prefix(12) {
      let sum = sums[id] ?? Sum()
      let opening = openings[id]
      table.add(
        HTMLText.escaped(HTMLText.readable(opening?.name ?? id)),
        [
          .init(html: passages(sum.forward, to: opening?.right)),
          .init(html: passages(sum.backward, to: opening?.left)),
          .init(html: HTMLText.number(sum.most)),
        ])
    }
    return table.details("The busiest doors", note: "flows.csv has every door and quarter of an hour.")
  }

  /// Returns a number of passages with their direction, if it is known.
  private func passages(_ count: Int, to space: Int32?) -> String {
    guard let space else { return HTMLText.number(count) }
    let place = contents.venue.spaces.indices.contains(Int(space)) ? contents.venue.spaces[Int(space)].title : "outside"
    return "\(HTMLText.number(count)) to \(HTMLText.escaped(HTMLText.readable(place)))"
  }

  /// The fullest time of every floor and of the fullest spaces, and its variation over replicas.
  private var repetitions: String {
    struct Location: Hashable {
      var floor: Int32
      var space: Int32
    }
    var fullest: [Location: RunOutcome.EnsembleBin] = [:]
    for bin in contents.outcome.ensemble {
      let location = Location(floor: bin.floor, space: bin.space)
      if let known = fullest[location], (known.p95, known.mean) >= (bin.p95, bin.mean) { continue }
      fullest[location] = bin
    }
    let floors = fullest.values.filter { $0.space == ObservedLocation.noSpace }.sorted { $0.floor < $1.floor }
    let spaces = fullest.values.filter { storeys.titles.indices.contains(Int($0.space)) }.sorted { a, b in
      (-a.p95, -a.mean, a.space) < (-b.p95, -b.mean, b.space)
    }
    let clock = ReportClock(zone: contents.venue.timeZone)
    var table = HTMLTable([
      .init(name: "place"), .init(name: "fullest at"), .init(name: "mean"), .init(name: "5 % quantile"),
      .init(name: "median"), .init(name: "95 % quantile"), .init(name: "maximum"),
    ])
    for bin in floors + spaces.prefix(12) {
      let name =
        bin.space == ObservedLocation.noSpace
        ? storeys.list.first { $0.ordinal.thousandths == bin.floor }?.name ?? "" : storeys.titles[Int(bin.space)]
      table.add(
        HTMLText.escaped(name),
        [
          .init(html: clock.time(Instant(milliseconds: bin.binStart))),
          .init(html: Quantity.decimal(bin.mean, places: 1)), .init(html: Quantity.decimal(bin.p05, places: 1)),
          .init(html: Quantity.decimal(bin.p50, places: 1)), .init(html: Quantity.decimal(bin.p95, places: 1)),
          .init(html: HTMLText.number(Int(bin.peak))),
        ])
    }
    return table.details(
      "How the number of people differs from one repetition to the next",
      note:
        "Repetitions have other random numbers. All times and places are in the tables 'ensemble' and 'group_ensemble' of run.sqlite."
    )
  }

  private var thresholds: String {
    var table = HTMLTable([
      .init(name: "rule"), .init(name: "true pairs"), .init(name: "pairs found (recall)"),
      .init(name: "found pairs that are true (precision)"), .init(name: "mean error of a pair's time"),
    ])
    for row in contents.outcome.thresholds {
      table.add(
        "\(Quantity.duration(row.duration)) within \(WarningSentence.plain(row.distance))\u{a0}m",
        [
          .init(html: HTMLText.number(row.truePairs)), .init(html: Quantity.percent(row.recall)),
          .init(html: Quantity.percent(row.precision)),
          .init(html: row.meanAbsoluteError.map { Quantity.duration($0) } ?? "-"),
        ])
    }
    return table.details("Pairs found with other distances and durations")
  }

  private var battery: String {
    let figures = contents.outcome.figures
    func value(_ name: String) -> Double? { figures.first { $0.name == name }.flatMap(\.value) }
    guard let mean = value("battery_percent_mean"), let most = value("battery_percent_p95"), mean > 0 else { return "" }
    return """
      <p class="note">A phone used \(Quantity.decimal(mean, places: 1)) % of its battery on average, and 95 of 100 phones at most \
      \(Quantity.decimal(most, places: 1)) %, under the scenario's energy model.</p>
      """
  }
}
