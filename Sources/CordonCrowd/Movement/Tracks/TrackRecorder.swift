import CordonContacts
import CordonCore
import CordonGeometry

/// Compresses the positions of one person into few segments.
///
/// Every position stays within ``tolerance`` on each axis at its time (the swing filter of Elmeleegy and others, 2009).
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

  /// Maximum error on each axis, in metres.
  static let tolerance = 0.01

  /// Creates an empty recording.
  /// - Parameters:
  ///   - person: the number of the person.
  ///   - end: the end of the recording, in milliseconds since 1970.
  ///   - step: the duration of a move, in milliseconds.
  init(person: Int, end: Int64, step: Int64) {
    device = Int32(person)
    self.end = end
    self.step = step
  }

  /// Whether a position was recorded.
  var hasBegun: Bool { isOpen }

  /// Time of the last position, in milliseconds since 1970.
  var time: Int64 { lastTime }

  /// The last position.
  var position: PlanePoint { last }

  /// Begins the track, or continues it on another floor at the same time.
  mutating func begin(at point: PlanePoint, floor: Int32, time: Int64) {
    close()
    self.floor = floor
    (startTime, lastTime, start, last) = (time, time, point, point)
    resetSlopes()
    isOpen = true
  }

  /// Records a straight move from the last position within the last step.
  ///
  /// The person stayed until the step began. Times after the end of the recording are ignored.
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

  /// Records a stay at the last position as a segment of its own, so that stillness is visible.
  mutating func rest(until time: Int64) {
    let time = min(time, end)
    guard isOpen, time > lastTime else { return }
    let isStill = start == last && startTime < lastTime
    if !isStill { flush() }
    lastTime = time
    (slopesX, slopesY) = ((0, 0), (0, 0))
  }

  /// Ends the current segment.
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
