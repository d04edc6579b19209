import CordonContacts
import CordonCore
import CordonGeometry
import CordonRun

/// Counts of people by space and density by square of the floors, sampled once a second.
struct EvacuationDensity {
  private let places: RunPlaces
  private var cells: [Square: (peak: Double, crowded: Double)] = [:]
  private var peaks: [Int: Int] = [:]
  private var starts: [Int: Int] = [:]
  private var last: [Int: Double] = [:]

  /// Time between two samples in seconds, the radius within which people count, in metres, and the density from which a
  /// square is crowded, in people per square metre.
  private static let interval = 1.0
  private static let radius = 1.0
  private static let crowdedDensity = 2.0

  private struct Square: Hashable, Comparable {
    var floor: Int32
    var x: Int
    var y: Int

    static func < (a: Square, b: Square) -> Bool { (a.floor, a.y, a.x) < (b.floor, b.y, b.x) }
  }

  init(places: RunPlaces) { self.places = places }

  /// Samples the tracks from the start to the end, in milliseconds since 1970. Complexity: about linear in the number of
  /// people and seconds.
  mutating func sample(_ tracks: [[Segment]], from start: Int64, to end: Int64) {
    var next = Array(repeating: 0, count: tracks.count)
    var time = start
    while time <= end {
      var squares: [Square: [PlanePoint]] = [:]
      var people: [Int: Int] = [:]
      for (person, segments) in tracks.enumerated() {
        while next[person] < segments.count, segments[next[person]].end < time { next[person] += 1 }
        guard next[person] < segments.count, segments[next[person]].start <= time else { continue }
        let segment = segments[next[person]]
        let share =
          segment.end > segment.start
          ? Double(time - segment.start) / Double(segment.end - segment.start) : 0
        let point = PlanePoint(
          x: segment.x0 + (segment.x1 - segment.x0) * share, y: segment.y0 + (segment.y1 - segment.y0) * share)
        squares[Self.square(point, segment.floor), default: []].append(point)
        if let space = places.space(floor: segment.floor, x: point.x, y: point.y) {
          people[space, default: 0] += 1
        }
      }
      note(people, at: Double(time - start) / 1_000)
      note(squares)
      time += Int64(Self.interval * 1_000)
    }
  }

  private static func square(_ point: PlanePoint, _ floor: Int32) -> Square {
    Square(floor: floor, x: Int(point.x.rounded(.down)), y: Int(point.y.rounded(.down)))
  }

  private mutating func note(_ people: [Int: Int], at time: Double) {
    for space in people.keys.sorted() {
      let count = people[space] ?? 0
      if time == 0 { starts[space] = count }
      peaks[space] = max(peaks[space] ?? 0, count)
      last[space] = time
    }
  }

  private mutating func note(_ squares: [Square: [PlanePoint]]) {
    let area = 3.141_592_653_589_793 * Self.radius * Self.radius
    for (square, points) in squares {
      var densest = 0
      for point in points {
        var count = 0
        for x in (square.x - 1)...(square.x + 1) {
          for y in (square.y - 1)...(square.y + 1) {
            for other in squares[Square(floor: square.floor, x: x, y: y)] ?? []
            where PlaneSegment(point, other).length <= Self.radius {
              count += 1
            }
          }
        }
        densest = max(densest, count)
      }
      let density = Double(densest) / area
      let before = cells[square] ?? (0, 0)
      cells[square] = (
        max(before.peak, density), before.crowded + (density >= Self.crowdedDensity ? Self.interval : 0)
      )
    }
  }

  /// The squares in the order of floor, row and column.
  var squares: [EvacuationReplica.Cell] {
    cells.keys.sorted().map { square in
      let value = cells[square] ?? (0, 0)
      return EvacuationReplica.Cell(
        floor: FloorOrdinal(thousandths: square.floor), x: square.x, y: square.y, peak: value.peak,
        crowded: value.crowded)
    }
  }

  /// The spaces in which people were, by number.
  /// - Parameter end: the end of the samples, in seconds after their start; spaces with people then are not cleared.
  func spaces(until end: Double) -> [EvacuationReplica.Space] {
    peaks.keys.sorted().map { number in
      let time = last[number] ?? 0
      return EvacuationReplica.Space(
        number: number, start: starts[number] ?? 0, peak: peaks[number] ?? 0,
        cleared: time + Self.interval > end ? nil : time)
    }
  }
}
