import CordonCore
import CordonVenues

/// A cell with a reserved position in a row, such as stairs, restrooms or a lobby.
struct Reservation {
  var row: Int
  var range: PlanRange
  var kind: SpaceKind
  var name: String
  /// Depth from the corridor, in centimetres; `nil` for the depth of the row.
  var depth: Int?
  var door = 100
  var doorKind = "door"
  var isListed = false
  var shaft: String?
  /// Whether the cell also has doors to the outside.
  var leadsOut = false
}

/// Divides the rows of a floor into rooms, and adds their doors and paths.
struct FloorFiller {
  /// Minimum length of a room, in centimetres. Shorter cells become closets or stay inaccessible.
  private static let least = 300
  /// Minimum contact of a cell with the corridor for a door, in centimetres.
  private static let minimumContact = 200

  let plan: GridPlan
  let program: RoomProgram
  /// The y coordinates of the walking lanes of each corridor.
  let lanes: [[Int]]
  private(set) var floor: FloorDraft
  private var random: RandomStream
  private var lanePoints: [Int: Set<PlanPoint>] = [:]
  private var crossingPoints: [Int: Set<PlanPoint>] = [:]
  private var usedNames: [String: Int] = [:]
  private var cells: [[(range: PlanRange, space: Int)]]

  init(plan: GridPlan, program: RoomProgram, floor: FloorDraft, lanesPerCorridor: Int, random: RandomStream) {
    self.plan = plan
    self.program = program
    self.floor = floor
    self.random = random
    lanes = plan.corridors.map { corridor in
      lanesPerCorridor == 1
        ? [corridor.middle] : [corridor.lower + corridor.length / 5, corridor.upper - corridor.length / 5]
    }
    cells = Array(repeating: [], count: plan.rows.count)
  }

  /// Adds the corridor, which is the first space of every floor.
  mutating func addCorridor(kind: SpaceKind, name: String, islands: [PlanRect]) {
    var corridor = SpaceDraft(kind: kind, name: name, rect: plan.corridorOutline)
    corridor.holes = (plan.blocks + islands).map { $0.corners.reversed() }
    corridor.center = PlanPoint(x: plan.corridorOutline.center.x, y: lanes[0][0])
    floor.spaces.append(corridor)
    note(lanePoint: corridor.center)
  }

  /// Adds the reserved cells, then the required rooms, and then fills the rest.
  mutating func fill(_ reservations: [Reservation]) {
    for reservation in reservations { put(reservation) }
    for room in program.required { put(required: room) }
    for row in plan.rows.indices {
      for gap in gaps(in: row) { fill(gap, of: row) }
    }
    if program.isEnfilade { openEnfilades() }
  }

  /// Adds an exit at an end of a corridor.
  mutating func addExit(on side: PlanSide, at position: Int, width: Int) {
    let rect = plan.corridorOutline
    guard rect.coordinate(of: side) == plan.outline.coordinate(of: side) else { return }
    let door = DoorDraft(on: side, of: rect, at: position, width: width, spaces: [0], leadsOut: side)
    floor.doors.append(door)
    note(lanePoint: door.center)
  }

  /// Links the lanes of a corridor with each other at an x coordinate.
  mutating func addCrosswalk(at x: Int) {
    for lane in lanes {
      guard let first = lane.first, let last = lane.last, first != last else { continue }
      let a = PlanPoint(x: x, y: first)
      let b = PlanPoint(x: x, y: last)
      note(lanePoint: a)
      note(lanePoint: b)
      floor.ways.link(a, b)
    }
  }

  /// Adds a space that stands in the corridor, and returns its index.
  mutating func addIsland(_ space: SpaceDraft) -> Int {
    floor.spaces.append(space)
    return floor.spaces.count - 1
  }

  /// Adds the end of an escalator: a door that faces along the corridor, and the path to a lane.
  mutating func addDoor(_ door: DoorDraft, standing: PlanPoint, side: PlanSide, lane: Int) {
    floor.doors.append(door)
    floor.ways.link(standing, door.center)
    // Far enough from the door to turn into the lane without crossing the island.
    let before = PlanPoint(x: door.center.x + (side == .west ? -150 : 150), y: door.center.y)
    floor.ways.link(door.center, before)
    let walk = PlanPoint(x: before.x, y: lanes[0][min(lane, lanes[0].count - 1)])
    note(lanePoint: walk)
    floor.ways.link(before, walk)
  }

  /// Adds a door on the north side of the first corridor, and the path through it and beyond.
  mutating func addGate(_ door: DoorDraft, to path: [PlanPoint]) {
    floor.doors.append(door)
    let walk = PlanPoint(x: door.center.x, y: lanes[0][lanes[0].count - 1])
    note(lanePoint: walk)
    let points = [walk, door.center] + path
    for (a, b) in zip(points, points.dropFirst()) { floor.ways.link(a, b) }
  }

