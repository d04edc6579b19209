import CordonContacts
import CordonCore
import CordonGeometry

/// The floors with the densest moments of each square metre, and the exits.
struct EvacuationPlan {
  let report: EvacuationReport

  var html: String {
    let storeys = ReportStoreys(venue: report.venue)
    guard !storeys.box.isEmpty else { return "" }
    return storeys.list.indices.map { drawing($0, storeys) }.joined(separator: "\n")
  }

  /// The legend of the levels of service.
  static var legend: String {
    let items = LevelOfService.allCases.dropFirst().map { level in
      let least = 1 / (LevelOfService.allCases[level.index - 1].minimumArea)
      return
        "<li><i class=\"los los-\(level.rawValue)\"></i>\(level.rawValue): from \(Quantity.decimal(least, places: 2)) people per m²</li>"
    }
    return "<ul class=\"legend-list\">\(items.joined())<li><i class=\"los exit\"></i>exit</li></ul>"
  }

  private func drawing(_ index: Int, _ storeys: ReportStoreys) -> String {
    let storey = storeys.list[index]
    let (box, venue) = (storeys.box, report.venue)
    let margin = max(box.width, box.height) * 0.015 + 0.4
    let view = [box.left - margin, -box.top - margin, box.width + 2 * margin, box.height + 2 * margin]
      .map { String(Int(($0 * 100).rounded())) }.joined(separator: " ")
    var shapes = ""
    for floor in storey.floors {
      shapes += "<path class=\"outline\" d=\"\(Self.path(venue.floors[floor].outline, isClosed: true))\"/>"
    }
    for space in venue.spaces where storey.floors.contains(space.floor) {
      let isVoid = ReportStoreys.voids.contains(space.kind)
      shapes += "<path class=\"s\(isVoid ? " void" : "")\" d=\"\(Self.path(space.rings, isClosed: true))\"/>"
    }
    shapes += squares(on: storey.ordinal)
    for floor in storey.floors {
      shapes += "<path class=\"wall\" d=\"\(Self.path(venue.floors[floor].walls, isClosed: false))\"/>"
      shapes += "<path class=\"door\" d=\"\(Self.path(venue.floors[floor].doors, isClosed: false))\"/>"
    }
    let name = HTMLText.escaped(storey.name)
    let exits = report.exits.filter { $0.floor == storey.ordinal && !$0.isClosed }.map(\.name)
    let label =
      "Plan: \(name). " + (exits.isEmpty ? "No exit." : "Exits: \(HTMLText.escaped(exits.joined(separator: ", "))).")
    return """
      <div class="plan"><h3>\(name)</h3><svg viewBox="\(view)" role="img" aria-label="\(label)">\(shapes)\
      \(marks(on: storey.ordinal))</svg></div>
      """
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

  /// A disc at each exit, at the middle of the ends of the tracks that lead to it.
  private func marks(on floor: FloorOrdinal) -> String {
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
      let title = HTMLText.escaped("\(report.exits[exit].name): \(HTMLText.count(Int(sum.count), "person", "people"))")
      return "<circle class=\"exit\" cx=\"\(x)\" cy=\"\(y)\" r=\"60\"><title>\(title)</title></circle>"
    }.joined()
  }

  /// Returns lines in whole centimetres, y downwards.
  private static func path(_ lines: [[PlanePoint]], isClosed: Bool) -> String {
    var text = ""
    for line in lines where line.count > 1 {
      for (index, point) in line.enumerated() {
        text += "\(index == 0 ? "M" : "L")\(Int((point.x * 100).rounded())) \(Int((-point.y * 100).rounded()))"
      }
      if isClosed { text += "z" }
    }
    return text
  }
}
