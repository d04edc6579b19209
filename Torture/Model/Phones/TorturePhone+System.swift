import CordonCore
import CordonMonitoring

/// The reports of the operating system about places, and the checks of what the monitor makes of them.
extension TorturePhone {
  /// An end of the evidence for where the device was.
  struct Interruption {
    enum Kind: String {
      case death = "the end of a process"
      case pause = "a pause of the person"
      case clock = "a change of the clock"
    }

    /// The virtual time.
    var at: Int64
    var kind: Kind
  }

  /// Lets the system follow the person. `at` is the virtual time of the place.
  func followSystem(_ place: (x: Double, y: Double), at: Int64) {
    guard let change = system?.follow(place, at: at, wall: wall(at)) else { return }
    let time = freeTime(change.wall)
    note(visitAt: change.place, time: time, at: change.at)
    if change.isArrival { system?.begin(time, now: at) } else { system?.end(time, at: change.at) }
  }

  /// Returns a time that no fix has.
  func freeTime(_ time: Instant) -> Instant {
    var time = time
    while truths[time.milliseconds] != nil { time = time + .milliseconds(1) }
    return time
  }

  /// Notes the place of a visit under its arrival, or its departure.
  private func note(visitAt place: (x: Double, y: Double), time: Instant, at: Int64) {
    note(
      Truth(place: place, coordinate: site.coordinate(place.x, place.y), at: at, offset: wallOffset, isVisit: true),
      at: time)
    judge(time.milliseconds)
  }

  /// Delivers the next report that is due. Returns whether there was one.
  func hearSystem(_ now: Int64) -> Bool {
    guard isUp, suspendedUntil <= now, let report = system?.next(now) else { return false }
    switch report {
    case .paused: pausePositioning(now)
    case .leftFence: send(now, .leftExitFence)
    case .visit(let visit): deliver(visit, now)
    }
    return true
  }

  /// The system pauses positioning if its policy permits that. A report without a pause changes nothing.
  func pausePositioning(_ now: Int64) {
    let pauses = isPositioning && system?.policy?.pausesAutomatically == true
    if pauses {
      isPositioning = false
      isPausedBySystem = true
    }
    send(now, .pausedPositioning)
  }

  /// Reports a visit at the present place that began some time ago; nothing says that it was one.
  func inventVisit(_ now: Int64, amount: Int64) {
    let before = min(amount / 2, now - 1)
    let (arrival, departure) = (freeTime(wall(now - before)), freeTime(wall(now)))
    let place = walker.place
    guard
      let visit = system?.invent(
        place, arrival: arrival, departure: departure, at: now, kind: amount / 60_000)
    else { return }
    if visit.arrival != nil { note(visitAt: place, time: arrival, at: now - before) }
    if visit.departure != nil { note(visitAt: place, time: departure, at: now) }
    deliver(visit, now)
  }

  private func deliver(_ visit: Visit, _ now: Int64) {
    // The monitor judges a place by the bundle in use.
    if let arrival = visit.arrival { judge(arrival.milliseconds) }
    // A visit whose arrival is not recorded has the time of its departure.
    if let end = visit.departure { judge(end.milliseconds) }
    send(now, .visit(visit))
  }

  // MARK: Checks

  /// Whether the clock was certainly not set since a time.
  func isClockSure(since time: Int64) -> Bool {
    time > clockDoubtUntil && !interruptions.contains { $0.kind == .clock && $0.at > time }
  }

  /// Notes an interruption.
  func interrupt(_ kind: Interruption.Kind, _ now: Int64) {
    guard system != nil else { return }
    interruptions.append(Interruption(at: now, kind: kind))
  }

  /// Checks the end of a rest outside, or of a visit.
  func check(rest row: Location, until end: Instant) {
    let now = lastNow
    guard let truth = truths[row.time.milliseconds] else { return }
    var last = end.milliseconds - TortureRun.start - truth.offset
    if truth.isVisit, end != row.time {
      guard let departure = system?.departures[end.milliseconds] else {
        return fail(now, "a visit ends when the system did not say")
      }
      last = departure
    }
    let bridged = interruptions.first {
      $0.at > truth.at && $0.at < last && !(truth.isVisit && $0.kind == .death)
    }
    if let bridged { fail(now, "a rest goes on over \(bridged.kind.rawValue)") }
    guard !truth.isVisit else { return }
    // A fix may be delivered some seconds late. Virtual times, since the clock may have been set between two rows.
    let (earliest, latest) = (truth.at + 20_000, last - 20_000)
    let isElsewhere = everStored.values.contains { other in
      guard other.device == row.device, let there = truths[other.time.milliseconds], !there.isVisit,
        there.at > earliest, there.at < latest
      else { return false }
      let (dx, dy) = (there.place.x - truth.place.x, there.place.y - truth.place.y)
      return (dx * dx + dy * dy).squareRoot() > max(50, row.accuracy, other.accuracy) + 1
    }
    if isElsewhere { fail(now, "a rest goes on while the device was elsewhere") }
  }

  /// Checks after a step that the policy for places outside holds only there, and that something ends a pause of the system.
  func checkPositioning(_ now: Int64) {
    if seen?.phase == .tracking, system?.policy != nil { fail(now, "the policy for places outside holds in a venue") }
    guard isPausedBySystem else { return }
    isPausedBySystem = false
    if !isPositioning, system?.watchesFence == false, seen?.isTrackingOutside == true {
      fail(now, "the system paused positioning, and nothing will start it again")
    }
  }
}
