import CordonCore

/// Places buildings on plots of open ground, with paths between the plots.
struct CampusDrafter {
  /// Width of the ground around each building, in metres.
  private static let yard = 12.0
  /// Width of the ground outside the outermost paths, in metres.
  private static let verge = 8.0

  private(set) var site: SiteDraft

  init(floors: Int, area: Double, random: inout RandomStream) {
    let count = min(max(Int((area / 1_500).rounded()), 2), 24)
    var buildings: [BuildingDraft] = []
    for index in 0..<count {
      let theme = BuildingTheme.allCases[index % BuildingTheme.allCases.count]
      let share = area / Double(count) * random.nextUniform(in: 0.7...1.3)
      let height = 1 + random.nextIndex(below: floors)
      let key = index < 26 ? String(UnicodeScalar(UInt8(97 + index))) : "z\(index)"
      var drafter = BuildingDrafter(
        kind: .campus, theme: theme, key: key,
        name: index < BuildingTheme.allCases.count
          ? theme.name : "\(theme.name) \(index / BuildingTheme.allCases.count + 1)",
        ordinals: Array(0..<(index == 0 ? floors : height)), area: max(share, 500), random: &random)
      buildings.append(drafter.drawn())
    }
    site = SiteDraft(name: "Sample Campus", buildings: buildings)
    place(random: &random)
  }

  private mutating func place(random: inout RandomStream) {
    let yard = CampusDrafter.yard
    var plotWidth = 0.0
    var plotDepth = 0.0
    for index in site.buildings.indices {
      // Rotations are multiples of 0.1 degrees, at most eight degrees in either direction.
      let degrees = (random.nextUniform(in: -8...8) * 10).rounded() / 10
      let (sine, cosine) = PortableMath.sincos(degrees * Double.pi / 180)
      site.buildings[index].placement = Placement(cosine: cosine, sine: sine)
      let size = extent(of: site.buildings[index])
      plotWidth = max(plotWidth, (size.east + 2 * yard).rounded(.up))
      plotDepth = max(plotDepth, (size.north + 2 * yard).rounded(.up))
    }
    let columns = Int(Double(site.buildings.count).squareRoot().rounded(.up))
    let rows = (site.buildings.count + columns - 1) / columns
    let verge = CampusDrafter.verge
    var grounds = GroundsDraft(
      width: Double(columns) * plotWidth + 2 * verge, depth: Double(rows) * plotDepth + 2 * verge)
    for index in site.buildings.indices {
      let west = verge + Double(index % columns) * plotWidth
      let south = verge + Double(index / columns) * plotDepth
      centre(index, in: (west, south, plotWidth, plotDepth))
    }
    let xs = (0...columns).map { verge + Double($0) * plotWidth }
    let ys = (0...rows).map { verge + Double($0) * plotDepth }
    connect(&grounds, xs: xs, ys: ys, columns: columns)
    site.grounds = grounds
  }

  private func corners(of building: BuildingDraft) -> [(east: Double, north: Double)] {
    (building.floors.first?.outline.corners ?? []).map(building.placement.place)
  }

  private func extent(of building: BuildingDraft) -> (east: Double, north: Double) {
    let points = corners(of: building)
    let east = points.map(\.east)
    let north = points.map(\.north)
    return ((east.max() ?? 0) - (east.min() ?? 0), (north.max() ?? 0) - (north.min() ?? 0))
  }

  private mutating func centre(_ index: Int, in plot: (west: Double, south: Double, width: Double, depth: Double)) {
    let points = corners(of: site.buildings[index])
    let east = points.map(\.east)
    let north = points.map(\.north)
    let size = extent(of: site.buildings[index])
    site.buildings[index].placement.east = plot.west + (plot.width - size.east) / 2 - (east.min() ?? 0)
    site.buildings[index].placement.north = plot.south + (plot.depth - size.north) / 2 - (north.min() ?? 0)
  }

  /// Adds paths along the edges of the plots, and a straight path from every exit to the path on its side.
  private func connect(_ grounds: inout GroundsDraft, xs: [Double], ys: [Double], columns: Int) {
    var onRow: [[GroundsDraft.Point]] = ys.map { y in xs.map { GroundsDraft.Point(east: $0, north: y) } }
    var onColumn: [[GroundsDraft.Point]] = xs.map { x in ys.map { GroundsDraft.Point(east: x, north: $0) } }
    var spurs: [(door: (building: Int, floor: Int, door: Int), at: GroundsDraft.Point, path: GroundsDraft.Point)] = []
    for (number, building) in site.buildings.enumerated() {
      let column = number % columns
      let row = number / columns
      for (level, floor) in building.floors.enumerated() {
        for (index, door) in floor.doors.enumerated() {
          guard let side = door.leadsOut else { continue }
          let placed = building.placement.place(door.center)
          let at = GroundsDraft.Point(east: placed.east, north: placed.north)
          var path = at
          switch side {
          case .south: path.north = ys[row]
          case .north: path.north = ys[row + 1]
          case .west: path.east = xs[column]
          case .east: path.east = xs[column + 1]
          }
          switch side {
          case .south: onRow[row].append(path)
          case .north: onRow[row + 1].append(path)
          case .west: onColumn[column].append(path)
          case .east: onColumn[column + 1].append(path)
          }
          spurs.append(((number, level, index), at, path))
        }
      }
    }
    var known: [GroundsDraft.Point: Int] = [:]
    for line in onRow.map({ $0.sorted { $0.east < $1.east } }) + onColumn.map({ $0.sorted { $0.north < $1.north } }) {
      for (a, b) in zip(line, line.dropFirst()) where a != b {
        grounds.links.append((grounds.node(at: a, &known), grounds.node(at: b, &known)))
      }
    }
    for spur in spurs {
      let end = grounds.node(at: spur.at, &known)
      grounds.links.append((end, grounds.node(at: spur.path, &known)))
      grounds.doors.append((end, spur.door.building, spur.door.floor, spur.door.door))
    }
  }
}

extension GroundsDraft {
  fileprivate mutating func node(at point: Point, _ known: inout [Point: Int]) -> Int {
    if let index = known[point] { return index }
    nodes.append(point)
    known[point] = nodes.count - 1
    return nodes.count - 1
  }
}
