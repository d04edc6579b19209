import CordonContacts
import CordonCore

/// Random tracks for property tests: walks, rests, gaps, floor changes, shared and own clocks.
struct RandomTracks {
  var devices = 12
  var span: Int64 = 120_000
  var size = 20.0
  var floors: [Int32] = [0, 1_000]
  var isSynchronous = false
  /// The share of segments whose floor is not known.
  var unknown = 0.0
  var origin = (x: 0.0, y: 0.0)
  var start: Int64 = 1_700_000_000_000

  func segments(seed: UInt64) -> [Segment] {
    var random = RandomStream(seed: seed, stream: 1)
    var result: [Segment] = []
    for device in 0..<devices {
      var time = start + (isSynchronous ? 0 : Int64(random.nextIndex(below: 4_000)))
      var floor = floors[random.nextIndex(below: floors.count)]
      var (x, y) = (random.nextUnit() * size, random.nextUnit() * size)
      while time < start + span {
        let length = isSynchronous ? 1_000 : Int64(1 + random.nextIndex(below: 9_000))
        let isResting = random.nextUnit() < 0.3
        let (nx, ny) =
          isResting
          ? (x, y) : (x + (random.nextUnit() - 0.5) * size * 0.3, y + (random.nextUnit() - 0.5) * size * 0.3)
        let isKnown = random.nextUnit() >= unknown
        if random.nextUnit() < 0.9 {
          result.append(
            Segment(
              device: Int32(device), floor: isKnown ? floor : Segment.unknownFloor, start: time, end: time + length,
              x0: origin.x + x, y0: origin.y + y, x1: origin.x + nx, y1: origin.y + ny))
        }
        time += length
        (x, y) = (nx, ny)
        if random.nextUnit() < 0.1 { floor = floors[random.nextIndex(below: floors.count)] }
      }
    }
    return result
  }
}
