/// A stretch of time that a device spent in one place.
struct Presence: Hashable {
  var device: Int32
  /// Milliseconds since 1970, UTC.
  var start: Int64
  var end: Int64

  /// Adds a stretch, as part of the last one when that is the same device's and ends where this begins.
  static func append(_ presence: Presence, to list: inout [Presence]) {
    if let last = list.last, last.device == presence.device, last.end == presence.start {
      list[list.count - 1].end = presence.end
    } else {
      list.append(presence)
    }
  }
}

/// Splits segments at the borders of spaces.
///
/// A moving segment is looked up every half metre, and the border between two spaces is then narrowed down
/// to 5 cm; a space that a path only cuts by less than half a metre may be missed.
struct PresenceCutter<Locator: SpaceLocator> {
  let locator: Locator
  static var step: Double { 0.5 }
  static var precision: Double { 0.05 }

  /// Calls `body` with each part of a segment and its space, in order of time; parts without length are left out.
  func cut(_ segment: Segment, _ body: (_ space: Int?, _ start: Int64, _ end: Int64) -> Void) {
    let (dx, dy) = (segment.x1 - segment.x0, segment.y1 - segment.y0)
    let length = (dx * dx + dy * dy).squareRoot()
    var space = locator.space(floor: segment.floor, x: segment.x0, y: segment.y0)
    var start = segment.start
    // Beyond ten thousand looks the steps grow: nobody walks many kilometres at once.
    let steps = length > 0 ? Int(min((length / Self.step).rounded(.up), 10_000)) : 0
    var share = 0.0
    for k in 0..<steps {
      let next = Double(k + 1) / Double(steps)
      let nextSpace = at(segment, next)
      if nextSpace != space {
        let border = narrow(
          segment, from: share, to: next, space, precision: Self.precision / length)
        let time = segment.start + Int64((border * Double(segment.end - segment.start)).rounded())
        if time > start { body(space, start, time) }
        (space, start) = (nextSpace, time)
      }
      share = next
    }
    if segment.end > start { body(space, start, segment.end) }
  }

  private func at(_ segment: Segment, _ share: Double) -> Int? {
    locator.space(
      floor: segment.floor, x: segment.x0 + (segment.x1 - segment.x0) * share,
      y: segment.y0 + (segment.y1 - segment.y0) * share)
  }

  private func narrow(
    _ segment: Segment, from: Double, to: Double, _ space: Int?, precision: Double
  ) -> Double {
    var (low, high) = (from, to)
    while high - low > precision {
      let middle = (low + high) / 2
      if at(segment, middle) == space { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
