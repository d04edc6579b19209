package import CordonCore
import CordonGeometry
package import CordonMonitoring

/// One day of a person with a phone that records outside of venues: the real runtime, and a model of the operating system that
/// follows its policy. It compares policies by energy and by what they record.
///
/// The model of the system measures every five seconds while positioning is on, drops what is nearer than the policy's distance,
/// reports significant changes every 500 m at most every five minutes, visits five minutes after an arrival with an error of 30 m,
/// and crossings of the exit fence. It pauses positioning by itself when the policy permits that and the person has not moved for
/// the policy's time. The person leaves home at the end of the day. The 68 % radius of positions is the desired accuracy, and 5 m
/// at least; errors are normal with a correlation time of a minute.
package struct EverydayPhone {
  /// The costs of a policy, and its records.
  package struct Figures: Hashable, Sendable {
    /// Energy of the day in joules, by the model of energy.
    package var joules = 0.0
    /// The share of a full battery in percent.
    package var batteryPercent = 0.0
    /// The time with positioning on.
    package var positioning = TimeSpan.zero
    /// Fixes that the system delivered.
    package var fixes = 0
    /// Rows that the receiver got.
    package var rows = 0
    /// Requests to the receiver.
    package var requests = 0
    /// The length of the lines between the rows on the way, as a share of the true length; 0 without rows on the way.
    package var lengthShare = 0.0
  }

  /// The size of a row for an Overland receiver in bytes.
  static let bytesPerRow = 600
  /// The 68 % radius of the places of visits in metres.
  static let visitAccuracy = 30.0
  /// The time between two measurements in seconds.
  static let interval = 5
  /// The beginning of the day.
  static let start = Instant(milliseconds: 1_767_571_200_000)
  static let origin = Coordinate(longitude: 11.5, latitude: 48.1)

  private let day: EverydayDay
  private let model: EnergyModel
  private let frame = LocalFrame(origin: EverydayPhone.origin)
  private var driver: RuntimeDriver
  private var random: RandomStream
  private var applied: TrackingPolicy?
  private var isPositioning = false
  private var watchesChanges = false
  private var watchesVisits = false
  private var fence: (center: PlanePoint, radius: Double)?
  private var lastFix: PlanePoint?
  private var lastChange: (point: PlanePoint, second: Int)?
  /// The place near which the person has been since a second, and the position of the visit that was reported there.
  private var arrival: (point: PlanePoint, second: Int, reported: PlanePoint?)?
  private var stillSince = 0
  private var use = EnergyUse()
  private var positioningJoules = 0.0
  private var figures = Figures()
  /// The rows that the receiver got, each with the last end of its stay.
  private var rows: [Location] = []
  private var numbers: [FixID: Int] = [:]
  /// The errors of positions as multiples of their standard deviation, and the second of the last one.
  private var wander = PlanePoint(x: 0, y: 0)
  private var wanderSecond: Int?

  /// Runs a day.
  /// - Parameters:
  ///   - policy: the policy outside of venues.
  ///   - day: the day.
  ///   - model: the model of energy; the power of positioning follows from the accuracy of the policy.
  ///   - seed: the seed of errors and waits.
  /// - Throws: an error for an invalid policy.
  package static func figures(
    of policy: TrackingPolicy, on day: EverydayDay = .commute, model: EnergyModel = EnergyModel(), seed: UInt64 = 1
  ) throws -> Figures {
    try record(of: policy, on: day, model: model, seed: seed).figures
  }

  /// Runs a day, and returns the rows that the receiver got too, by time.
  static func record(
    of policy: TrackingPolicy, on day: EverydayDay, model: EnergyModel, seed: UInt64
  ) throws -> (figures: Figures, rows: [Location]) {
    var phone = try EverydayPhone(policy, day, model, seed)
    phone.live()
    let order = phone.rows.indices.sorted { (phone.rows[$0].time, $0) < (phone.rows[$1].time, $1) }
    let rows = order.map { phone.rows[$0] }
    return (phone.result(rows), rows)
  }

  private init(_ policy: TrackingPolicy, _ day: EverydayDay, _ model: EnergyModel, _ seed: UInt64) throws {
    self.day = day
    self.model = model
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.overland, purposes: .everywhere)]
    configuration.everywhere = policy
    try configuration.validate()
    random = RandomStream(seed: seed, stream: 0x65)
    let now = ClockReading(virtual: EverydayPhone.start)
    driver = RuntimeDriver(
      try Runtime(
        configuration: configuration, store: MemoryStore(), entropy: .stream(RandomStream(seed: seed, stream: 0x66)),
        at: now), at: now)
  }

  private mutating func live() {
    step(.consent(Consent(version: "1", purposes: [.record, .share, .everywhere], time: EverydayPhone.start)))
    step(.start)
    var isMoving = false
    for second in stride(from: EverydayPhone.interval, to: 86_400, by: EverydayPhone.interval) {
      let now = ClockReading(virtual: EverydayPhone.start) + .seconds(Int64(second))
      while driver.advance(to: now) { perform() }
      let place = day.place(at: Double(second))
      if place.isMoving != isMoving {
        isMoving = place.isMoving
        step(.motion(isMoving ? .moving : .still))
      }
      if place.isMoving { stillSince = second }
      sense(place.point, second)
      use.monitoredSeconds += Double(EverydayPhone.interval)
      guard isPositioning else { continue }
      positioningJoules += EverydayPhone.milliwatts(applied, model) / 1_000 * Double(EverydayPhone.interval)
      use.positioningSeconds += Double(EverydayPhone.interval)
      if let applied, applied.pausesAutomatically, Double(second - stillSince) >= applied.pauseAfter.seconds {
        step(.pausedPositioning)
        continue
      }
      let filter = applied?.minimumDistance ?? 0
      if let lastFix, filter > 0, PlanePoint.distance(lastFix, place.point) < filter { continue }
      lastFix = place.point
      deliver(place.point, accuracy: max(5, applied?.desiredAccuracy.metres ?? 0))
    }
    // The person leaves at midnight, so that the last stay has an end as all others.
    if fence != nil {
      fence = nil
      step(.leftExitFence)
    }
    if watchesVisits, let known = arrival, let place = known.reported {
      visit(place, known.second, departure: 86_400 - EverydayPhone.interval)
    }
    step(.flush)
  }

  private mutating func sense(_ point: PlanePoint, _ second: Int) {
    if let fence, PlanePoint.distance(fence.center, point) > fence.radius {
      self.fence = nil
      step(.leftExitFence)
    }
    if watchesChanges {
      if let last = lastChange {
        if second - last.second >= 300, PlanePoint.distance(last.point, point) >= 500 {
          lastChange = (point, second)
          deliver(point, accuracy: 65)
        }
      } else {
        lastChange = (point, second)
      }
    }
    guard watchesVisits else { return }
    if let known = arrival, PlanePoint.distance(known.point, point) <= 100 {
      guard known.reported == nil, second - known.second >= 300 else { return }
      let sigma = EverydayPhone.visitAccuracy / 1.5096
      let place = PlanePoint(x: point.x + sigma * random.nextNormal(), y: point.y + sigma * random.nextNormal())
      arrival?.reported = place
      visit(place, known.second, departure: nil)
    } else {
      if let known = arrival, let place = known.reported { visit(place, known.second, departure: second) }
      arrival = (point, second, nil)
    }
  }

  private mutating func visit(_ point: PlanePoint, _ arrival: Int, departure: Int?) {
    func time(_ second: Int) -> Instant { EverydayPhone.start + .seconds(Int64(second)) }
    step(
      .visit(
        Visit(
          coordinate: frame.unproject(point), accuracy: EverydayPhone.visitAccuracy, arrival: time(arrival),
          departure: departure.map(time))))
  }

  private mutating func deliver(_ point: PlanePoint, accuracy: Double) {
    use.fixes += 1
    figures.fixes += 1
    // The 68 % radius of two normal errors is 1.5096 of their standard deviation.
    let sigma = accuracy / 1.5096
    let second = Int((driver.now.wall - EverydayPhone.start).seconds)
    let keep = wanderSecond.map { PortableMath.exp(-Double(max(second - $0, 0)) / 60) } ?? 0
    let innovation = (1 - keep * keep).squareRoot()
    wander = PlanePoint(
      x: keep * wander.x + innovation * random.nextNormal(), y: keep * wander.y + innovation * random.nextNormal())
    wanderSecond = second
    let measured = PlanePoint(x: point.x + sigma * wander.x, y: point.y + sigma * wander.y)
    step(
      .fix(
        Fix(coordinate: frame.unproject(measured), accuracy: accuracy, floor: nil, time: driver.now.wall)))
  }

  private mutating func step(_ event: MonitorEvent) {
    driver.step(event)
    perform()
  }

  private mutating func perform() {
    while let output = driver.nextOutput() {
      for command in output.commands { follow(command) }
      for request in output.requests { answer(request) }
    }
  }

  private mutating func follow(_ command: ProviderCommand) {
    switch command {
    case .startPositioning: isPositioning = true
    case .stopPositioning: isPositioning = false
    case .usePolicy(let policy): applied = policy
    case .watchSignificantChanges: watchesChanges = true
    case .unwatchSignificantChanges: watchesChanges = false
    case .watchVisits: watchesVisits = true
    case .unwatchVisits: watchesVisits = false
    case .watchExitFence(let center, let radius): fence = (frame.project(center), radius)
    case .unwatchExitFence: fence = nil
    case .requestFix, .watchRegion, .unwatchRegion, .watchWakeFence, .unwatchWakeFence: break
    }
  }

  private mutating func answer(_ request: SinkRequest) {
    guard case .positions(let rows, _) = request.body else { return }
    use.requests += 1
    use.bytes += rows.count * EverydayPhone.bytesPerRow
    figures.requests += 1
    figures.rows += rows.count
    for row in rows {
      if let number = numbers[row.id] {
        self.rows[number] = row
      } else {
        numbers[row.id] = self.rows.count
        self.rows.append(row)
      }
    }
    driver.receive(
      SinkResponse(
        number: request.number, status: 200, body: .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })))
  }

  /// Power of positioning in milliwatts: satellites for the finest accuracies, Wi-Fi for 100 m, cells for coarser ones.
  private static func milliwatts(_ policy: TrackingPolicy?, _ model: EnergyModel) -> Double {
    switch policy?.desiredAccuracy {
    case nil, .best, .tenMetres: PhonePreset.gps.positioningMilliwatts
    case .navigation: PhonePreset.gps.positioningMilliwatts + 100
    case .hundredMetres: PhonePreset.wifi.positioningMilliwatts
    case .kilometre, .threeKilometres: PhonePreset.network.positioningMilliwatts
    }
  }

  private func result(_ rows: [Location]) -> Figures {
    var result = figures
    var base = model
    base.positioningMilliwatts = 0
    result.joules = base.joules(use) + positioningJoules
    result.batteryPercent = model.percent(joules: result.joules)
    result.positioning = .seconds(Int64(use.positioningSeconds))
    let path = rows.map { frame.project($0.coordinate) }
    let length = zip(path, path.dropFirst()).reduce(0.0) { $0 + PlanePoint.distance($1.0, $1.1) }
    result.lengthShare = length / day.length
    return result
  }
}