  /// Links the paths of the corridors, and returns the floor.
  mutating func finished() -> FloorDraft {
    for crossing in plan.crossings {
      for y in lanes.joined() {
        let meeting = PlanPoint(x: crossing.middle, y: y)
        note(lanePoint: meeting)
        crossingPoints[crossing.middle, default: []].insert(meeting)
      }
    }
    for y in lanePoints.keys.sorted() { floor.ways.chain(lanePoints[y] ?? []) }
    for x in crossingPoints.keys.sorted() { floor.ways.chain(crossingPoints[x] ?? []) }
    return floor
  }

  private mutating func note(lanePoint point: PlanPoint) { lanePoints[point.y, default: []].insert(point) }

  // MARK: - Cells

  private mutating func put(_ reservation: Reservation) {
    let row = plan.rows[reservation.row]
    var rect = rectangle(of: reservation.range, in: row)
    if let depth = reservation.depth, depth + 60 < (row.doorSide.isHorizontal ? rect.height : rect.width) {
      var rest = rect
      switch row.doorSide {
      case .south: (rect.maxY, rest.minY) = (rect.minY + depth, rect.minY + depth)
      case .north: (rect.minY, rest.maxY) = (rect.maxY - depth, rect.maxY - depth)
      case .west: (rect.maxX, rest.minX) = (rect.minX + depth, rect.minX + depth)
      case .east: (rect.minX, rest.maxX) = (rect.maxX - depth, rect.maxX - depth)
      }
      floor.spaces.append(SpaceDraft(kind: .inaccessible, name: "", rect: rest))
    }
    let space = SpaceDraft(
      kind: reservation.kind, name: reservation.name, rect: rect, isListed: reservation.isListed,
      shaft: reservation.shaft)
    add(
      space, in: rect, row: reservation.row, range: reservation.range, door: reservation.door,
      kind: reservation.doorKind)
    guard reservation.leadsOut else { return }
    let outside = opposite(row.doorSide)
    let range = rect.extent(along: outside)
    let door = DoorDraft(
      on: outside, of: rect, at: range.middle, width: min(240, range.length - 60),
      spaces: [floor.spaces.count - 1], leadsOut: outside)
    floor.doors.append(door)
    floor.ways.link(space.center, door.center)
  }

  private mutating func put(required room: RoomType) {
    let width = width(of: room)
    var candidates: [(row: Int, gap: PlanRange)] = []
    for row in plan.rows.indices {
      for gap in gaps(in: row) where gap.length >= width { candidates.append((row, gap)) }
    }
    guard !candidates.isEmpty else { return }
    let chosen = candidates[random.nextIndex(below: candidates.count)]
    let end = cut(after: chosen.gap.lower, width: width, in: chosen.gap, of: plan.rows[chosen.row])
    build(room, range: PlanRange(chosen.gap.lower, end), row: chosen.row)
  }

  private mutating func fill(_ gap: PlanRange, of row: Int) {
    var start = gap.lower
    while start < gap.upper {
      let rest = gap.upper - start
      if rest < FloorFiller.least {
        closet(PlanRange(start, gap.upper), row: row)
        return
      }
      let fitting = program.filling.filter { $0.width.lower <= rest }
      guard var room = pick(fitting.isEmpty ? program.filling : fitting) else { return }
      var end = cut(after: start, width: width(of: room), in: gap, of: plan.rows[row])
      // Corners and the ends of rows make rooms wider than drawn, so a more suitable room type is tried.
      for _ in 0..<4 where (end - start) * 2 > room.width.upper * 3 {
        guard let other = pick(program.filling), other.width.upper > room.width.upper else { continue }
        room = other
        end = cut(after: start, width: width(of: room), in: gap, of: plan.rows[row])
      }
      build(room, range: PlanRange(start, end), row: row)
      start = end
    }
  }

  private mutating func width(of room: RoomType) -> Int {
    GridPlan.rounded(Int(random.nextUniform(in: Double(room.width.lower)...Double(room.width.upper))))
  }

  /// Returns the end of a cell. The next cell must not become too short or lose its contact with the corridor.
  private func cut(after start: Int, width: Int, in gap: PlanRange, of row: GridPlan.Row) -> Int {
    let end = max(start + width, row.contact.lower + FloorFiller.minimumContact)
    let limit = min(gap.upper - FloorFiller.least, row.contact.upper - FloorFiller.minimumContact)
    return end > limit ? gap.upper : end
  }

  private mutating func pick(_ rooms: [RoomType]) -> RoomType? {
    var ticket = random.nextIndex(below: rooms.reduce(0) { $0 + max($1.weight, 1) })
    for room in rooms {
      ticket -= max(room.weight, 1)
      if ticket < 0 { return room }
    }
    return rooms.last
  }

  private mutating func build(_ room: RoomType, range: PlanRange, row: Int) {
    let rect = rectangle(of: range, in: plan.rows[row])
    let space = SpaceDraft(kind: room.kind, name: name(for: room), rect: rect, isListed: room.isListed)
    add(space, in: rect, row: row, range: range, door: room.door, kind: room.door >= 200 ? "open" : "door")
  }

