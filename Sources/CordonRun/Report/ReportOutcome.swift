import CordonCore

/// The results beyond contacts: crowded places, flows through doors, other thresholds, and battery use. Empty for runs
/// without an outcome.
struct ReportOutcome {
  let contents: RunContents
  let storeys: ReportStoreys

  var html: String {
    let parts = [places, repetitions, flows, queues, thresholds, battery].filter { !$0.isEmpty }
    guard !parts.isEmpty else { return "" }
    return """
      <section id="outcome" aria-labelledby="outcome-title">
      <div class="head"><h2 id="outcome-title">What it comes to</h2></div>
      \(parts.joined(separator: "\n"))
      </section>
      """
  }

  /// The most crowded spaces, by area per person at their peak; spaces above their limit first.
  private var places: String {
    let rows = contents.outcome.places.filter { $0.source == .truth && $0.space != ObservedLocation.noSpace }
    let crowded = rows.filter { $0.peak >= 3 || ($0.minutesOverCapacity ?? 0) > 0 }.sorted { a, b in
      let (x, y) = (a.minutesOverCapacity ?? 0, b.minutesOverCapacity ?? 0)
      if x != y { return x > y }
      return (a.areaPerPerson ?? .infinity, a.space) < (b.areaPerPerson ?? .infinity, b.space)
    }.prefix(12)
    guard !crowded.isEmpty else { return "" }
    let cells = crowded.map { row in
      """
      <tr><th scope="row" class="name">\(HTMLText.escaped(storeys.titles[Int(row.space)]))</th>\
      <td class="n">\(row.peak)</td><td class="n">\(row.capacity.map(String.init) ?? "-")</td>\
      <td class="n">\(row.minutesOverCapacity.map { Quantity.decimal($0, places: 0) } ?? "-")</td>\
      <td class="n">\(Quantity.decimal(row.areaPerPerson ?? 0, places: 1)) m² \(row.levelOfService ?? "")</td>\
      <td class="n wide">\(row.medianDwell.map { Quantity.duration($0) } ?? "-")</td></tr>
      """
    }
    return table(
      "The most crowded spaces", open: true,
      heads: ["space", "most people", "limit", "minutes over it", "a person, at most", "median stay"], rows: cells,
      note: "Letters: level of service after Fruin for people who stand, A (free) to F (packed).")
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
    let rows = (floors + spaces.prefix(12)).map { bin in
      let name =
        bin.space == ObservedLocation.noSpace
        ? storeys.list.first { $0.ordinal.thousandths == bin.floor }?.name ?? "" : storeys.titles[Int(bin.space)]
      return """
        <tr><th scope="row" class="name">\(HTMLText.escaped(name))</th>\
        <td class="n">\(clock.time(Instant(milliseconds: bin.binStart)))</td>\
        <td class="n">\(Quantity.decimal(bin.mean, places: 1))</td><td class="n">\(Quantity.decimal(bin.p05, places: 1))</td>\
        <td class="n">\(Quantity.decimal(bin.p50, places: 1))</td><td class="n">\(Quantity.decimal(bin.p95, places: 1))</td>\
        <td class="n wide">\(bin.peak)</td></tr>
        """
    }
    return table(
      "How it varies from one repetition to the next",
      heads: ["place", "when it is fullest", "people, mean", "5 % quantile", "median", "95 % quantile", "most ever"],
      rows: rows,
      note: "Repetitions have other random numbers. Every time and place is in the table 'ensemble' of the run.")
  }

  private var flows: String {
    var sums: [String: (forward: Int, backward: Int, most: Int)] = [:]
    for row in contents.outcome.flows {
      var sum = sums[row.opening] ?? (0, 0, 0)
      sum.forward += row.forward
      sum.backward += row.backward
      sum.most = max(sum.most, row.forward + row.backward)
      sums[row.opening] = sum
    }
    let busiest = sums.sorted { a, b in
      let (x, y) = (a.value.forward + a.value.backward, b.value.forward + b.value.backward)
      return x != y ? x > y : a.key < b.key
    }.prefix(10)
    guard !busiest.isEmpty else { return "" }
    return table(
      "The busiest doors", heads: ["door", "one way", "the other", "most in a quarter of an hour"],
      rows: busiest.map { door in
        """
        <tr><th scope="row" class="name">\(HTMLText.escaped(door.key))</th>\
        <td class="n">\(HTMLText.number(door.value.forward))</td><td class="n">\(HTMLText.number(door.value.backward))</td>\
        <td class="n">\(HTMLText.number(door.value.most))</td></tr>
        """
      })
  }

  private var queues: String {
    table(
      "Waiting", heads: ["where", "how many", "mean wait", "95 of 100 within", "most at a time"],
      rows: contents.outcome.queues.prefix(12).map { row in
        """
        <tr><th scope="row" class="name">\(HTMLText.escaped("\(row.kind) \(row.place)"))</th>\
        <td class="n">\(HTMLText.number(row.served))</td><td class="n">\(Quantity.duration(row.meanWait))</td>\
        <td class="n">\(Quantity.duration(row.p95Wait))</td><td class="n">\(row.longest)</td></tr>
        """
      })
  }

  private var thresholds: String {
    table(
      "Other distances and durations", heads: ["rule", "true pairs", "found", "right", "time is off by"],
      rows: contents.outcome.thresholds.map { row in
        """
        <tr><th scope="row">\(Quantity.duration(row.duration)) within \(WarningSentence.plain(row.distance)) m</th>\
        <td class="n">\(HTMLText.number(row.truePairs))</td><td class="n">\(Quantity.percent(row.recall))</td>\
        <td class="n">\(Quantity.percent(row.precision))</td>\
        <td class="n">\(row.meanAbsoluteError.map { Quantity.duration($0) } ?? "-")</td></tr>
        """
      })
  }

  private var battery: String {
    let figures = contents.outcome.figures
    func value(_ name: String) -> Double? { figures.first { $0.name == name }.flatMap(\.value) }
    guard let mean = value("battery_percent_mean"), let most = value("battery_percent_p95"), mean > 0 else { return "" }
    return """
      <p class="note">A phone used \(Quantity.decimal(mean, places: 1)) % of its battery for this on average, 95 of 100 \
      at most \(Quantity.decimal(most, places: 1)) %, under the stated energy model.</p>
      """
  }

  private func table(_ title: String, open: Bool = false, heads: [String], rows: [String], note: String = "") -> String
  {
    guard !rows.isEmpty else { return "" }
    let head = heads.enumerated().map { index, name in
      "<th scope=\"col\"\(index > 0 ? " class=\"n\"" : "")>\(name)</th>"
    }
    return """
      <details\(open ? " open" : "")><summary>\(title)</summary><div class="scroll"><table>
      <thead><tr>\(head.joined())</tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table></div>\
      \(note.isEmpty ? "" : "<p class=\"note\">\(note)</p>")</details>
      """
  }
}
