import CordonCore
import Foundation

/// Whether a run fits into the memory of the machine, estimated before it begins.
struct RunForecast {
  /// Bytes that the run will need, about.
  let bytes: Double
  let people: Int

  /// What one received fix takes while a run is made: the sink's row, the analysed row, its part of tables.
  private static let bytesPerFix = 700.0
  /// What one stay takes with the walk to it.
  private static let bytesPerStay = 1_500.0
  private static let bytesPerPerson = 4_000.0

  init(_ plan: CrowdPlan, settings: SimulationSettings, end: Instant) {
    var fixes = 0.0
    var stays = 0
    let share: (Int) -> Double = { plan.people.isEmpty ? settings.deviceShare : plan.people[$0].deviceShare }
    for itinerary in plan.itineraries {
      stays += itinerary.stops.count + 1
      guard let leave = itinerary.stops.last?.leave else { continue }
      let seconds = (min(leave, end) - itinerary.arrival).seconds
      // Resting phones switch positioning off; about a third of the time is measured.
      fixes += max(seconds, 0) / settings.fixInterval.seconds * share(itinerary.person) / 3
    }
    people = plan.people.count
    bytes =
      fixes * RunForecast.bytesPerFix + Double(stays) * RunForecast.bytesPerStay
      + Double(people) * RunForecast.bytesPerPerson
  }

  /// What is known before anything is planned: how many come, for about how long.
  ///
  /// Where the scenario does not say how long people stay, a short visit is taken: what is refused by this would not fit.
  init(expecting scenario: Scenario?, settings: SimulationSettings) {
    guard let scenario else {
      let stay = min(settings.duration.seconds, RunForecast.shortVisit)
      self.init(
        people: Double(settings.people), visits: Double(settings.people),
        fixes: Double(settings.people) * stay / settings.fixInterval.seconds * settings.deviceShare)
      return
    }
    let days = scenario.clock.days(from: scenario.start, to: scenario.end)
    let whole = (scenario.end - scenario.start).seconds
    var visits = 0.0
    var fixes = 0.0
    for population in scenario.populations {
      let open = Double(days.count { population.weekdays.contains($0.weekday) })
      let coming = population.visits(days: open, from: scenario.start, to: scenario.end)
      let stay = min(population.expectedStay ?? RunForecast.shortVisit, whole)
      visits += coming
      fixes +=
        coming * stay / settings.fixInterval.seconds * (scenario.policies.deviceShare ?? population.deviceShare)
    }
    self.init(people: scenario.expectedPeople, visits: visits, fixes: fixes)
  }

  private init(people: Double, visits: Double, fixes: Double) {
    self.people = Int(min(people, 1e15))
    // A stay and the way out at least.
    bytes =
      fixes / 3 * RunForecast.bytesPerFix + visits * 2 * RunForecast.bytesPerStay + people * RunForecast.bytesPerPerson
  }

  /// Seconds of a visit in the kind of venue where they are shortest.
  private static let shortVisit = 18 * 60.0

  /// Refuses what cannot fit.
  func check(available: UInt64 = ProcessInfo.processInfo.physicalMemory) throws(SimulationError) {
    guard bytes > Double(available) * 0.85 else { return }
    throw .memory(people: people, needed: bytes, available: Double(available))
  }
}

extension Population {
  /// Visits that are expected in so many days.
  fileprivate func visits(days: Double, from start: Instant, to end: Instant) -> Double {
    switch arrival {
    case .window(let size, _, _): days * Double(size)
    case .shifts(let shifts): days * Double(shifts.reduce(0) { $0 + $1.size })
    case .batches(let batches): days * Double(batches.reduce(0) { $0 + $1.size })
    case .hourly(let rates): days * rates.reduce(0) { $0 + $1.perHour }
    case .counts(let counts): counts.filter { $0.end > start && $0.start < end }.reduce(0) { $0 + $1.people }
    }
  }

  /// Seconds that somebody is there at a time, about; `nil` where the scenario does not say.
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
      // Who comes when is not known well enough to say how long it is until the time to go.
      if leave != nil { return nil }
    }
    return visit?.middle
  }
}
