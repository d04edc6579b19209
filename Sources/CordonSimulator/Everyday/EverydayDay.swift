import CordonCore
import CordonGeometry

/// A day of a person outside of venues by hand-made truth: stays, and the ways between them. Positions are metres from home.
package struct EverydayDay: Sendable {
  /// A stay at one place; times are seconds since midnight.
  struct Stay: Hashable, Sendable {
    var start: Double
    var end: Double
    var point: PlanePoint
  }

  /// A way between two stays.
  struct Way: Hashable, Sendable {
    var start: Double
    var end: Double
    /// In metres.
    var length: Double
  }

  /// The seconds of a day.
  static let seconds = 86_400.0

  /// The stays by time; the first and the last one are at home.
  private(set) var stays: [Stay] = []
  /// The ways by time.
  private(set) var ways: [Way] = []
  /// Where the person is at which second; between two of these the person moves evenly.
  private var corners: [(second: Double, point: PlanePoint)] = [(0, PlanePoint(x: 0, y: 0))]

  /// The length of all ways in metres.
  package var length: Double { ways.reduce(0) { $0 + $1.length } }

  /// A working day: a night and a morning at home, 3 km by bicycle to work, a walk of 1.2 km at noon, and the way back.
  package static let commute: EverydayDay = {
    var day = EverydayDay()
    day.stay(until: 28_800)
    day.go([PlanePoint(x: 1_000, y: 0), PlanePoint(x: 1_000, y: 2_000)], speed: 5)
    day.stay(until: 43_200)
    day.go([PlanePoint(x: 1_600, y: 2_000), PlanePoint(x: 1_000, y: 2_000)], speed: 1.4)
    day.stay(until: 61_200)
    day.go([PlanePoint(x: 1_000, y: 0), PlanePoint(x: 0, y: 0)], speed: 5)
    day.stay(until: seconds)
    return day
  }()

  private init() {}

  /// Makes a day with three to five stops of 20 to 110 minutes. Ways of less than 1.5 km are walked, others driven at 4 to 10 m/s;
  /// each has two to four legs.
  /// - Parameters:
  ///   - number: the number of the day.
  ///   - seed: the seed of all days.
  package init(number: Int, seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 0x67, entity: UInt64(clamping: number))
    stay(until: 25_200 + random.nextUnit() * 7_200)
    for _ in 0..<3 + random.nextIndex(below: 3) {
      let share = random.nextUnit()
      let size = 400 + share * share * 5_000
      let speed = size < 1_500 ? 1.1 + random.nextUnit() * 0.5 : 4 + random.nextUnit() * 6
      let count = 2 + random.nextIndex(below: 3)
      var heading = random.nextUnit() * 2 * Double.pi
      var points: [PlanePoint] = []
      var point = place
      for _ in 0..<count {
        let (sine, cosine) = PortableMath.sincos(heading)
        point = PlanePoint(x: point.x + cosine * size / Double(count), y: point.y + sine * size / Double(count))
        points.append(point)
        heading += (random.nextUnit() - 0.5) * 2
      }
      go(points, speed: speed)
      stay(until: second + 1_200 + random.nextUnit() * 5_400)
    }
    let middle = PlanePoint(x: place.x * 0.5 + place.y * 0.2, y: place.y * 0.5 - place.x * 0.2)
    let distance = PlanePoint.distance(place, PlanePoint(x: 0, y: 0))
    go([middle, PlanePoint(x: 0, y: 0)], speed: distance < 1_500 ? 1.3 : 4 + random.nextUnit() * 6)
    stay(until: EverydayDay.seconds)
  }

  private var second: Double { corners[corners.count - 1].second }
  private var place: PlanePoint { corners[corners.count - 1].point }

  private mutating func stay(until end: Double) {
    let end = max(end, second)
    stays.append(Stay(start: second, end: end, point: place))
    corners.append((end, place))
  }

  private mutating func go(_ points: [PlanePoint], speed: Double) {
    let start = second
    var length = 0.0
    for point in points {
      let leg = PlanePoint.distance(place, point)
      length += leg
      corners.append((second + leg / speed, point))
    }
    ways.append(Way(start: start, end: second, length: length))
  }

  /// Returns the position at a second, and whether the person moves.
  func place(at time: Double) -> (point: PlanePoint, isMoving: Bool) {
    guard let index = corners.firstIndex(where: { $0.second > time }), index > 0 else { return (place, false) }
    let (from, to) = (corners[index - 1], corners[index])
    let part = (time - from.second) / (to.second - from.second)
    let point = PlanePoint(
      x: from.point.x + (to.point.x - from.point.x) * part, y: from.point.y + (to.point.y - from.point.y) * part)
    return (point, from.point != to.point)
  }
}
