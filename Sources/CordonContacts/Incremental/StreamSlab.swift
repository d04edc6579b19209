internal import CContactKernel

/// The segments of one slab of time as the kernel wants them, cut into chunks of one device on one floor, each with a box
/// of the ground that it covers.
///
/// New segments are solved against the chunks near them where these lie, without copying any.
struct StreamSlab {
  /// Milliseconds since 1970.
  let start: Int64
  /// Six columns one after the other, each of ``capacity`` numbers: those of `cordon_contact_segments`.
  private var columns: [Double]
  private var capacity: Int
  private var count = 0
  /// All chunks; those that hold nothing any more are in no lane.
  private(set) var chunks: [cordon_contact_track] = []
  private var lanes: [Lane] = []

  /// The chunks of one floor.
  private struct Lane {
    var floor: Int32
    var chunks: [UInt32] = []
    /// The minimum x and y and the negated maximum ones, so that one comparison separates boxes.
    var boxes: [SIMD4<Float>] = []
  }

  /// The kernel reads whole vectors, so room for a few more than there are is kept.
  private static let padding = 16

  init(start: Int64) {
    self.start = start
    capacity = 128
    columns = [Double](repeating: 0, count: 6 * capacity)
  }

  /// A chunk that was added.
  struct Addition {
    var chunk: UInt32
    var floor: Int32
    var box: StreamBox
  }

  /// Adds segments of one device, in order of time, each of which overlaps the slab.
  mutating func add(_ segments: some Sequence<Segment>, of device: Int32, into added: inout [Addition]) {
    var begin = count
    var open: (floor: Int32, box: StreamBox)?
    for segment in segments {
      if let chunk = open, chunk.floor != segment.floor {
        close(chunk.box, begin: begin, device: device, floor: chunk.floor, into: &added)
        (open, begin) = (nil, count)
      }
      append(segment)
      var box = open?.box ?? StreamBox()
      box.formUnion(StreamBox(segment))
      open = (segment.floor, box)
    }
    if let chunk = open { close(chunk.box, begin: begin, device: device, floor: chunk.floor, into: &added) }
  }

  private mutating func close(
    _ box: StreamBox, begin: Int, device: Int32, floor: Int32, into added: inout [Addition]
  ) {
    let chunk = UInt32(truncatingIfNeeded: chunks.count)
    chunks.append(
      cordon_contact_track(
        begin: UInt32(truncatingIfNeeded: begin), end: UInt32(truncatingIfNeeded: count), device: device,
        flags: floor == Segment.unknownFloor ? CORDON_CONTACT_TRACK_UNKNOWN_FLOOR.rawValue : 0))
    let lane = lanes.firstIndex { $0.floor == floor } ?? lanes.count
    if lane == lanes.count { lanes.append(Lane(floor: floor)) }
    lanes[lane].chunks.append(chunk)
    lanes[lane].boxes.append(box.lanes)
    added.append(Addition(chunk: chunk, floor: floor, box: box))
  }

  /// The same arithmetic as in ``SlabWriter``, so that the bits are the same.
  private mutating func append(_ s: Segment) {
    if count + StreamSlab.padding >= capacity { grow() }
    // An instant goes nowhere.
    let perMillisecond = s.end > s.start ? 1 / Double(s.end &- s.start) : 0
    columns.withUnsafeMutableBufferPointer { columns in
      columns[count] = Double(s.start &- start)
      columns[capacity + count] = Double(s.end &- start) + (s.end > s.start ? 0 : CORDON_CONTACT_INSTANT)
      columns[2 * capacity + count] = s.x0
      columns[3 * capacity + count] = s.y0
      columns[4 * capacity + count] = (s.x1 - s.x0) * perMillisecond
      columns[5 * capacity + count] = (s.y1 - s.y0) * perMillisecond
    }
    count += 1
  }

  private mutating func grow() {
    let larger = capacity * 2
    var moved = [Double](repeating: 0, count: 6 * larger)
    for column in 0..<6 {
      for k in 0..<count { moved[column * larger + k] = columns[column * capacity + k] }
    }
    (columns, capacity) = (moved, larger)
  }

