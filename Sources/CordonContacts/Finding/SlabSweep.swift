internal import CContactKernel

/// Finds the pairs of tracks of one floor that may come within the distance of each other: their boxes,
/// grown by half the distance, overlap, and where there are many such pairs, their ways come near as well.
///
/// Boxes and ways are single-precision and err on the large side; they decide which pairs are examined, never the result.
final class SlabSweep {
  private var capacity = 0
  private var edges: [UnsafeMutablePointer<Float>] = []
  private var order: UnsafeMutablePointer<UInt32> = .allocate(capacity: 1)
  private var columnOf: UnsafeMutablePointer<UInt32> = .allocate(capacity: 1)
  private var columnEnd: UnsafeMutablePointer<UInt32> = .allocate(capacity: 1)
  private var device: UnsafeMutablePointer<Int32> = .allocate(capacity: 1)
  private var boxes = cordon_contact_boxes()
  /// How many pairs and tracks there were lately: where a track is near few others, finding its way costs more than it saves.
  private var (recentPairs, recentTracks) = (0, 0)
  private var looksAtWays = false

  /// Candidate pairs, as indices of tracks.
  private(set) var pairA: UnsafeMutablePointer<UInt32> = .allocate(capacity: 1)
  private(set) var pairB: UnsafeMutablePointer<UInt32> = .allocate(capacity: 1)
  private var pairCapacity = 1
  private var position: UInt32 = 0

  deinit {
    for edge in edges { edge.deallocate() }
    order.deallocate()
    columnOf.deallocate()
    columnEnd.deallocate()
    device.deallocate()
    pairA.deallocate()
    pairB.deallocate()
  }

  /// Takes the tracks of one floor.
  func begin(_ slab: SlabTracks, members: UnsafeBufferPointer<UInt32>, rule: ContactRule) {
    let distance = rule.distance
    let count = members.count
    chooseWays(adding: count, asked: rule.looksAtWays)
    reserve(count)
    position = 0
    guard count > 1 else {
      boxes.count = UInt32(count)
      position = boxes.count
      return
    }
    var (left, right) = (Double.infinity, -Double.infinity)
    var (bottom, top) = (Double.infinity, -Double.infinity)
    for member in members {
      let box = slab.boxes[Int(member)]
      left = min(left, box.x0)
      right = max(right, box.x1)
      bottom = min(bottom, box.y0)
      top = max(top, box.y1)
    }
    let extent = max(right - left, top - bottom)
    let size = max(max(abs(left), abs(right)), max(abs(bottom), abs(top)))
    // Half the distance on each side, and what rounding to single and double precision may take away.
    let margin = distance * 0.500001 + (extent + distance) * 0x1p-21 + size * 0x1p-44 + 1e-6
    let columns = max(16, min(count.nextPowerOfTwo, 1 << 14))
    let scale = Float(Double(columns) / (extent + 2 * margin) * 0.999)
    for k in 0...columns { columnEnd[k] = 0 }
    for k in 0..<count {
      let x = Float(slab.boxes[Int(members[k])].x0 - left)
      let column = min(UInt32(x * scale), UInt32(columns - 1))
      columnOf[k] = column
      columnEnd[Int(column) + 1] &+= 1
    }
    for k in 0..<columns { columnEnd[k + 1] &+= columnEnd[k] }
    let (x0, x1, y0, y1) = (edges[0], edges[1], edges[2], edges[3])
    for k in 0..<count {
      let column = Int(columnOf[k])
      let place = Int(columnEnd[column])
      columnEnd[column] &+= 1
      let box = slab.boxes[Int(members[k])]
      order[place] = members[k]
      device[place] = slab.tracks[Int(members[k])].device
      // Only the far side grows in x: the whole distance there is half of it on each side.
      x0[place] = Float(box.x0 - left)
      x1[place] = Float(box.x1 - left + 2 * margin)
      y0[place] = Float(box.y0 - bottom - margin)
      y1[place] = Float(box.y1 - bottom + margin)
    }
    boxes = cordon_contact_boxes(
      x0: x0, x1: x1, y0: y0, y1: y1, track: order, device: device, column_end: columnEnd, count: UInt32(count),
      columns: UInt32(columns), scale: scale, ways: cordon_contact_ways())
    guard looksAtWays else { return }
    boxes.ways = cordon_contact_ways(
      x: edges[4], y: edges[5], vx: edges[6], vy: edges[7], from: edges[8], to: edges[9], slack: edges[10])
    let segments = slab.segments
    withUnsafePointer(to: segments) {
      cordon_contact_find_ways(rule.kernelLevel, $0, slab.tracks, &boxes, left, bottom, margin)
    }
  }

  /// Whether ways are worth their while, by the latest few slabs; with ways there are fewer pairs.
  private func chooseWays(adding count: Int, asked: Bool?) {
    looksAtWays = asked ?? (recentPairs > (looksAtWays ? recentTracks / 4 : recentTracks))
    // Half of what was, so that it is forgotten.
    (recentPairs, recentTracks) = (recentPairs / 2, recentTracks / 2 + count)
  }

  /// Lists the next candidates in ``pairA`` and ``pairB``; 0 when there are no more.
  func next(level: Int32, tracks: UnsafePointer<cordon_contact_track>, onlyUnknown: Bool) -> Int {
    var found = 0
    while found == 0 && position < boxes.count {
      found = withUnsafePointer(to: boxes) {
        cordon_contact_sweep(level, $0, tracks, onlyUnknown ? 1 : 0, &position, pairA, pairB, pairCapacity)
      }
    }
    recentPairs += found
    return found
  }

  private func reserve(_ count: Int) {
    guard count > capacity || capacity == 0 else { return }
    capacity = max(count.nextPowerOfTwo, 256)
    for edge in edges { edge.deallocate() }
    edges = (0..<11).map { _ in
      let edge = UnsafeMutablePointer<Float>.allocate(capacity: capacity + 32)
      edge.initialize(repeating: 0, count: capacity + 32)
      return edge
    }
    for pointer in [order, columnOf, columnEnd, pairA, pairB] { pointer.deallocate() }
    device.deallocate()
    device = .allocate(capacity: capacity + 32)
    device.initialize(repeating: -1, count: capacity + 32)
    order = .allocate(capacity: capacity + 32)
    columnOf = .allocate(capacity: capacity)
    columnEnd = .allocate(capacity: (1 << 14) + 2)
    pairCapacity = max(capacity * 2, 4_096)
    // The kernel writes whole vectors.
    pairA = .allocate(capacity: pairCapacity + 32)
    pairB = .allocate(capacity: pairCapacity + 32)
  }
}

extension Int {
  /// The least power of two that is not less; 1 for numbers below 2.
  var nextPowerOfTwo: Int {
    self < 2 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
