import CordonVenues

/// Places the rooms that have the same position on every floor: stairs, elevators and restrooms.
struct CorePlanner {
  let plan: GridPlan
  private(set) var reservations: [Reservation] = []

  init(plan: GridPlan) { self.plan = plan }

  /// Places the shared core of a building.
  mutating func placeCore(floorCount: Int) {
    let inner = plan.rows.indices.filter { plan.rows[$0].place == .inner }
    let rows = inner.isEmpty ? [plan.rows.indices.last { plan.rows[$0].place != .side } ?? 0] : inner
    guard let first = rows.first, let last = rows.last else { return }
    let extent = plan.rows[first].rect.extent(along: .south)
    if floorCount > 1 {
      let elevators = plan.outline.width * plan.outline.height > 30_000_000 || floorCount > 5 ? 2 : 1
      put("Stairs A", .stairs, in: first, near: extent.lower, width: 300, depth: 620, shaft: "stairs-a")
      for number in 1...elevators {
        put(
          "Elevator \(number)", .elevator, in: first, near: extent.middle - 380 - 260 * number, width: 260, depth: 260,
          door: 120, shaft: "elevator-\(number)")
      }
      let end = plan.rows[last].rect.extent(along: .south).upper
      put("Stairs B", .stairs, in: last, near: end - 300, width: 300, depth: 620, shaft: "stairs-b")
    }
    for (index, row) in rows.enumerated() where index % 3 == 0 {
      let middle = plan.rows[row].rect.extent(along: .south).middle
      put(
        "Women's Restroom", .restroom, in: row, near: middle - 350, width: 350, depth: 1_100, door: 90, isListed: true)
      put("Men's Restroom", .restroom, in: row, near: middle, width: 350, depth: 1_100, door: 90, isListed: true)
    }
  }

  /// Places one cell as near to a position as it fits, and omits it if the row is full.
  mutating func put(
    _ name: String, _ kind: SpaceKind, in row: Int, near start: Int, width: Int, depth: Int? = nil, door: Int = 100,
    doorKind: String = "door", isListed: Bool = false, shaft: String? = nil, leadsOut: Bool = false
  ) {
    guard let range = freeRange(in: row, near: start, width: width) else { return }
    reservations.append(
      Reservation(
        row: row, range: range, kind: kind, name: name, depth: depth, door: door, doorKind: doorKind,
        isListed: isListed, shaft: shaft, leadsOut: leadsOut))
  }

  private func freeRange(in row: Int, near start: Int, width: Int) -> PlanRange? {
    let place = plan.rows[row]
    let extent = place.rect.extent(along: place.doorSide)
    let taken = reservations.filter { $0.row == row }.map(\.range)
    // A cell starts at a multiple of 10 cm from the desired position, or flush with a neighbour or the wall.
    var starts = stride(from: -extent.length / 10 * 10, through: extent.length, by: 10).map { start + $0 }
    starts += [extent.lower, extent.upper - width] + taken.map(\.upper) + taken.map { $0.lower - width }
    let fitting = starts.filter { position in
      let range = PlanRange(position, position + width)
      guard range.lower >= extent.lower, range.upper <= extent.upper,
        range.lower >= place.contact.lower || range.upper >= place.contact.lower + 200,
        range.intersection(place.contact).map({ $0.length >= min(200, width) }) ?? false,
        taken.allSatisfy({ range.intersection($0) == nil })
      else { return false }
      // The gap between neighbours is empty, or wide enough for a room that reaches the corridor.
      let before = taken.map(\.upper).filter { $0 <= range.lower }.max() ?? extent.lower
      let after = taken.map(\.lower).filter { $0 >= range.upper }.min() ?? extent.upper
      return isUsable(PlanRange(before, range.lower), of: place) && isUsable(PlanRange(range.upper, after), of: place)
    }
    return fitting.min { (abs($0 - start), $0) < (abs($1 - start), $1) }.map { PlanRange($0, $0 + width) }
  }

  private func isUsable(_ gap: PlanRange, of row: GridPlan.Row) -> Bool {
    gap.length <= 0 || (gap.length >= 300 && (gap.intersection(row.contact)?.length ?? 0) >= 200)
  }
}
