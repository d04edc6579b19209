/// The player of the run, with the floor plans coloured by the average of the run until the script starts.
struct ReportPlan {
  let page: ReportPage
  private let scale: HeatScale

  init(page: ReportPage) {
    self.page = page
    scale = ReportPlan.scale(of: page.occupancy)
  }

  /// Returns the classes of mean counts.
  static func scale(of occupancy: ReportOccupancy) -> HeatScale {
    let largest = occupancy.sources.compactMap {
      occupancy.records[$0]?.spaces.values.compactMap { $0.means.max() }.max()
    }
    .max()
    return HeatScale(maximum: largest ?? 0)
  }

  var note: String {
    let record = page.contents.truth.isEmpty ? "devices, as last observed" : "people, as they were"
    let hint =
      page.occupancy.isMostlyInSpaces ? "" : " Most of the time was spent outside the spaces that the map draws."
    return "Colours show how many people were in a space; dots are \(record).\(hint)"
  }

  var html: String {
    guard !page.storeys.box.isEmpty else { return "<p class=\"note\">This venue has nothing to draw.</p>" }
    return PlayerPart.markup(plans: plans.html, legend: legend)
  }

  private var plans: PlanPart {
    let unit = page.occupancy.sources.first == .observed ? "devices" : "people"
    return PlanPart(venue: page.contents.venue, storeys: page.storeys) { number in
      let series = page.occupancy.first?.spaces[number]
      let mean = (series?.means ?? []).reduce(0, +) / Double(page.occupancy.binCount)
      return PlanPart.Figure(
        level: scale.level(of: mean),
        text: "\(Quantity.decimal(mean, places: 1)) \(unit) on average, at most \(series?.peak ?? 0)")
    }
  }

  private var legend: String {
    let unit = page.occupancy.sources.first == .observed ? "devices" : "people"
    var items = "<li>\(unit) in the space</li><li><i style=\"--c:var(--h0)\"></i>none</li>"
    for (index, limit) in scale.limits.enumerated() {
      let text =
        index > 0 && index == scale.limits.count - 1
        ? "more than \(Quantity.decimal(scale.limits[index - 1], places: 1))"
        : "up to \(Quantity.decimal(limit, places: 1))"
      items += "<li><i style=\"--c:var(--h\(index + 1))\"></i>\(text)</li>"
    }
    return items
  }
}
