import CordonContacts
import CordonCore
import CordonSupport
import Foundation

/// The movement of people for the player of a page: few vertices of every path, packed.
///
/// The page interpolates between vertices, so that people move smoothly at every speed. docs/reference/pages.md describes
/// the bytes.
struct PlayerTracks {
  /// The accuracy of positions.
  let precision: PathSimplifier.Precision
  /// The number of people shown: every n-th person if the paths of all would be too long.
  let people: Int
  /// The number of people that each of them represents.
  let share: Int
  /// The number of unbroken paths on one floor.
  private(set) var visits = 0
  /// The number of vertices beyond the first of every visit.
  private(set) var steps = 0
  /// The packed columns.
  private(set) var bytes: [UInt8] = []

  /// The tolerances in metres, of which the first is taken whose result is small enough.
  static let tolerances = [0.1, 0.2, 0.3, 0.5, 1, 2, 5]
  /// The maximum number of packed bytes; text in a page has a third more.
  static let maximumBytes = 3_300_000

  /// Packs segments; `nil` if there are none on a storey.
  ///
  /// - Parameters:
  ///   - segments: the segments, sorted by device and time.
  ///   - people: the number of people or devices.
  ///   - start: the start in milliseconds since 1970.
  ///   - limit: the maximum number of packed bytes.
  ///   - storeyOf: returns the storey of a floor number; `nil` if it is not drawn.
  /// - Complexity: linear in the number of segments.
  init?(
    _ segments: [Segment], people everybody: Int, start: Int64, limit: Int = maximumBytes, storeyOf: (Int32) -> Int?
  ) {
    var share = 1
    while true {
      for tolerance in PlayerTracks.tolerances {
        let tracks = PlayerTracks(
          segments, people: everybody, share: share, start: start, tolerance: tolerance, storeyOf: storeyOf)
        guard tracks.visits > 0 else { return nil }
        if tracks.bytes.count <= limit || tracks.people <= 1 {
          self = tracks
          return
        }
      }
      share *= 2
    }
  }

  /// Packs the segments of every `share`-th person with one tolerance.
  init(
    _ segments: [Segment], people everybody: Int, share: Int, start: Int64, tolerance: Double,
    storeyOf: (Int32) -> Int?
  ) {
    precision = PathSimplifier.Precision(tolerance: tolerance)
    self.share = share
    people = (everybody + share - 1) / share
    var columns = Columns()
    var index = 0
    for person in 0..<people {
      let device = Int32(truncatingIfNeeded: person * share)
      while index < segments.count, segments[index].device < device { index += 1 }
      var end = index
      while end < segments.count, segments[end].device == device { end += 1 }
      columns.add(person: segments[index..<end], start: start, precision: precision, storeyOf: storeyOf)
      index = end
    }
    visits = columns.visits
    steps = columns.steps
    bytes = HuffmanDeflate.compress(columns.list)
  }

  /// The bytes as text, and the numbers to read them with.
  var json: JSONValue {
    [
      "people": JSONValue(people), "share": JSONValue(share), "visits": JSONValue(visits), "steps": JSONValue(steps),
      "tick": .integer(precision.tick), "unit": .number(precision.unit), "tolerance": .number(precision.tolerance),
      "samples": .string(Data(bytes).base64EncodedString()),
    ]
  }
}

/// The columns of packed tracks: numbers of variable length, seven bits a byte, the least significant first.
private struct Columns {
  private var counts: [UInt8] = []
  private var storeys: [UInt8] = []
  private var starts: [UInt8] = []
  private var firstX: [UInt8] = []
  private var firstY: [UInt8] = []
  private var lengths: [UInt8] = []
  private var times: [UInt8] = []
  private var x: [UInt8] = []
  private var y: [UInt8] = []
  private(set) var visits = 0
  private(set) var steps = 0

  /// The columns in the order of the page.
  var list: [[UInt8]] { [counts, storeys, starts, firstX, firstY, lengths, times, x, y] }

  mutating func add(
    person segments: ArraySlice<Segment>, start: Int64, precision: PathSimplifier.Precision, storeyOf: (Int32) -> Int?
  ) {
    let simplifier = PathSimplifier(precision: precision)
    var last = PathSimplifier.Vertex(time: 0, x: 0, y: 0)
    var count = 0
    var points: [PathSimplifier.Point] = []
    var storey: Int?
    func isContinued(by segment: Segment, on next: Int?) -> Bool {
      guard next == storey, let point = points.last else { return false }
      return point.time == segment.start - start && abs(point.x - segment.x0) < 0.02 && abs(point.y - segment.y0) < 0.02
    }
    func finish(_ columns: inout Columns) {
      defer { points.removeAll(keepingCapacity: true) }
      guard let storey, !points.isEmpty else { return }
      let vertices = simplifier.vertices(of: points)
      columns.add(vertices, storey: storey, after: last)
      last = vertices.last ?? last
      count += 1
    }
    for segment in segments where segment.end >= start {
      let next = storeyOf(segment.floor)
      if !isContinued(by: segment, on: next) {
        finish(&self)
        storey = next
        points.append(.init(time: segment.start - start, x: segment.x0, y: segment.y0))
      }
      points.append(.init(time: segment.end - start, x: segment.x1, y: segment.y1))
    }
    finish(&self)
    Columns.append(UInt64(count), to: &counts)
  }

  private mutating func add(_ vertices: [PathSimplifier.Vertex], storey: Int, after last: PathSimplifier.Vertex) {
    guard let first = vertices.first else { return }
    visits += 1
    Columns.append(UInt64(storey), to: &storeys)
    Columns.append(UInt64(max(first.time - last.time, 0)), to: &starts)
    Columns.append(Columns.zigzag(first.x - last.x), to: &firstX)
    Columns.append(Columns.zigzag(first.y - last.y), to: &firstY)
    Columns.append(UInt64(vertices.count - 1), to: &lengths)
    steps += vertices.count - 1
    for (before, vertex) in zip(vertices, vertices.dropFirst()) {
      Columns.append(UInt64(vertex.time - before.time), to: &times)
      Columns.append(Columns.zigzag(vertex.x - before.x), to: &x)
      Columns.append(Columns.zigzag(vertex.y - before.y), to: &y)
    }
  }

  private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
