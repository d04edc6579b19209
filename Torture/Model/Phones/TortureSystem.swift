import CordonCore
import CordonGeometry
import CordonMonitoring

/// The operating system of a phone, as far as it concerns places outside of venues: it pauses positioning, watches the circle
/// around the place of a pause, and finds visits.
///
/// It survives the process, and keeps its reports for the next one. Reports come late, twice, without an arrival, and the arrival
/// after the departure.
struct TortureSystem {
  /// A report about the place of the person.
  enum Report: Hashable {
    /// Positioning pauses.
    case paused
    /// The device left the circle.
    case leftFence
    /// A visit.
    case visit(Visit)
  }

  /// A stay of the person at one place.
  private struct Stay {
    var place: (x: Double, y: Double)
    var ticks = 0
    /// The virtual time and the wall clock at its beginning.
    var since: Int64
    var arrival: Instant
    /// The kind of reports about it, once it is a visit.
    var kind: Int?
  }

  /// A visit that begins or ends, with the virtual time and the wall clock of that moment.
  struct Change {
    var isArrival: Bool
    var place: (x: Double, y: Double)
    var at: Int64
    var wall: Instant
  }

  /// The ticks at one place after which it is a visit: five minutes.
  private static let visitTicks = 60
  private var random: RandomStream
  /// The ticks at one place after which the system pauses positioning.
  private let pauseTicks: Int
  private let frame: LocalFrame
  private var waiting: [(due: Int64, report: Report)] = []
  private var stay: Stay?
  /// The visit that has just ended.
  private var former: Stay?
  private var fence: (center: PlanePoint, radius: Double)?
  /// The policy by which the system measures; `nil` in venues.
  private(set) var policy: TrackingPolicy?
  /// The departures that it has dated, as virtual times, by their dates.
  private(set) var departures: [Int64: Int64] = [:]

  init(seed: UInt64, phone: Int, site: TortureSite) {
    random = RandomStream(seed: seed, stream: 0x79, entity: UInt64(phone))
    frame = site.frame
    pauseTicks = random.nextIndex(below: 2) == 0 ? 24 : 90
  }

  /// The time of the next report.
  var nextReport: Int64 { waiting.lazy.map { $0.due }.min() ?? .max }

  /// Whether something ends a pause of positioning.
  var watchesFence: Bool { fence != nil }

  /// Whether the person stays at a place: positioning pauses there, or it is a visit.
  var seesStay: Bool { fence != nil || stay?.kind != nil }

  /// Performs a command of the monitor.
  mutating func perform(_ command: ProviderCommand) {
    switch command {
    case .usePolicy(let policy): self.policy = policy
    case .watchExitFence(let center, let radius): fence = (frame.project(center), radius)
    case .unwatchExitFence: fence = nil
    default: break
    }
  }

  /// The process ended: no policy measures any more. The circle stays.
  mutating func endProcess() { policy = nil }

  /// Follows the person by five seconds. Returns the visit that begins or ends; its date is still to be given.
  /// - Parameters:
  ///   - at: the virtual time.
  ///   - wall: the wall clock at that time.
  mutating func follow(_ place: (x: Double, y: Double), at: Int64, wall: Instant) -> Change? {
    if let fence {
      let (dx, dy) = (place.x - fence.center.x, place.y - fence.center.y)
      if (dx * dx + dy * dy).squareRoot() > fence.radius {
        self.fence = nil
        note(.leftFence, at + Int64(random.nextIndex(below: 180_000)))
      }
    }
    guard var stay = self.stay, stay.place == place else {
      former = self.stay?.kind == nil ? nil : self.stay
      self.stay = Stay(place: place, since: at, arrival: wall)
      return former.map { Change(isArrival: false, place: $0.place, at: at, wall: wall) }
    }
    stay.ticks += 1
    if stay.ticks == pauseTicks, policy?.pausesAutomatically == true { note(.paused, at) }
    self.stay = stay
    guard stay.ticks == TortureSystem.visitTicks else { return nil }
    return Change(isArrival: true, place: place, at: stay.since, wall: stay.arrival)
  }

  /// Dates the arrival of the present visit, and plans its report.
  mutating func begin(_ arrival: Instant, now: Int64) {
    guard var stay else { return }
    let kind = random.nextIndex(below: 8)
    stay.kind = kind
    stay.arrival = arrival
    self.stay = stay
    guard kind < 4 || kind == 7 else { return }
    note(.visit(visit(stay, departure: nil)), now + Int64(random.nextIndex(below: 240_000)))
  }

  /// Dates the departure from the visit that has just ended, and plans its reports.
  mutating func end(_ departure: Instant, at: Int64) {
    guard let stay = former, let kind = stay.kind else { return }
    former = nil
    let due = at + Int64(random.nextIndex(below: 360_000))
    departures[departure.milliseconds] = at
    var visit = self.visit(stay, departure: departure)
    if kind == 6 { visit.arrival = nil }
    note(.visit(visit), due)
    if kind == 7 { note(.visit(visit), due + 60_000) }
    if kind == 5 { note(.visit(self.visit(stay, departure: nil)), due + 30_000) }
  }

  private func visit(_ stay: Stay, departure: Instant?) -> Visit {
    Visit(
      coordinate: TortureSite.coordinate(stay.place.x, stay.place.y, in: frame), accuracy: 30, arrival: stay.arrival,
      departure: departure)
  }

  private mutating func note(_ report: Report, _ due: Int64) { waiting.append((due, report)) }

  /// Returns the next report that is due, and removes it.
  mutating func next(_ now: Int64) -> Report? {
    guard let index = waiting.indices.filter({ waiting[$0].due <= now }).min(by: { waiting[$0].due < waiting[$1].due })
    else { return nil }
    return waiting.remove(at: index).report
  }

  /// Returns a report about a visit that the person may not have made.
  /// - Parameters:
  ///   - place: the present place.
  ///   - arrival: the date of an arrival some time ago.
  ///   - departure: the date of a departure now.
  ///   - at: the virtual time.
  ///   - kind: 0 for a visit that lasts, 1 for one that has ended, 2 for one without an arrival; modulo 3.
  mutating func invent(
    _ place: (x: Double, y: Double), arrival: Instant, departure: Instant, at: Int64, kind: Int64
  ) -> Visit {
    let coordinate = TortureSite.coordinate(place.x, place.y, in: frame)
    var visit = Visit(coordinate: coordinate, accuracy: 20, arrival: arrival, departure: nil)
    if kind % 3 > 0 {
      departures[departure.milliseconds] = at
      visit.departure = departure
    }
    if kind % 3 == 2 { visit.arrival = nil }
    return visit
  }
}
