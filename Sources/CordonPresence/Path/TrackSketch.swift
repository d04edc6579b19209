import CordonCore

/// The lines of a path for a drawing, at most 20 000 points.
///
/// When there are more, every second point of all lines is left out from then on.
struct TrackSketch {
  private(set) var lines: [[Coordinate]] = []
  private let isKept: Bool
  private var seen = 0
  private var count = 0
  private var stride = 1
  private var skipped = 0

  /// The maximum number of points.
  static let mostPoints = 20_000

  init(isKept: Bool) { self.isKept = isKept }

  /// Adds the last vertex of a path if it is new.
  @inline(__always)
  mutating func note(_ path: PathFilter) {
    if isKept, path.vertexCount != seen { add(path) }
  }

  private mutating func add(_ path: PathFilter) {
    let isFirst = seen == 0
    seen = path.vertexCount
    guard let vertex = path.vertex else { return }
    if isFirst || lines.isEmpty { lines.append([]) }
    skipped += 1
    guard skipped >= stride || lines[lines.count - 1].isEmpty else { return }
    skipped = 0
    lines[lines.count - 1].append(vertex)
    count += 1
    if count > TrackSketch.mostPoints { thin() }
  }

  /// Begins another line.
  mutating func pause() {
    if isKept, lines.last?.isEmpty == false { lines.append([]) }
  }

  private mutating func thin() {
    lines = lines.compactMap { line in
      let kept = line.indices.filter { $0.isMultiple(of: 2) }.map { line[$0] }
      return line.count > 1 ? kept : nil
    }
    lines.append([])
    count = lines.reduce(0) { $0 + $1.count }
    stride *= 2
  }
}
