/// Which devices were where in one slab of time: for each floor a box for each device, which only grows.
struct StreamSlab {
  private var floors: [Int32] = []
  private var lanes: [StreamLane] = []

  /// Makes the device's box hold a segment; a little more, for what rounding takes away.
  mutating func add(_ segment: Segment) {
    var lane = floors.firstIndex(of: segment.floor) ?? -1
    if lane < 0 {
      lane = floors.count
      floors.append(segment.floor)
      lanes.append(StreamLane())
    }
    lanes[lane].add(StreamBox(segment), device: segment.device)
  }

  /// Adds the devices, other than its own, whose box comes within `distance` of a box on a floor that fits.
  func near(_ box: StreamBox, of device: Int32, floor: Int32, distance: Float, flagged: Bool, into found: inout [Int32])
  {
    for (k, other) in floors.enumerated() {
      let isUnknown = other == Segment.unknownFloor || floor == Segment.unknownFloor
      if isUnknown ? flagged : other == floor {
        lanes[k].near(box.grown(by: distance), of: device, into: &found)
      }
    }
  }
}

/// The boxes of the devices of one floor.
struct StreamLane {
  private var devices: [Int32] = []
  /// Least x and y and the largest ones negated, so that one comparison tells boxes apart.
  private var boxes: [SIMD4<Float>] = []
  private var places: [Int32: Int] = [:]
  private var last = 0

  mutating func add(_ box: StreamBox, device: Int32) {
    // Segments of one device come together.
    if last < devices.count, devices[last] == device {
      boxes[last].replace(with: box.lanes, where: box.lanes .< boxes[last])
    } else if let k = places[device] {
      boxes[k].replace(with: box.lanes, where: box.lanes .< boxes[k])
      last = k
    } else {
      last = devices.count
      places[device] = last
      devices.append(device)
      boxes.append(box.lanes)
    }
  }

  func near(_ box: StreamBox, of device: Int32, into found: inout [Int32]) {
    let limit = SIMD4(box.x1, box.y1, -box.x0, -box.y0)
    boxes.withUnsafeBufferPointer { boxes in
      for k in boxes.indices where all(boxes[k] .<= limit) {
        if devices[k] != device, !found.contains(devices[k]) { found.append(devices[k]) }
      }
    }
  }
}

/// The ground of some segments in single precision, rounded outwards.
struct StreamBox {
  var x0 = Float.infinity
  var x1 = -Float.infinity
  var y0 = Float.infinity
  var y1 = -Float.infinity

  init() {}

  init(_ segment: Segment) {
    x0 = Float(min(segment.x0, segment.x1)).nextDown
    x1 = Float(max(segment.x0, segment.x1)).nextUp
    y0 = Float(min(segment.y0, segment.y1)).nextDown
    y1 = Float(max(segment.y0, segment.y1)).nextUp
  }

  mutating func formUnion(_ other: StreamBox) {
    x0 = min(x0, other.x0)
    x1 = max(x1, other.x1)
    y0 = min(y0, other.y0)
    y1 = max(y1, other.y1)
  }

  var lanes: SIMD4<Float> { SIMD4(x0, y0, -x1, -y1) }

  /// Larger on all sides, rounded outwards.
  func grown(by distance: Float) -> StreamBox {
    var box = self
    box.x0 = (x0 - distance).nextDown
    box.x1 = (x1 + distance).nextUp
    box.y0 = (y0 - distance).nextDown
    box.y1 = (y1 + distance).nextUp
    return box
  }
}
