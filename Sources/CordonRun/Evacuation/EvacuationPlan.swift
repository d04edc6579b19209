import CordonContacts
import CordonCore

/// The drawings of an evacuation: the player with the exits, and the floors with the densest moments of each square metre.
struct EvacuationPlan {
  let report: EvacuationReport
  private let storeys: ReportStoreys

  init(report: EvacuationReport) {
    self.report = report
    storeys = ReportStoreys(venue: report.venue)
  }

  /// The people of the first replica on their way; empty if the venue has nothing to draw.
  var player: String {
    guard let replica = report.replicas.first, !storeys.box.isEmpty, replica.end > 0 else { return "" }
    let spaces = Dictionary(replica.spaces.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    var plan = PlanPart(venue: report.venue, storeys: storeys) { number in
      guard let space = spaces[number] else { return PlanPart.Figure(text: "nobody") }
      let cleared = space.cleared.map { "empty after \(EvacuationPage.clock($0)) min" } ?? "not empty at the end"
      return PlanPart.Figure(
        text: "\(HTMLText.count(space.start, "person", "people")) at the start, at most \(space.peak); \(cleared)")
    }
    plan.marks = exits
    let alarm = report.start + .milliseconds(Int64((replica.alarm * 1_000).rounded()))
    return PlayerPart(
      venue: report.venue, segments: report.segments, people: groups(of: replica), start: report.start,
      end: report.start + .milliseconds(Int64((replica.end * 1_000).rounded(.up))), origin: alarm
    ).html(plan)
  }

  /// The colour of each person: the limit of mobility, or else the population.
  private func groups(of replica: EvacuationReplica) -> [String] {
    replica.people.map { $0.mobility > 0 ? report.mobilities[$0.mobility] : report.populations[$0.population] }
  }

  /// The floors with the levels of service of the densest moments.
  var densest: String {
    guard !storeys.box.isEmpty else { return "" }
    var plan = PlanPart(venue: report.venue, storeys: storeys) { _ in PlanPart.Figure() }
    plan.ground = { squares(on: storeys.list[$0].ordinal) }
    plan.marks = exits
    plan.caption = {
      "the level of service of each square metre in its densest moment. \(exitNames(on: storeys.list[$0].ordinal))"
    }
    return EvacuationPlan.legend + plan.html
  }

  private func exitNames(on floor: FloorOrdinal) -> String {
    let names = report.exits.filter { $0.floor == floor && !$0.isClosed }.map(\.name)
    return names.isEmpty ? "No exit." : "Exits: \(HTMLText.escaped(HTMLText.readable(names.joined(separator: ", "))))."
  }

  /// The legend of the levels of service.
  private static var legend: String {
    let items = LevelOfService.allCases.dropFirst().map { level in
      let least = 1 / (LevelOfService.allCases[level.index - 1].minimumArea)
      return
        "<li><i class=\"los-\(level.rawValue)\"></i>\(level.rawValue): from \(Quantity.decimal(least, places: 2)) people per m²</li>"
    }
    return "<ul class=\"legend\">\(items.joined())<li><i class=\"exit\"></i>exit</li></ul>"
  }

  /// The squares by level of service, one path for each level.
  private func squares(on floor: FloorOrdinal) -> String {
    var paths: [String] = Array(repeating: "", count: LevelOfService.allCases.count)
    for cell in report.replicas.first?.cells ?? [] where cell.floor == floor {
      let level = LevelOfService(areaPerPerson: 1 / max(cell.peak, 1e-9)).index
      guard level > 0 else { continue }
      paths[level] += "M\(cell.x * 100) \(-(cell.y + 1) * 100)h100v100h-100z"
    }
    return LevelOfService.allCases.dropFirst().map { level in
      paths[level.index].isEmpty ? "" : "<path class=\"los-\(level.rawValue)\" d=\"\(paths[level.index])\"/>"
    }.joined()
  }

  /// A disc at each exit that people used, at the middle of the ends of their paths.
  private func exits(on storey: Int) -> String {
    let floor = storeys.list[storey].ordinal
    var ends: [Int: (x: Double, y: Double, count: Double)] = [:]
    let people = report.replicas.first?.people ?? []
    for (index, segment) in report.segments.enumerated() {
      let isLast = index + 1 == report.segments.count || report.segments[index + 1].device != segment.device
      guard isLast, segment.floor == floor.thousandths, people.indices.contains(Int(segment.device)),
        let exit = people[Int(segment.device)].exit
      else { continue }
      let sum = ends[exit] ?? (0, 0, 0)
      ends[exit] = (sum.x + segment.x1, sum.y + segment.y1, sum.count + 1)
    }
    return ends.keys.sorted().map { exit in
      let sum = ends[exit] ?? (0, 0, 1)
      let (x, y) = (Int((sum.x / sum.count * 100).rounded()), Int((-sum.y / sum.count * 100).rounded()))
      let name = HTMLText.readable(report.exits[exit].name)
      let title = HTMLText.escaped("\(name): \(HTMLText.count(Int(sum.count), "person", "people"))")
      return "<circle class=\"exit\" cx=\"\(x)\" cy=\"\(y)\" r=\"60\"><title>\(title)</title></circle>"
    }.joined()
  }
}
