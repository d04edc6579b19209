/// Which devices were where in one slab of time: a box for each device and floor, which only grows.
struct StreamSlab {
  private(set) var devices: [Int32] = []
  private(set) var floors: [Int32] = []
  private var x0: [Float] = []
  private var x1: [Float] = []
  private var y0: [Float] = []
  private var y1: [Float] = []
  private var places: [UInt64: Int] = [:]

  /// Makes the device's box hold a segment; a little more, for what rounding takes away.
  mutating func add(_ segment: Segment) {
    let box = StreamBox(segment)
    let key = PairIntervals.key(segment.device, segment.floor)
    if let k = places[key] {
      x0[k] = min(x0[k], box.x0)
      x1[k] = max(x1[k], box.x1)
      y0[k] = min(y0[k], box.y0)
      y1[k] = max(y1[k], box.y1)
    } else {
      places[key] = devices.count
      devices.append(segment.device)
      floors.append(segment.floor)
      x0.append(box.x0)
      x1.append(box.x1)
      y0.append(box.y0)
      y1.append(box.y1)
    }
  }

  /// Adds the devices, other than its own, whose box comes within `distance` of a box on a floor that fits.
  func near(_ box: StreamBox, of device: Int32, floor: Int32, distance: Float, flagged: Bool, into found: inout [Int32])
  {
    let (left, right) = ((box.x0 - distance).nextDown, (box.x1 + distance).nextUp)
    let (bottom, top) = ((box.y0 - distance).nextDown, (box.y1 + distance).nextUp)
    x0.withUnsafeBufferPointer { x0 in
      x1.withUnsafeBufferPointer { x1 in
        for k in 0..<x0.count where x0[k] <= right && x1[k] >= left {
          guard y0[k] <= top, y1[k] >= bottom, devices[k] != device else { continue }
          let isUnknown = floors[k] == Segment.unknownFloor || floor == Segment.unknownFloor
          if isUnknown ? flagged : floors[k] == floor, !found.contains(devices[k]) { found.append(devices[k]) }
        }
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
}
