import CordonCore
import CordonCrowd
import CordonVenues

/// A place at which people were counted.
package enum MeasuredPlace: Hashable, Sendable {
  /// The whole building.
  case building
  /// A space, by its index in the plan of the venue.
  case space(Int)
}

/// Repeated simulations of one week, or of one day for measurements without days of the week, that count people in places.
struct FitSimulation {
  /// The mean numbers of people of all repetitions.
  struct Outcome {
    /// The number of people by place, repetition and bin of the week.
    var people: [[[Double]]]
    /// The number of bins of a day.
    var bins: Int
    /// Whether the outcome covers the days of a week, Monday first.
    var isWeek: Bool

    /// Returns the numbers of all repetitions in one bin.
    func values(_ place: Int, _ weekday: Int?, _ bin: Int) -> [Double] {
      let index = (isWeek ? weekday ?? 0 : 0) * bins + bin
      return people[place].map { $0[index] }
    }

    /// Returns the mean over repetitions by bin of a day.
    func mean(_ place: Int, _ weekday: Int?) -> [Double] {
      (0..<bins).map { bin in
        let values = values(place, weekday, bin)
        return values.reduce(0, +) / Double(max(values.count, 1))
      }
    }
  }

  let world: World
  let places: [MeasuredPlace]
  let binMinutes: Int
  let isWeek: Bool
  private var days: MesoscopicDays

  init(world: World, places: [MeasuredPlace], binMinutes: Int, isWeek: Bool) {
    self.world = world
    self.places = places
    self.binMinutes = binMinutes
    self.isWeek = isWeek
    days = MesoscopicDays(world: world)
  }

  /// Returns the scenario with the time of the simulation: from midnight before the first day on.
  func timed(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    let first = scenario.clock.day(at: scenario.start)
    let monday = CalendarDay(number: first.number - (isWeek ? first.weekday : 0))
    scenario.start = scenario.clock.instant(monday, ClockTime(seconds: 0))
    scenario.end = scenario.clock.instant(CalendarDay(number: monday.number + dayCount), ClockTime(seconds: 0))
    return scenario
  }

  private var dayCount: Int { isWeek ? 7 : 1 }

  /// Simulates a scenario.
  /// - Parameters:
  ///   - scenario: the scenario; its start decides the week.
  ///   - repetitions: the numbers of the repetitions, each with random numbers of its own.
  ///   - isInterrupted: whether to end early; repetitions are then missing.
  /// - Throws: ``ScenarioError``.
  mutating func outcome(
    of scenario: Scenario, repetitions: Range<UInt32>, isInterrupted: () -> Bool = { false }
  ) throws -> Outcome {
    let scenario = timed(scenario)
    let bins = 1_440 / binMinutes
    var people = [[[Double]]](repeating: [], count: places.count)
    for repetition in repetitions where !isInterrupted() {
      let plan = try scenario.plan(in: world, replica: repetition)
      let truth = try days.truth(of: plan, replication: scenario.replication(repetition))
      for (index, place) in places.enumerated() {
        var sums = [Double](repeating: 0, count: bins * dayCount)
        for person in truth.people {
          switch place {
          case .building:
            for visit in person.visits {
              add(visit.arrival, visit.hasLeft ? visit.departure : scenario.end, from: scenario, to: &sums)
            }
          case .space(let space):
            for stay in person.stays where stay.space == space { add(stay.start, stay.end, from: scenario, to: &sums) }
          }
        }
        people[index].append(sums)
      }
    }
    return Outcome(people: people, bins: bins, isWeek: isWeek)
  }

  /// Adds the presence of one person to the bins.
  private func add(_ from: Instant, _ to: Instant, from scenario: Scenario, to sums: inout [Double]) {
    let width = Int64(binMinutes) * 60_000
    // Bins follow local time; a week with a change of clocks is shifted by the hour for its remaining days.
    let (start, end) = (from.milliseconds - scenario.start.milliseconds, to.milliseconds - scenario.start.milliseconds)
    guard end > start, end > 0 else { return }
    var bin = max(start, 0) / width
    while bin < sums.count, bin * width < end {
      let overlap = min(end, (bin + 1) * width) - max(start, bin * width)
      sums[Int(bin)] += Double(overlap) / Double(width)
      bin += 1
    }
  }
}
