import CordonCore
import CordonVenues

/// Draws one building: its core, then each floor.
struct BuildingDrafter {
  let kind: VenueGenerator.Kind
  let theme: BuildingTheme
  let plan: GridPlan
  let ordinals: [Int]
  /// Length by which the platforms of a station extend to the north, in centimetres; 0 for other kinds.
  let shed: Int
  private var random: RandomStream
  private var building: BuildingDraft

  init(
    kind: VenueGenerator.Kind, theme: BuildingTheme = .offices, key: String, name: String, ordinals: [Int],
    area: Double, random: inout RandomStream
  ) {
    self.kind = kind
    self.theme = theme
    self.ordinals = ordinals
    let style = BuildingDrafter.style(for: kind)
    let across = area.squareRoot() * 100
    var width = Int(across * style.aspect.squareRoot())
    var depth = Int(area * 10_000 / Double(width))
    var shed = 0
    if kind == .station {
      let head = style.band + style.corridor
      width = min(width, Int(area * 10_000) / (head + 2_500))
      shed = GridPlan.rounded(Int(area * 10_000) / width - head)
      depth = head
    }
    self.shed = shed
    plan = GridPlan(width: GridPlan.rounded(width), depth: GridPlan.rounded(depth), style: style)
    self.random = RandomStream(seed: random.next(), stream: 0x666c_6f6f)
    building = BuildingDraft(key: key, name: name)
  }

  private static func style(for kind: VenueGenerator.Kind) -> GridPlan.Style {
    switch kind {
    case .office, .campus: GridPlan.Style(corridor: 220, band: 650, block: 1_300, aspect: 1.5)
    case .mall: GridPlan.Style(corridor: 1_300, band: 2_000, block: 4_200, aspect: 2.4)
    case .museum: GridPlan.Style(corridor: 400, band: 1_100, block: 2_200, aspect: 1.4)
    case .hospital: GridPlan.Style(corridor: 290, band: 700, block: 1_350, aspect: 1.6)
    case .station: GridPlan.Style(corridor: 1_400, band: 1_200, block: 0, aspect: 1.4, isOpenToNorth: true)
    }
  }

  /// Draws every floor, the lowest first, and returns the building.
  mutating func drawn() -> BuildingDraft {
    var core = CorePlanner(plan: plan)
    core.placeCore(floorCount: ordinals.count)
    for (index, ordinal) in ordinals.enumerated() { drawFloor(ordinal, index: index, core: core) }
    return building
  }

  private mutating func drawFloor(_ ordinal: Int, index: Int, core: CorePlanner) {
    var outline = plan.outline
    if ordinal == 0 { outline.maxY += shed }
    let floor = FloorDraft(
      key: building.key + (ordinal < 0 ? "b\(-ordinal)" : "\(ordinal)"), ordinal: ordinal,
      name: ordinal == 0 ? "Ground Floor" : ordinal < 0 ? "Basement \(-ordinal)" : "Floor \(ordinal)",
      shortName: ordinal == 0 ? "G" : ordinal < 0 ? "B\(-ordinal)" : "\(ordinal)", outline: outline)
    let isWide = kind == .mall
    var filler = FloorFiller(
      plan: plan, program: RoomProgram.program(for: kind, ordinal: ordinal, theme: theme), floor: floor,
      lanesPerCorridor: isWide ? 2 : 1, random: RandomStream(seed: random.next(), stream: 0x726f_6f6d))
    let islands = isWide ? ConcourseIslands(plan: plan, ordinals: ordinals, floor: index) : nil
    filler.addCorridor(
      kind: kind == .station ? .lobby : .corridor, name: corridorName(ordinal),
      islands: islands?.rects ?? [])
    var planned = core
    if ordinal == 0 { placeEntrances(in: &planned) }
    filler.fill(planned.reservations)
    if ordinal == 0, kind != .station { addCorridorExits(to: &filler) }
    if let islands {
      for x in islands.crosswalks { filler.addCrosswalk(at: x) }
      islands.draw(into: &filler, shafts: &building.shafts)
    }
    if ordinal == 0, shed > 0 { TrainShed(plan: plan, depth: shed).draw(into: &filler) }
    let drawn = filler.finished()
    building.floors.append(drawn)
    for (number, space) in drawn.spaces.enumerated() where space.shaft != nil {
      addLanding(of: space, number: number, floor: index)
    }
  }

  private func corridorName(_ ordinal: Int) -> String {
    switch kind {
    case .mall, .station: "Concourse"
    case .museum: "Gallery Walk"
    default: "Corridor"
    }
  }

  private func placeEntrances(in core: inout CorePlanner) {
    guard let south = plan.rows.firstIndex(where: { $0.place == .south }) else { return }
    let width = plan.outline.width
    let lobby = min(max(width / 6, 500), 1_200)
    switch kind {
    case .station:
      for share in [width * 11 / 16, width * 15 / 16] {
        core.put(
          "Entrance Hall", .lobby, in: south, near: share - 300, width: 600, door: 400, doorKind: "open", leadsOut: true
        )
      }
    case .mall:
      for share in width >= 12_000 ? [width / 3, width * 2 / 3] : [width / 2] {
        core.put(
          "Entrance", .lobby, in: south, near: share - 400, width: 800, door: 500, doorKind: "open", leadsOut: true)
      }
    default:
      core.put(
        "Lobby", .lobby, in: south, near: (width - lobby) / 2, width: lobby, door: 300, doorKind: "open",
        isListed: true,
        leadsOut: true)
    }
    if let north = plan.rows.firstIndex(where: { $0.place == .north }), plan.corridors.count > 1 {
      core.put(
        kind == .hospital ? "Emergency Entrance" : "North Entrance", .lobby, in: north, near: width * 2 / 3,
        width: kind == .hospital ? 600 : 320, door: 220, doorKind: "open", leadsOut: true)
    }
  }

  private func addCorridorExits(to filler: inout FloorFiller) {
    let width = kind == .mall ? 200 : 120
    guard let first = filler.lanes.first else { return }
    for lane in first {
      filler.addExit(on: .west, at: lane, width: width)
      filler.addExit(on: .east, at: lane, width: width)
    }
  }

  private mutating func addLanding(of space: SpaceDraft, number: Int, floor: Int) {
    guard let key = space.shaft, !key.hasPrefix("escalator") else { return }
    let landing = ShaftDraft.Landing(floor: floor, space: number, position: space.center)
    if let known = building.shafts.firstIndex(where: { $0.key == key }) {
      building.shafts[known].landings.append(landing)
    } else {
      building.shafts.append(
        ShaftDraft(
          key: key, kind: space.kind == .elevator ? .elevator : .stairs, name: space.name, landings: [landing]))
    }
  }
}
