import CordonContacts

/// The canonical order of the rows, independent of the order of the input: equal contents give equal files.
extension RunContents {
  /// Returns the contents with every list sorted. Lists that are already sorted are not copied.
  func ordered() -> RunContents {
    var result = self
    RunContents.order(&result.truth, by: RunContents.precedes)
    RunContents.order(&result.locations, by: RunContents.precedes)
    RunContents.order(&result.contacts, by: RunContents.precedes)
    RunContents.order(&result.occupancy, by: RunContents.precedes)
    return result
  }

  private static func order<Row>(_ rows: inout [Row], by precedes: (Row, Row) -> Bool) {
    for index in rows.indices.dropFirst() where precedes(rows[index], rows[index - 1]) {
      rows.sort(by: precedes)
      return
    }
  }

  private static func precedes(_ lhs: Segment, _ rhs: Segment) -> Bool {
    if lhs.device != rhs.device { return lhs.device < rhs.device }
    if lhs.start != rhs.start { return lhs.start < rhs.start }
    if lhs.end != rhs.end { return lhs.end < rhs.end }
    if lhs.floor != rhs.floor { return lhs.floor < rhs.floor }
    return (lhs.x0, lhs.y0, lhs.x1, lhs.y1) < (rhs.x0, rhs.y0, rhs.x1, rhs.y1)
  }

  private static func precedes(_ lhs: ObservedLocation, _ rhs: ObservedLocation) -> Bool {
    if lhs.person != rhs.person { return lhs.person < rhs.person }
    if lhs.time != rhs.time { return lhs.time < rhs.time }
    return lhs.fix < rhs.fix
  }

  private static func precedes(_ lhs: RunContact, _ rhs: RunContact) -> Bool {
    if lhs.source != rhs.source { return lhs.source == .truth }
    let (a, b) = (lhs.contact, rhs.contact)
    if a.start != b.start { return a.start < b.start }
    if a.first != b.first { return a.first < b.first }
    if a.second != b.second { return a.second < b.second }
    if a.end != b.end { return a.end < b.end }
    if a.floor != b.floor { return a.floor < b.floor }
    return (a.minimumDistanceTime, a.minimumDistance, a.x, a.y) < (b.minimumDistanceTime, b.minimumDistance, b.x, b.y)
  }

  private static func precedes(_ lhs: RunOccupancy, _ rhs: RunOccupancy) -> Bool {
    if lhs.source != rhs.source { return lhs.source == .truth }
    if lhs.floor != rhs.floor { return lhs.floor < rhs.floor }
    if lhs.space != rhs.space { return lhs.space < rhs.space }
    return lhs.binStart < rhs.binStart
  }
}
