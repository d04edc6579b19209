internal import CContactKernel

/// The segments of one slab of time, laid out for the kernel: device by device, cut into tracks where
/// the floor changes, each with the box of the ground it covers.
///
/// The buffers grow and are used again for the next slab. One belongs to one thread.
final class SlabTracks {
  /// The ground that a track covers, metres.
  struct Box {
    var x0: Double
    var x1: Double
    var y0: Double
    var y1: Double
  }

  /// Milliseconds since 1970: the slab is `start ..< end`.
  private(set) var start: Int64 = 0
  private(set) var end: Int64 = 0

  fileprivate var columns: [UnsafeMutablePointer<Double>]
  fileprivate var segmentCapacity = 1 << 12
  fileprivate(set) var segmentCount = 0

  private(set) var tracks: UnsafeMutablePointer<cordon_contact_track>
  private(set) var boxes: UnsafeMutablePointer<Box>
  private(set) var floors: UnsafeMutablePointer<Int32>
  private var trackCapacity = 1 << 10
  private(set) var trackCount = 0

  init() {
    columns = (0..<6).map { _ in .allocate(capacity: 1 << 12) }
    tracks = .allocate(capacity: trackCapacity)
    boxes = .allocate(capacity: trackCapacity)
    floors = .allocate(capacity: trackCapacity)
    for column in columns { column.initialize(repeating: 0, count: segmentCapacity) }
  }

  deinit {
    for column in columns { column.deallocate() }
    tracks.deallocate()
    boxes.deallocate()
    floors.deallocate()
  }

  /// Forgets everything and starts a slab.
  func begin(start: Int64, end: Int64) {
    self.start = start
    self.end = end
    segmentCount = 0
    trackCount = 0
  }

  /// The segments as the kernel wants them.
  var segments: cordon_contact_segments {
    cordon_contact_segments(
      start: columns[0], end: columns[1], x: columns[2], y: columns[3], vx: columns[4],
      vy: columns[5])
  }

  /// The kernel reads whole vectors, so room for a few more than there are is kept.
  private static let padding = 16

  fileprivate func growSegments() {
    let capacity = segmentCapacity * 2
    for k in columns.indices {
      let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
      larger.initialize(repeating: 0, count: capacity)
      larger.update(from: columns[k], count: segmentCapacity)
      columns[k].deallocate()
      columns[k] = larger
    }
    segmentCapacity = capacity
  }

  fileprivate var segmentLimit: Int { segmentCapacity - SlabTracks.padding }

  fileprivate func addTrack(device: Int32, floor: Int32, begin: Int, end: Int, box: Box) {
    if trackCount == trackCapacity {
      tracks = SlabTracks.grown(tracks, count: trackCount)
      boxes = SlabTracks.grown(boxes, count: trackCount)
      floors = SlabTracks.grown(floors, count: trackCount)
      trackCapacity *= 2
    }
    tracks[trackCount] = cordon_contact_track(
      begin: UInt32(truncatingIfNeeded: begin), end: UInt32(truncatingIfNeeded: end),
      device: device,
      flags: floor == Segment.unknownFloor ? CORDON_CONTACT_TRACK_UNKNOWN_FLOOR.rawValue : 0)
    boxes[trackCount] = box
    floors[trackCount] = floor
    trackCount += 1
  }

  private static func grown<T>(_ pointer: UnsafeMutablePointer<T>, count: Int)
    -> UnsafeMutablePointer<T>
  {
    let larger = UnsafeMutablePointer<T>.allocate(capacity: count * 2)
    larger.moveInitialize(from: pointer, count: count)
    pointer.deallocate()
    return larger
  }
}

