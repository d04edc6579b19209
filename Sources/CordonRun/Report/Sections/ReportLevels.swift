import CordonCore

/// The levels of service of groups over time, as strips and in minutes. Empty without groups.
struct ReportLevels {
  let contents: RunContents
  let occupancy: ReportOccupancy
  let clock: ReportClock

  var html: String {
    let groups = contents.venue.groups.indices.filter { occupancy.first?.groups[$0] != nil }
    guard !groups.isEmpty else { return "" }
    let strips = groups.map(strip).joined(separator: "\n")
    let keys = LevelOfService.allCases.map { level in
      let text =
        level == .f
        ? "below \(Quantity.decimal(LevelOfService.e.minimumArea, places: 2)) m²"
        : "from \(Quantity.decimal(level.minimumArea, places: 2)) m²"
      return "<li><i style=\"--c:var(--h\(level.index + 1))\"></i>\(level.rawValue): \(text)</li>"
    }
    return """
      <h3 class="sub">Groups: level of service over time</h3>
      \(strips)
      <p class="ends"><span>\(clock.time(contents.parameters.start))</span><span>\(clock.time(contents.parameters.end))</span></p>
      <ul class="legend"><li>floor area per person:</li>\(keys.joined())</ul>
      \(minutes)
      """
  }

  /// Returns a strip with the level at the fullest moment of each bin.
  private func strip(_ group: Int) -> String {
    let own = contents.venue.groups[group]
    let area = contents.venue.area(of: own)
    let levels = (occupancy.first?.groups[group]?.maxima ?? []).map { people in
      people > 0 ? LevelOfService(areaPerPerson: area / Double(people)).index + 1 : 0
    }
    var rects = ""
    var first = 0
    for index in levels.indices where index + 1 == levels.count || levels[index + 1] != levels[index] {
      if levels[index] > 0 {
        rects +=
          "<rect x=\"\(first)\" y=\"0\" width=\"\(index + 1 - first)\" height=\"10\" class=\"h\(levels[index])\"/>"
      }
      first = index + 1
    }
    let worst = levels.max() ?? 0
    let says = worst > 0 ? "at worst level \(LevelOfService.allCases[worst - 1].rawValue)" : "always empty"
    let name = HTMLText.escaped(own.name)
    return """
      <div class="strip"><span>\(name)</span><svg viewBox="0 0 \(max(levels.count, 1)) 10" preserveAspectRatio="none" role="img" \
      aria-label="\(name): \(says)">\(rects)</svg></div>
      """
  }

  private var minutes: String {
    var table = HTMLTable(
      [HTMLTable.Column(name: "group")]
        + LevelOfService.allCases.map { HTMLTable.Column(name: "level \($0.rawValue), min") })
    for group in contents.outcome.groups where group.presence.source == occupancy.sources.first {
      let levels = group.presence.levelMinutes ?? LevelMinutes()
      table.add(
        HTMLText.escaped(contents.venue.groups[group.number].name),
        levels.values.map { HTMLTable.Cell(html: Quantity.decimal($0, places: 0)) })
    }
    return table.details("Minutes at each level of service")
  }
}
