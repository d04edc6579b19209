import CordonCore
import CordonGeometry

/// The air of a run: plans coloured by carbon dioxide and by risk, with their table. Empty without the key `air`.
struct ReportAir {
  let contents: RunContents
  let storeys: ReportStoreys

  var html: String {
    guard let air = contents.air else { return "" }
    return """
      <section id="air" aria-labelledby="air-title">
        <div class="head"><h2 id="air-title">Air and risk of infection</h2><p>\(note(air))</p></div>
        \(sentence(air))
        \(maps(air))
        <h3 class="sub">Air of all rooms</h3>
        \(table(air))
        \(people(air))
      </section>
      """
  }

  private func note(_ air: RunAir) -> String {
    """
    Each space is mixed air. Carbon dioxide comes from all people, quanta from infectious ones; \
    outdoors \(Quantity.decimal(air.outdoorCO2, places: 0)) ppm.
    """
  }

  private func sentence(_ air: RunAir) -> String {
    let figures = Dictionary(
      contents.outcome.figures.map { ($0.name, $0.value ?? 0) }, uniquingKeysWith: { first, _ in first })
    let cases = air.people.count { $0.health == .infectious && $0.seconds > 0 }
    let expected = figures["air_expected_infections"] ?? 0
    let far = figures["air_expected_infections_long_range"] ?? 0
    let peak = air.spaces.indices.max { air.spaces[$0].peakCO2 < air.spaces[$1].peakCO2 }
    let highest = peak.map {
      "The highest carbon dioxide was \(Quantity.decimal(air.spaces[$0].peakCO2, places: 0)) ppm, in \(HTMLText.escaped(storeys.titles[$0]))."
    }
    let risk =
      cases == 0
      ? "No infectious person came."
      : """
      With \(HTMLText.count(cases, "infectious person", "infectious people")), \(Quantity.decimal(expected, places: 2)) infections \
      are expected: \(Quantity.decimal(far, places: 2)) by the mixed air alone. The mean risk of a person who can be infected \
      is \(Quantity.decimal(figures["air_mean_risk_percent"] ?? 0, places: 2)) %.
      """
    return """
      <p class="answer">\(highest ?? "") \(risk)</p>
      <p class="note">The risk depends on assumed emissions, which differ by orders of magnitude between people. Compare measures; \
      do not read a single risk as a prediction.</p>
      """
  }

  // MARK: Maps

  private func maps(_ air: RunAir) -> String {
    guard !storeys.box.isEmpty else { return "" }
    let co2 = air.spaces.map { $0.meanCO2.map { $0 - air.outdoorCO2 } ?? 0 }
    let quanta = air.spaces.map { $0.meanCO2 == nil ? 0 : $0.meanQuanta * 1_000 }
    return map(
      "Carbon dioxide above the outdoors while people were present, ppm", co2, places: 0
    ) { "\(Quantity.decimal(air.outdoorCO2 + $0, places: 0)) ppm on average" }
      + map("Quanta in 1000 m³, mean over the run", quanta, places: 2) {
        "\(Quantity.decimal($0, places: 2)) quanta in 1000 m³ on average"
      }
  }

  private func map(_ title: String, _ values: [Double], places: Int, _ says: @escaping (Double) -> String) -> String {
    let scale = HeatScale(maximum: values.max() ?? 0)
    var legend = "<li><i style=\"--c:var(--h0)\"></i>none</li>"
    for (index, limit) in scale.limits.enumerated() {
      legend += "<li><i style=\"--c:var(--h\(index + 1))\"></i>up to \(Quantity.decimal(limit, places: places))</li>"
    }
    var plan = PlanPart(venue: contents.venue, storeys: storeys) { number in
      PlanPart.Figure(level: scale.level(of: values[number]), text: says(values[number]))
    }
    plan.caption = { _ in "\(title). The table below has the figures." }
    return """
      <h3 class="sub">\(title)</h3>
      \(plan.html)
      <ul class="legend">\(legend)</ul>
      """
  }

  // MARK: Tables

  /// The number of spaces in the open table; the others are in a part of the page that can be opened.
  private static let shown = 15

  private func table(_ air: RunAir) -> String {
    let columns: [HTMLTable.Column] = [
      .init(name: "space"), .init(name: "volume, m³"),
      .init(name: "air changes per hour"),
      .init(name: "mean CO₂, ppm", title: "while people were present"), .init(name: "maximum CO₂, ppm"),
      .init(name: "mean quanta in 1000 m³"), .init(name: "maximum quanta in 1000 m³"),
    ]
    var tables = [HTMLTable(columns), HTMLTable(columns)]
    let order = air.spaces.indices.filter { air.spaces[$0].meanCO2 != nil }.sorted {
      air.spaces[$0].peakCO2 != air.spaces[$1].peakCO2 ? air.spaces[$0].peakCO2 > air.spaces[$1].peakCO2 : $0 < $1
    }
    func cell(_ value: Double, _ places: Int) -> HTMLTable.Cell {
      .init(html: Quantity.decimal(value, places: places), value: value)
    }
    for (place, number) in order.enumerated() {
      let space = air.spaces[number]
      tables[place < Self.shown ? 0 : 1].add(
        HTMLText.escaped(storeys.titles[number]),
        [
          cell(space.volume, 0), cell(space.airChanges, 2), cell(space.meanCO2 ?? 0, 0), cell(space.peakCO2, 0),
          cell(space.meanQuanta * 1_000, 3), cell(space.peakQuanta * 1_000, 3),
        ])
    }
    guard !tables[0].isEmpty else { return "<p class=\"note\">Nobody was in a space of the map.</p>" }
    return tables[0].html(
      id: "air-spaces", caption: "The air of the spaces in which people were, highest carbon dioxide first",
      style: "sortable")
      + tables[1].details("The other \(order.count - Self.shown) spaces")
  }

  private func people(_ air: RunAir) -> String {
    let present = air.people.filter { $0.seconds > 0 }
    let risks = present.filter { $0.health == .susceptible }.map(\.risk).sorted()
    guard !risks.isEmpty else { return "" }
    func quantile(_ share: Double) -> Double { risks[min(risks.count - 1, Int(Double(risks.count) * share))] }
    var table = HTMLTable([.init(name: "people who can be infected"), .init(name: "risk, %")])
    for (name, value) in [
      ("lowest", risks[0]), ("median", quantile(0.5)), ("95 of 100 are below", quantile(0.95)),
      ("highest", risks[risks.count - 1]),
    ] {
      table.add(name, [.init(html: Quantity.decimal(value * 100, places: 3), value: value * 100)])
    }
    var exposure = HTMLTable([
      .init(name: "others within \(Quantity.decimal(air.shortRange, places: 1)) m"), .init(name: "people"),
    ])
    for others in 0...(present.map(\.maximumOthers).max() ?? 0) {
      let count = present.count { $0.maximumOthers == others }
      if count > 0 {
        exposure.add(
          others == 0 ? "never one" : "at most \(others) at a time", [.init(html: String(count), value: Double(count))])
      }
    }
    return table.details("Risk of persons: \(present.count) people, \(risks.count) who can be infected")
      + exposure.details(
        "Exposure to others nearby, without a wall between",
        note:
          "Columns <code>exposed_s</code> and <code>exposed_person_s</code> of <code>air-people.csv</code> have the times of each person."
      )
  }
}