/// Writes segments into a ``SlabTracks``, device by device, each device's in order of time.
struct SlabWriter {
  private let slab: SlabTracks
  private let base: Int64
  private var count: Int
  private var limit: Int
  private var startColumn: UnsafeMutablePointer<Double>
  private var endColumn: UnsafeMutablePointer<Double>
  private var xColumn: UnsafeMutablePointer<Double>
  private var yColumn: UnsafeMutablePointer<Double>
  private var vxColumn: UnsafeMutablePointer<Double>
  private var vyColumn: UnsafeMutablePointer<Double>
  private var trackBegin: Int
  private var floor: Int32 = 0
  private var box = SlabTracks.Box(x0: 0, x1: 0, y0: 0, y1: 0)

  init(_ slab: SlabTracks) {
    self.slab = slab
    base = slab.start
    count = slab.segmentCount
    trackBegin = count
    limit = slab.segmentLimit
    (startColumn, endColumn) = (slab.columns[0], slab.columns[1])
    (xColumn, yColumn) = (slab.columns[2], slab.columns[3])
    (vxColumn, vyColumn) = (slab.columns[4], slab.columns[5])
  }

  /// Adds a segment that overlaps the slab for some time. `end` is after `start`, coordinates are finite.
  @inline(__always)
  mutating func add(
    device: Int32, floor: Int32, start: Int64, end: Int64, x0: Double, y0: Double, x1: Double,
    y1: Double
  ) {
    if count >= limit { grow() }
    let from = Double(start &- base)
    let perMillisecond = 1 / Double(end &- start)
    let vx = (x1 - x0) * perMillisecond
    let vy = (y1 - y0) * perMillisecond
    startColumn[count] = from
    endColumn[count] = Double(end &- base)
    xColumn[count] = x0
    yColumn[count] = y0
    vxColumn[count] = vx
    vyColumn[count] = vy
    // The part of a segment before the slab belongs to earlier slabs.
    let x = from < 0 ? x0 - vx * from : x0
    let y = from < 0 ? y0 - vy * from : y0
    cover(device, floor, SlabTracks.Box(x0: min(x, x1), x1: max(x, x1), y0: min(y, y1), y1: max(y, y1)))
    count &+= 1
  }

  /// Adds an instant of the slab at which the device is at a place. Coordinates are finite.
  @inline(__always)
  mutating func addInstant(device: Int32, floor: Int32, time: Int64, x: Double, y: Double) {
    if count >= limit { grow() }
    let from = Double(time &- base)
    startColumn[count] = from
    endColumn[count] = from + CORDON_CONTACT_INSTANT
    xColumn[count] = x
    yColumn[count] = y
    vxColumn[count] = 0
    vyColumn[count] = 0
    cover(device, floor, SlabTracks.Box(x0: x, x1: x, y0: y, y1: y))
    count &+= 1
  }

  /// Adds ground to the track; begins another one when the floor is another.
  @inline(__always)
  private mutating func cover(_ device: Int32, _ floor: Int32, _ ground: SlabTracks.Box) {
    if count == trackBegin || floor != self.floor {
      closeTrack(of: device)
      self.floor = floor
      box = ground
    } else {
      box.x0 = min(box.x0, ground.x0)
      box.x1 = max(box.x1, ground.x1)
      box.y0 = min(box.y0, ground.y0)
      box.y1 = max(box.y1, ground.y1)
    }
  }

  /// Ends the segments of a device.
  @inline(__always)
  mutating func closeTrack(of device: Int32) {
    guard count > trackBegin else { return }
    slab.addTrack(device: device, floor: floor, begin: trackBegin, end: count, box: box)
    trackBegin = count
  }

  /// Hands the count back to the slab.
  func finish() { slab.segmentCount = count }

  @inline(never)
  private mutating func grow() {
    slab.growSegments()
    limit = slab.segmentLimit
    (startColumn, endColumn) = (slab.columns[0], slab.columns[1])
    (xColumn, yColumn) = (slab.columns[2], slab.columns[3])
    (vxColumn, vyColumn) = (slab.columns[4], slab.columns[5])
  }
}
