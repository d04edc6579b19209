public import CordonCore
import CordonGeometry
public import CordonMonitoring

/// Walks along a route and reports its position, with the errors of a receiver: for an app's own simulator runs.
///
/// The walk goes back and forth between the ends of the route. The same seed gives the same errors.
public struct SimulatedProvider: LocationProvider {
  private let route: [PlanePoint]
  private let frame: LocalFrame
  private let speed: Double
  private let accuracy: Double
  private let interval: TimeSpan
  private let seed: UInt64
  private let floor: FloorOrdinal?
  private let limit: Int

  /// - Parameters:
  ///   - route: at least one place; one place is a person who stands still.
  ///   - speed: metres per second, 0 ... 15.
  ///   - accuracy: the radius (68 %, metres) of the reported positions; their errors are of that size.
  ///   - interval: the time between two fixes, at least 100 ms.
  ///   - limit: the maximum number of fixes.
  ///   - floor: the floor of every fix; `nil` for unknown.
  ///   - seed: the seed of the errors.
  public init(
    route: [Coordinate], speed: Double = 1.3, accuracy: Double = 5, floor: FloorOrdinal? = nil,
    interval: TimeSpan = .seconds(1), seed: UInt64 = 1, limit: Int = .max
  ) {
    let frame = LocalFrame(origin: route.first ?? Coordinate(longitude: 0, latitude: 0))
    self.frame = frame
    self.route = route.map { frame.project($0) }
    self.speed = min(max(speed.isFinite ? speed : 0, 0), 15)
    self.accuracy = min(max(accuracy.isFinite ? accuracy : 5, 0), 1_000)
    self.floor = floor
    self.interval = max(interval, .milliseconds(100))
    self.seed = seed
    self.limit = route.isEmpty ? 0 : max(limit, 0)
  }

  /// Returns the fix with a number, counted from the start.
  public func fix(_ index: Int, start: Instant) -> Fix {
    let after = TimeSpan(milliseconds: interval.milliseconds &* Int64(index))
    let place = self.place(after: speed * after.seconds)
    // Both axes have normal errors, so that the 68 % radius equals the reported accuracy.
    var random = RandomStream(seed: seed, stream: 0x51_4d, entity: UInt64(clamping: index))
    let deviation = accuracy / GPSDEpochs.deviationsIn68PercentRadius
    let point = PlanePoint(
      x: place.x + deviation * random.nextNormal(), y: place.y + deviation * random.nextNormal())
    return Fix(coordinate: frame.unproject(point), accuracy: accuracy, floor: floor, time: start + after)
  }

  /// Returns the position of the walk after a distance in metres.
  private func place(after metres: Double) -> PlanePoint {
    guard let first = route.first else { return PlanePoint(x: 0, y: 0) }
    var lengths: [Double] = []
    for (from, to) in zip(route, route.dropFirst()) {
      lengths.append(((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot())
    }
    let total = lengths.reduce(0, +)
    guard total > 0 else { return first }
    var rest = metres.truncatingRemainder(dividingBy: 2 * total)
    if rest > total { rest = 2 * total - rest }
    for (index, length) in lengths.enumerated() {
      if rest <= length, length > 0 {
        let (from, to) = (route[index], route[index + 1])
        let part = rest / length
        return PlanePoint(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
      }
      rest -= length
    }
    return route.last ?? first
  }

  /// See ``LocationProvider/perform(_:)``; the walk ignores commands.
  public func perform(_ command: ProviderCommand) {}

  /// See ``LocationProvider/events()``.
  public func events() -> AsyncStream<ProviderEvent> {
    let start = SystemClock.wall
    let (provider, interval) = (self, interval)
    return Pacing.stream(count: limit) { index in
      (
        after: TimeSpan(milliseconds: interval.milliseconds &* Int64(index)),
        event: .fix(provider.fix(index, start: start))
      )
    }
  }
}
