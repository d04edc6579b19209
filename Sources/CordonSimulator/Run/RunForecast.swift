import CordonCore
import Foundation

/// An estimate of the memory that a run needs, made before it begins.
struct RunForecast {
  /// Estimated memory, in bytes.
  let bytes: Double
  let people: Int

  /// Memory per received fix in bytes: the row of the sink, the analysed row and its part of tables.
  private static let bytesPerFix = 700.0
  /// Memory per stay, including the walk to it, in bytes.
  private static let bytesPerStay = 1_500.0
  private static let bytesPerPerson = 4_000.0

  init(_ plan: CrowdPlan, phones: PhoneSetup, end: Instant) {
    var fixes = 0.0
    var stays = 0
    for itinerary in plan.itineraries {
      stays += itinerary.stops.count + 1
      guard let leave = itinerary.stops.last?.leave else { continue }
      let seconds = (min(leave, end) - itinerary.arrival).seconds
      // Resting phones switch positioning off, so about a third of the time counts.
      fixes += max(seconds, 0) / phones.interval.seconds * plan.people[itinerary.person].deviceShare / 3
    }
    people = plan.people.count
    bytes =
      fixes * RunForecast.bytesPerFix + Double(stays) * RunForecast.bytesPerStay
      + Double(people) * RunForecast.bytesPerPerson
  }

  /// Creates an estimate before the planning, from the expected number of people and the duration of their visits.
  ///
  /// If the scenario does not state the duration of visits, a short visit is assumed. A run that this estimate rejects
  /// would not fit.
  init(expecting scenario: Scenario) {
    if let visitors = scenario.visitors {
      let stay = min(scenario.duration.seconds, RunForecast.shortVisit)
      self.init(
        people: Double(visitors.count), visits: Double(visitors.count),
        fixes: Double(visitors.count) * stay / scenario.phones.interval.seconds * visitors.deviceShare)
      return
    }
    let days = scenario.clock.days(from: scenario.start, to: scenario.end)
    let whole = (scenario.end - scenario.start).seconds
    var visits = 0.0
    var fixes = 0.0
    for population in scenario.populations {
      let open = Double(days.count { population.weekdays.contains($0.weekday) })
      let expected = population.visits(days: open, from: scenario.start, to: scenario.end)
      let stay = min(population.expectedStay ?? RunForecast.shortVisit, whole)
      visits += expected
      fixes +=
        expected * stay / scenario.phones.interval.seconds * (scenario.policies.deviceShare ?? population.deviceShare)
    }
    self.init(people: scenario.expectedPeople, visits: visits, fixes: fixes)
  }

  private init(people: Double, visits: Double, fixes: Double) {
    self.people = Int(min(people, 1e15))
    // Each visit has at least one stay and the way out.
    bytes =
      fixes / 3 * RunForecast.bytesPerFix + visits * 2 * RunForecast.bytesPerStay + people * RunForecast.bytesPerPerson
  }

  /// Duration of a visit in the kind of venue with the shortest visits, in seconds.
  private static let shortVisit = 18 * 60.0

  /// Checks that the run fits into 85 % of the available memory.
  /// - Throws: ``SimulationError/memory(people:needed:available:)``.
  func check(available: UInt64 = ProcessInfo.processInfo.physicalMemory) throws(SimulationError) {
    guard bytes > Double(available) * 0.85 else { return }
    throw .memory(people: people, needed: bytes, available: Double(available))
  }
}

extension Population {
  /// Returns the expected number of visits in a number of days.
  fileprivate func visits(days: Double, from start: Instant, to end: Instant) -> Double {
    let visits: Double =
      switch arrival {
      case .window(let size, _, _): days * Double(size)
      case .shifts(let shifts): days * Double(shifts.reduce(0) { $0 + $1.size })
      case .batches(let batches): days * Double(batches.reduce(0) { $0 + $1.size })
      case .hourly(let rates): days * rates.reduce(0) { $0 + $1.perHour }
      case .counts(let counts): counts.filter { $0.end > start && $0.start < end }.reduce(0) { $0 + $1.people }
      }
    return (visits + expectedAppointments(days: days, from: start, to: end)) * peopleEach
  }

  /// The expected duration of a visit in seconds; `nil` if the scenario does not state it.
  fileprivate var expectedStay: Double? {
    func span(_ from: ClockWindow, _ to: ClockWindow) -> Double {
      max(Double(to.from.seconds + to.to.seconds - from.from.seconds - from.to.seconds) / 2, 0)
    }
    switch arrival {
    case .shifts(let shifts):
      let lengths = shifts.map { shift in
        let length = shift.window.to.seconds - shift.window.from.seconds
        return Double(length > 0 ? length : length + 86_400)
      }
      return lengths.min()
    case .window(_, let window, _):
      if let leave { return span(window ?? .wholeDay, leave) }
    case .batches, .hourly, .counts:
      // Arrival times are not known well enough to derive the duration from the time of departure.
      if leave != nil { return nil }
    }
    return visit?.middle
  }
}
