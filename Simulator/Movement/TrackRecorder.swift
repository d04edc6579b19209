import CordonContacts
import CordonCore
import CordonGeometry

/// Makes the pieces of one person's track from positions at steps: as few as keep every position within
/// ``tolerance`` of the piece on each axis at its time (the swing filter of Elmeleegy and others, 2009).
struct TrackRecorder {
  private(set) var segments: [Segment] = []
  private let device: Int32
  private let end: Int64
  private let step: Int64
  private var floor: Int32 = 0
  private var startTime: Int64 = 0
  private var start = PlanePoint(x: 0, y: 0)
  private var lastTime: Int64 = 0
  private var last = PlanePoint(x: 0, y: 0)
  private var slopesX = (low: -Double.infinity, high: Double.infinity)
  private var slopesY = (low: -Double.infinity, high: Double.infinity)
  private var isOpen = false

  /// Metres.
  static let tolerance = 0.01

  /// - Parameters:
  ///   - end: after which nothing is recorded, milliseconds since 1970.
  ///   - step: milliseconds of a move.
  init(person: Int, end: Int64, step: Int64) {
    device = Int32(person)
    self.end = end
    self.step = step
  }

  /// Whether a position was recorded.
  var hasBegun: Bool { isOpen }

  /// When the last position was.
  var time: Int64 { lastTime }

  /// Where the last position was.
  var position: PlanePoint { last }

  /// Begins the track, or goes on from another floor at the same time.
  mutating func begin(at point: PlanePoint, floor: Int32, time: Int64) {
    close()
    self.floor = floor
    (startTime, lastTime, start, last) = (time, time, point, point)
    resetSlopes()
    isOpen = true
  }

  /// Somebody moved in a straight line from the last position within the last step; before it they stayed. What is after the
  /// end of the run is left out.
  mutating func move(to point: PlanePoint, at time: Int64) {
    rest(until: time - step)
    guard isOpen, lastTime < end, time > lastTime else { return }
    var point = point
    var time = time
    if time > end {
      let share = Double(end - lastTime) / Double(time - lastTime)
      point = PlanePoint(
        x: ((last.x + (point.x - last.x) * share) * 1e4).rounded() / 1e4,
        y: ((last.y + (point.y - last.y) * share) * 1e4).rounded() / 1e4)
      time = end
    }
    var seconds = Double(time - startTime) / 1_000
    let x = (point.x - start.x) / seconds
    let y = (point.y - start.y) / seconds
    if !(x >= slopesX.low && x <= slopesX.high && y >= slopesY.low && y <= slopesY.high) {
      flush()
      seconds = Double(time - startTime) / 1_000
    }
    let (lowX, highX) = (point.x - TrackRecorder.tolerance, point.x + TrackRecorder.tolerance)
    slopesX = (max(slopesX.low, (lowX - start.x) / seconds), min(slopesX.high, (highX - start.x) / seconds))
    let (lowY, highY) = (point.y - TrackRecorder.tolerance, point.y + TrackRecorder.tolerance)
    slopesY = (max(slopesY.low, (lowY - start.y) / seconds), min(slopesY.high, (highY - start.y) / seconds))
    (last, lastTime) = (point, time)
  }

  /// Somebody stayed at the last position: a piece of its own, so that stillness shows.
  mutating func rest(until time: Int64) {
    let time = min(time, end)
    guard isOpen, time > lastTime else { return }
    let isStill = start == last && startTime < lastTime
    if !isStill { flush() }
    lastTime = time
    (slopesX, slopesY) = ((0, 0), (0, 0))
  }

  /// Ends the piece that is being made.
  mutating func close() {
    guard isOpen else { return }
    flush()
  }

  private mutating func flush() {
    if lastTime > startTime {
      segments.append(
        Segment(
          device: device, floor: floor, start: startTime, end: lastTime, x0: start.x, y0: start.y, x1: last.x,
          y1: last.y))
    }
    (startTime, start) = (lastTime, last)
    resetSlopes()
  }

  private mutating func resetSlopes() {
    slopesX = (-.infinity, .infinity)
    slopesY = (-.infinity, .infinity)
  }
}