  /// Takes a segment of a device away, and the instant at its start on its floor, should the track have ended there once.
  mutating func remove(_ segment: Segment) {
    guard let lane = lanes.firstIndex(where: { $0.floor == segment.floor }) else { return }
    let from = Double(segment.start &- start)
    let to = segment.end > segment.start ? Double(segment.end &- start) : from + CORDON_CONTACT_INSTANT
    var place = 0
    while place < lanes[lane].chunks.count {
      let chunk = Int(lanes[lane].chunks[place])
      if chunks[chunk].device == segment.device {
        remove(from: from, to: to, chunk: chunk)
        if chunks[chunk].end == chunks[chunk].begin {
          lanes[lane].chunks.remove(at: place)
          lanes[lane].boxes.remove(at: place)
          continue
        }
      }
      place += 1
    }
  }

  private mutating func remove(from: Double, to: Double, chunk: Int) {
    var kept = Int(chunks[chunk].begin)
    for k in kept..<Int(chunks[chunk].end) {
      let end = columns[capacity + k]
      if columns[k] == from, end == to || end == from + CORDON_CONTACT_INSTANT { continue }
      if kept < k { for column in 0..<6 { columns[column * capacity + kept] = columns[column * capacity + k] } }
      kept += 1
    }
    chunks[chunk].end = UInt32(truncatingIfNeeded: kept)
  }

  /// Adds the chunks, of devices other than its own, that come within `distance` of a box: those on its floor to
  /// `same`, those where either floor is unknown to `unknown`.
  func near(
    _ box: StreamBox, of device: Int32, floor: Int32, distance: Float, flagged: Bool, same: inout [UInt32],
    unknown: inout [UInt32]
  ) {
    let grown = box.grown(by: distance)
    let limit = SIMD4(grown.x1, grown.y1, -grown.x0, -grown.y0)
    for lane in lanes {
      let isUnknown = lane.floor == Segment.unknownFloor || floor == Segment.unknownFloor
      guard isUnknown ? flagged : lane.floor == floor else { continue }
      lane.boxes.withUnsafeBufferPointer { boxes in
        for k in boxes.indices where all(boxes[k] .<= limit) {
          let chunk = lane.chunks[k]
          guard chunks[Int(chunk)].device != device else { continue }
          if isUnknown { unknown.append(chunk) } else { same.append(chunk) }
        }
      }
    }
  }

  /// Lends the segments and chunks to the kernel.
  func withKernelForm<Result>(
    _ body: (UnsafePointer<cordon_contact_segments>, UnsafePointer<cordon_contact_track>?) -> Result
  ) -> Result {
    columns.withUnsafeBufferPointer { columns in
      chunks.withUnsafeBufferPointer { chunks in
        var form = cordon_contact_segments()
        if let base = columns.baseAddress {
          form = cordon_contact_segments(
            start: base, end: base + capacity, x: base + 2 * capacity, y: base + 3 * capacity,
            vx: base + 4 * capacity, vy: base + 5 * capacity)
        }
        return withUnsafePointer(to: form) { body($0, chunks.baseAddress) }
      }
    }
  }
}

/// The ground of some segments in single precision, rounded outwards.
struct StreamBox {
  /// Least x and y and the largest ones negated: all four only fall as the box grows.
  private(set) var lanes = SIMD4<Float>(repeating: .infinity)

  init() {}

  init(_ segment: Segment) {
    lanes = SIMD4(
      Float(min(segment.x0, segment.x1)).nextDown, Float(min(segment.y0, segment.y1)).nextDown,
      -Float(max(segment.x0, segment.x1)).nextUp, -Float(max(segment.y0, segment.y1)).nextUp)
  }

  var x0: Float { lanes.x }
  var y0: Float { lanes.y }
  var x1: Float { -lanes.z }
  var y1: Float { -lanes.w }

  mutating func formUnion(_ other: StreamBox) {
    lanes.replace(with: other.lanes, where: other.lanes .< lanes)
  }

  /// Larger on all sides, rounded outwards.
  func grown(by distance: Float) -> StreamBox {
    var box = self
    box.lanes = SIMD4(
      (lanes.x - distance).nextDown, (lanes.y - distance).nextDown, (lanes.z - distance).nextDown,
      (lanes.w - distance).nextDown)
    return box
  }
}
