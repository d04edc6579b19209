import CordonCore

/// The contacts between populations, and the places of long contacts.
struct ReportMixing {
  let contents: RunContents
  let storeys: ReportStoreys
  let totals: PairTotals

  /// The record that is shown: the truth if it is known.
  private var source: RunSource { contents.truth.isEmpty ? .observed : .truth }

  private var minutes: String { WarningSentence.plain(contents.parameters.warningThreshold.seconds / 60) }

  var html: String { matrix + places }

  private struct Meeting {
    var longPairs = 0
    var total: Int64 = 0
  }

  /// The contacts between populations as a matrix; empty with fewer than two populations.
  private var matrix: String {
    var names: [String] = []
    var numbers: [String: Int] = [:]
    var sizes: [Int] = []
    var populationOf = [Int](repeating: -1, count: contents.people.count)
    for (person, known) in contents.people.enumerated() where known.cameIn {
      guard source == .truth || known.device != nil else { continue }
      let number = numbers[known.population] ?? names.count
      if number == names.count {
        numbers[known.population] = number
        names.append(known.population)
        sizes.append(0)
      }
      populationOf[person] = number
      sizes[number] += 1
    }
    guard names.count > 1, names.count <= 40 else { return "" }
    var meetings = [[Meeting]](repeating: [Meeting](repeating: Meeting(), count: names.count), count: names.count)
    for pair in totals.pairs where pair.source == source {
      let (a, b) = (populationOf[Int(pair.first)], populationOf[Int(pair.second)])
      guard a >= 0, b >= 0 else { continue }
      let isLong = pair.total >= totals.threshold
      for (row, column) in a == b ? [(a, b)] : [(a, b), (b, a)] {
        meetings[row][column].longPairs += isLong ? 1 : 0
        meetings[row][column].total += pair.total
      }
    }
    let scale = HeatScale(maximum: meetings.joined().map { Double($0.total) / 3.6e9 }.max() ?? 0)
    func title(_ number: Int) -> String { names[number].isEmpty ? "no population" : HTMLText.readable(names[number]) }
    var table = HTMLTable(
      [HTMLTable.Column(name: "")] + names.indices.map { HTMLTable.Column(name: "\(title($0)) (\(sizes[$0]))") })
    for row in names.indices {
      table.add(
        HTMLText.escaped("\(title(row)) (\(sizes[row]))"),
        meetings[row].map { meeting in
          let hours = Double(meeting.total) / 3.6e9
          return HTMLTable.Cell(
            html:
              "<b>\(HTMLText.count(meeting.longPairs, "pair", "pairs"))</b><small>\(Quantity.duration(hours * 3_600))</small>",
            level: scale.level(of: hours))
        })
    }
    let who = source == .truth ? "people" : "devices, as observed"
    return """
      <h3 class="sub" id="mixing">Contacts between populations: who meets whom</h3>
      \(table.html(style: "matrix"))
      <p class="note">Pairs of \(who) who spend \(minutes) minutes or more together in all, and the time of all contacts between the two \
      populations; darker where it is longer. Numbers of people are in parentheses.</p>
      """
  }

  /// The spaces in which single contacts reach the threshold.
  private var places: String {
    let found = totals.longContacts[source] ?? [:]
    guard !found.isEmpty else { return "" }
    let all = found.keys.sorted().reduce(Int64(0)) { $0 + (found[$1]?.total ?? 0) }
    var table = HTMLTable([
      .init(name: "space"), .init(name: "contacts"), .init(name: "time in all"), .init(name: "share"),
    ])
    let order = found.keys.sorted { a, b in
      let (x, y) = (found[a]?.total ?? 0, found[b]?.total ?? 0)
      return x != y ? x > y : a < b
    }
    for space in order.prefix(30) {
      let own = found[space] ?? .init()
      let name =
        storeys.titles.indices.contains(Int(space)) ? storeys.titles[Int(space)] : "outside the spaces of the map"
      table.add(
        HTMLText.escaped(name),
        [
          .init(html: HTMLText.number(own.contacts)), .init(html: Quantity.duration(Double(own.total) / 1e6)),
          .init(html: Quantity.percent(all > 0 ? Double(own.total) / Double(all) : nil)),
        ])
    }
    let more = found.count > 30 ? " The 30 spaces with the most time of \(found.count)." : ""
    return """
      <h3 class="sub" id="long-contacts">Where contacts of \(minutes) minutes or more happen</h3>
      \(table.html())
      <p class="note">Single contacts that last \(minutes) minutes or more, counted for the space of the first person.\(more)</p>
      """
  }
}
