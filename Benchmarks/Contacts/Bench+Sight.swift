import CordonContacts
import CordonCore
import CordonGeometry

extension Bench {
  /// Line of sight on floors with 300 walls each, compared with contacts without walls. The walls are 2 to 10 m long
  /// and lie anywhere, so people walk through them, and more of them separate two people than in a building.
  static func sight(_ name: String, _ options: BenchOptions) throws -> BenchResult {
    let workload = try Workload.named(name)
    let points = try points(workload, options)
    let walls = walls(round: points)
    // The same sink for both, so that its cost does not enter the difference.
    var (plain, sighted) = (SightSink(), SightSink())
    var tracks = ObservedTracks([])
    // In turns, so that both suffer the same load of the machine.
    let (without, with) = quickest(options.runs) {
      tracks = ObservedTracks(points, maximumGap: .milliseconds(workload.gap))
      plain = SightSink()
      ContactFinder(distance: 2).contacts(in: tracks, into: &plain)
      _ = plain.summary.pairs
    } and: {
      tracks = ObservedTracks(points, maximumGap: .milliseconds(workload.gap))
      sighted = SightSink()
      var finder = ContactFinder(distance: 2)
      finder.walls = walls
      finder.contacts(in: tracks, into: &sighted)
      _ = sighted.summary.pairs
    }
    let wrong = sighted.sample.count { !isRight($0, points, walls) }
    return BenchResult(
      name: "line of sight \(name)",
      isRight: workload.isRight(plain.summary) && workload.isRight(sighted.summary) && wrong == 0
        && !sighted.sample.isEmpty,
      figures: [
        ("walls_per_floor", 300), ("cpu_s", without.cpu), ("sight_cpu_s", with.cpu),
        ("extra_share", with.cpu / without.cpu - 1), ("hidden_share", sighted.hidden / plain.summary.overlapSeconds),
        ("looked_up", Double(sighted.sample.count)), ("wrong", Double(wrong)), ("peak_mib", Usage.peakMebibytes),
      ], goals: [.init(figure: "extra_share", bound: 0.3, isLeast: false)])
  }

  private static func walls(round points: [TrackPoint]) -> [Int32: WallIndex] {
    var random = RandomStream(seed: 2, stream: 1)
    var (low, high) = (PlanePoint(x: .infinity, y: .infinity), PlanePoint(x: -.infinity, y: -.infinity))
    var floors: Set<Int32> = []
    for point in points {
      low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
      floors.insert(point.floor)
    }
    var walls: [Int32: WallIndex] = [:]
    for floor in floors.sorted() {
      walls[floor] = WallIndex(
        (0..<300).map { k in
          let start = PlanePoint(
            x: random.nextUniform(in: low.x...high.x), y: random.nextUniform(in: low.y...high.y))
          let length = random.nextUniform(in: 2...10)
          return WallSegment(
            start,
            k % 2 == 0 ? PlanePoint(x: start.x + length, y: start.y) : PlanePoint(x: start.x, y: start.y + length))
        })
    }
    return walls
  }

  /// Compares with samples at a thousand instants.
  private static func isRight(_ contact: Contact, _ points: [TrackPoint], _ walls: [Int32: WallIndex]) -> Bool {
    guard let index = walls[contact.floor], let share = contact.obstructedShare else { return false }
    let looks = 1_000
    var blocked = 0
    for k in 0..<looks {
      let time = (Double(contact.start) + Double(contact.duration) * (Double(k) + 0.5) / Double(looks)) / 1_000
      let (a, b) = (place(of: contact.first, at: time, points), place(of: contact.second, at: time, points))
      if index.isBlocked(from: a, to: b) { blocked += 1 }
    }
    return abs(Double(blocked) / Double(looks) - share) < 0.01
  }

  private static func place(of device: Int32, at time: Double, _ points: [TrackPoint]) -> PlanePoint {
    var (low, high) = (0, points.count)
    // The first point of the device after the time.
    while low < high {
      let middle = (low + high) / 2
      if (points[middle].device, Double(points[middle].time)) <= (device, time) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let (p, q) = (points[max(low - 1, 0)], points[min(low, points.count - 1)])
    guard q.device == device, q.time > p.time else { return PlanePoint(x: p.x, y: p.y) }
    let share = (time - Double(p.time)) / Double(q.time - p.time)
    return PlanePoint(x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share)
  }
}

/// Sums contacts, and keeps some for a comparison.
struct SightSink: ContactSink {
  var summary = ContactSummary()
  /// Seconds with a wall between.
  var hidden = 0.0
  var sample: [Contact] = []
  private var count = 0
  var needsOrder: Bool { false }

  mutating func receive(_ contacts: [Contact]) {
    summary.receive(contacts)
    for contact in contacts {
      hidden += Double(contact.obstructed) / 1e6
      count += 1
      if count % 1_699 == 0, contact.duration > 0 { sample.append(contact) }
    }
  }
}
