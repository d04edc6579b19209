import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonRun
import CordonVenues

/// The doors, stairs and exits that people pass, and the time that they wait in front of each.
///
/// A person waits while the speed is less than 0.2 m/s after setting off. The wait counts for the next place that the
/// person passes. Time at the meeting place of a group does not count.
struct EvacuationPassages {
  private let plan: VenuePlan
  private let openings: [RunOpening]
  private let flows: OpeningFlows
  private let connectionNames: [String]
  /// The ordinals of floors by thousandths, and the connections with the floors of their landings.
  private let landings: [[(floor: Int32, point: PlanePoint)]]

  /// Speed under which a person waits, in metres per second.
  static let waitingSpeed = 0.2

  init(world: World, places: RunPlaces, names: QueueNames) {
    plan = world.plan
    openings = places.venue.openings
    flows = OpeningFlows(world.plan)
    connectionNames = DistinctNames.numbered(
      world.plan.connections.map { names.name(ofConnection: $0.id, kind: $0.kind.rawValue) })
    let floors = world.plan.floors
    landings = world.plan.connections.map { $0.landings.map { (floors[$0.floor].ordinal.thousandths, $0.position) } }
  }

  /// One passage of a person.
  struct Pass {
    var place: EvacuationReplica.Place
    /// The time, in milliseconds since 1970, and the waiting times before it.
    var time: Int64
    var waits: [Range<Int64>]
  }

  /// Returns the passages of a person in order, the length of the way in metres, and all waits.
  /// - Parameters:
  ///   - segments: the person's track.
  ///   - departure: the time at which the person set off, in milliseconds since 1970.
  ///   - stays: the stays at meeting places.
  ///   - exit: the exit by which the person left; `nil` for a person inside.
  func passes(
    of segments: [Segment], from departure: Int64, stays: [Stay], exit: EvacuationReplica.Place?
  ) -> (passes: [Pass], distance: Double, waits: [Range<Int64>]) {
    var passes: [Pass] = []
    var distance = 0.0
    var all: [Range<Int64>] = []
    var waits: [Range<Int64>] = []
    func pass(_ place: EvacuationReplica.Place, _ time: Int64) {
      passes.append(Pass(place: place, time: time, waits: waits))
      waits = []
    }
    var last: Segment?
    for segment in segments where segment.end > departure {
      if let last, last.floor != segment.floor, let stairs = stairs(from: last, to: segment) {
        pass(stairs, segment.start)
      }
      last = segment
      let length = PlaneSegment(
        PlanePoint(x: segment.x0, y: segment.y0), PlanePoint(x: segment.x1, y: segment.y1)
      ).length
      distance += length
      let start = max(segment.start, departure)
      if length * 1_000 < Self.waitingSpeed * Double(segment.end - segment.start) {
        for part in Self.without(stays, start..<max(segment.end, start)) where !part.isEmpty {
          waits.append(part)
          all.append(part)
        }
      }
      for (door, _) in flows.passages(of: segment) where !plan.doors[door].isSeam {
        let opening = openings[door]
        let isExit = exit?.id == opening.id
        guard !isExit else { continue }
        pass(
          EvacuationReplica.Place(kind: .door, floor: opening.ordinal, id: opening.id, name: opening.name), segment.end)
      }
    }
    if let exit, let end = segments.last?.end { pass(exit, end) }
    return (passes, distance, all)
  }

  /// Returns the parts of a span outside the stays.
  private static func without(_ stays: [Stay], _ span: Range<Int64>) -> [Range<Int64>] {
    var parts = [span]
    for stay in stays {
      let (from, to) = (stay.start.milliseconds, stay.end.milliseconds)
      parts = parts.flatMap { part -> [Range<Int64>] in
        guard from < part.upperBound, to > part.lowerBound else { return [part] }
        return [part.lowerBound..<max(from, part.lowerBound), min(to, part.upperBound)..<part.upperBound]
          .filter { !$0.isEmpty }
      }
    }
    return parts
  }

  /// Returns the connection between two segments on different floors: the one with the nearest landings.
  private func stairs(from: Segment, to: Segment) -> EvacuationReplica.Place? {
    func gap(_ connection: Int, _ floor: Int32, _ x: Double, _ y: Double) -> Double {
      landings[connection].filter { $0.floor == floor }
        .map { PlaneSegment($0.point, PlanePoint(x: x, y: y)).length }.min() ?? .infinity
    }
    let costs = landings.indices.map { gap($0, from.floor, from.x1, from.y1) + gap($0, to.floor, to.x0, to.y0) }
    guard let best = costs.indices.min(by: { (costs[$0], $0) < (costs[$1], $1) }), costs[best].isFinite else {
      return nil
    }
    return EvacuationReplica.Place(
      kind: .stairs, floor: FloorOrdinal(thousandths: from.floor), id: plan.connections[best].id,
      name: connectionNames[best])
  }

  /// Adds up the passages of all people.
  /// - Parameter start: the start of the evacuation, in milliseconds since 1970.
  static func totals(_ passes: [Pass], start: Int64) -> [EvacuationReplica.Passage] {
    var byPlace: [EvacuationReplica.Place: [Pass]] = [:]
    for pass in passes { byPlace[pass.place, default: []].append(pass) }
    return byPlace.keys.sorted().compactMap { place in
      guard let passes = byPlace[place] else { return nil }
      let each = passes.map { $0.waits.reduce(0) { $0 + Int64($1.count) } }
      return EvacuationReplica.Passage(
        place: place, times: passes.map { Double($0.time - start) / 1_000 }.sorted(),
        waiting: Double(each.reduce(0, +)) / 1_000, longest: Double(each.max() ?? 0) / 1_000,
        peakQueue: peak(passes.flatMap(\.waits)))
    }
  }

  /// Returns the maximum number of spans that overlap.
  private static func peak(_ spans: [Range<Int64>]) -> Int {
    let changes = (spans.map { (time: $0.lowerBound, step: 1) } + spans.map { (time: $0.upperBound, step: -1) })
      .sorted { ($0.time, $0.step) < ($1.time, $1.step) }
    var (now, most) = (0, 0)
    for change in changes {
      now += change.step
      most = max(most, now)
    }
    return most
  }
}