  private mutating func closet(_ range: PlanRange, row: Int) {
    let rect = rectangle(of: range, in: plan.rows[row])
    guard range.length >= 160, range.intersection(plan.rows[row].contact).map({ $0.length >= 160 }) ?? false else {
      floor.spaces.append(SpaceDraft(kind: .inaccessible, name: "", rect: rect))
      cells[row].append((range, floor.spaces.count - 1))
      return
    }
    add(
      SpaceDraft(kind: .storage, name: "Closet", rect: rect), in: rect, row: row, range: range, door: 90, kind: "door")
  }

  private mutating func add(
    _ space: SpaceDraft, in rect: PlanRect, row: Int, range: PlanRange, door: Int, kind: String
  ) {
    floor.spaces.append(space)
    let index = floor.spaces.count - 1
    cells[row].append((range, index))
    let place = plan.rows[row]
    guard let contact = range.intersection(place.contact) else { return }
    let width = min(door, contact.length - 60)
    guard width > 0 else { return }
    var positions = [contact.middle]
    if door < 200, contact.length >= 1_400 {
      positions = [contact.lower + contact.length / 4, contact.upper - contact.length / 4]
    } else if door < 200, contact.length > width + 100 {
      let margin = Double(width / 2 + 40)
      let spot = random.nextUniform(in: Double(contact.lower) + margin...Double(contact.upper) - margin)
      positions = [GridPlan.rounded(Int(spot))]
    }
    for position in positions {
      let opening = DoorDraft(
        on: place.doorSide, of: rect, at: position, width: width / 2 * 2, spaces: [0, index], kind: kind)
      floor.doors.append(opening)
      floor.ways.link(space.center, opening.center)
      link(opening.center, on: place.doorSide)
    }
  }

  /// Links a door with the lane in front of it.
  private mutating func link(_ door: PlanPoint, on side: PlanSide) {
    if side.isHorizontal {
      guard let y = lanes.joined().min(by: { abs($0 - door.y) < abs($1 - door.y) }) else { return }
      let walk = PlanPoint(x: door.x, y: y)
      note(lanePoint: walk)
      floor.ways.link(door, walk)
    } else {
      guard let x = plan.crossings.map(\.middle).min(by: { abs($0 - door.x) < abs($1 - door.x) }) else { return }
      let walk = PlanPoint(x: x, y: door.y)
      crossingPoints[x, default: []].insert(walk)
      floor.ways.link(door, walk)
    }
  }

  private mutating func openEnfilades() {
    for row in plan.rows.indices {
      let sorted = cells[row].sorted { $0.range.lower < $1.range.lower }
      for (one, next) in zip(sorted, sorted.dropFirst()) {
        let a = floor.spaces[one.space]
        let b = floor.spaces[next.space]
        guard a.kind == .exhibition, b.kind == .exhibition, one.range.upper == next.range.lower else { continue }
        let rect = rectangle(of: one.range, in: plan.rows[row])
        let side: PlanSide = plan.rows[row].doorSide.isHorizontal ? .east : .north
        let door = DoorDraft(
          on: side, of: rect, at: rect.extent(along: side).middle, width: 200, spaces: [one.space, next.space],
          kind: "open")
        floor.doors.append(door)
        floor.ways.link(a.center, door.center)
        floor.ways.link(door.center, b.center)
      }
    }
  }

  // MARK: - Places and names

  private func gaps(in row: Int) -> [PlanRange] {
    let place = plan.rows[row]
    var gaps: [PlanRange] = []
    var position = place.rect.extent(along: place.doorSide).lower
    for cell in cells[row].sorted(by: { $0.range.lower < $1.range.lower }) {
      if cell.range.lower > position { gaps.append(PlanRange(position, cell.range.lower)) }
      position = max(position, cell.range.upper)
    }
    let end = place.rect.extent(along: place.doorSide).upper
    if end > position { gaps.append(PlanRange(position, end)) }
    return gaps
  }

  private func rectangle(of range: PlanRange, in row: GridPlan.Row) -> PlanRect {
    var rect = row.rect
    if row.doorSide.isHorizontal {
      (rect.minX, rect.maxX) = (range.lower, range.upper)
    } else {
      (rect.minY, rect.maxY) = (range.lower, range.upper)
    }
    return rect
  }

  private func opposite(_ side: PlanSide) -> PlanSide {
    switch side {
    case .south: .north
    case .north: .south
    case .west: .east
    case .east: .west
    }
  }

  private mutating func name(for room: RoomType) -> String {
    if room.isNumbered, let name = room.names.first {
      usedNames["", default: 0] += 1
      let number = usedNames["", default: 0]
      return "\(name) \(floor.shortName).\(number < 10 ? "0" : "")\(number)"
    }
    guard !room.names.isEmpty else { return "" }
    let key = room.names.joined(separator: "|")
    let offset = usedNames[key] ?? random.nextIndex(below: room.names.count)
    usedNames[key] = offset + 1
    let round = usedNames["round " + key, default: 0]
    usedNames["round " + key] = round + 1
    // The step has no common factor with most list lengths, so neighbours do not share a first word.
    let name = room.names[offset * (room.names.count % 7 == 0 ? 1 : 7) % room.names.count]
    return round < room.names.count ? name : "\(name) \(round / room.names.count + 1)"
  }
}
