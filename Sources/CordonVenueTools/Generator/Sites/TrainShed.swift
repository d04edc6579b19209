import CordonVenues

/// The platforms and tracks of a terminal, north of its concourse.
struct TrainShed {
  private static let platform = 800
  private static let track = 900

  let plan: GridPlan
  /// Distance from the concourse to the open end of the tracks, in centimetres.
  let depth: Int

  /// Adds the platforms with one gate each, and the tracks between them.
  func draw(into filler: inout FloorFiller) {
    let south = plan.outline.maxY
    var x = TrainShed.track / 2
    var number = 1
    addTracks(from: 0, to: x, into: &filler)
    while x + TrainShed.platform + TrainShed.track / 2 <= plan.outline.maxX {
      let rect = PlanRect(minX: x, minY: south, maxX: x + TrainShed.platform, maxY: south + depth)
      let space = filler.addIsland(
        SpaceDraft(kind: .platform, name: "Platform \(number)", rect: rect, isListed: true))
      let gate = DoorDraft(on: .south, of: rect, at: rect.center.x, width: 600, spaces: [0, space], kind: "open")
      filler.addGate(gate, to: [rect.center, PlanPoint(x: rect.center.x, y: rect.maxY - 300)])
      x += TrainShed.platform
      let isLast = x + TrainShed.track + TrainShed.platform + TrainShed.track / 2 > plan.outline.maxX
      let next = isLast ? plan.outline.maxX : x + TrainShed.track
      addTracks(from: x, to: next, into: &filler)
      x = next
      number += 1
    }
  }

  private func addTracks(from west: Int, to east: Int, into filler: inout FloorFiller) {
    let rect = PlanRect(minX: west, minY: plan.outline.maxY, maxX: east, maxY: plan.outline.maxY + depth)
    var tracks = SpaceDraft(kind: .inaccessible, name: "Tracks", rect: rect)
    tracks.edge = .open
    _ = filler.addIsland(tracks)
  }
}
