import CordonCore
import CordonCrowd

extension Stream {
  /// The factors of arrival rates by day.
  static let variation: UInt32 = 0x7661_7279
}

/// One visit of one person, before its stops are planned.
struct PlannedVisit {
  var person: Int
  var population: Int
  var arrival: Int64
  var leave: Int64
  /// The index of the visit that this one accompanies; `nil` for a leader or a person on their own.
  var leader: Int?
  var speed: Double
  /// The appointment of the visit; `nil` for a visit without one.
  var appointment: PlannedAppointment?
  /// Whether the person accompanies the leader and is not served.
  var isCompanion = false
}

/// An appointment of a visit.
struct PlannedAppointment {
  /// The time of the appointment, in milliseconds since 1970.
  var time: Int64
  /// The name of the activity.
  var activity: String
}

/// Draws the arrivals of a scenario.
struct ArrivalPlanner {
  let scenario: Scenario
  let replica: UInt32
  /// The mean duration of a visit in this kind of venue, in minutes, for populations without a rule.
  let defaultVisit: Double

  private(set) var visits: [PlannedVisit] = []
  private(set) var people: [PlannedPerson] = []
  /// The number of visits that policies delayed beyond their end.
  private(set) var tooLate = 0
  /// The number of appointments to which nobody came, by population.
  private(set) var noShows: [Int: Int] = [:]

  init(_ scenario: Scenario, replica: UInt32, defaultVisit: Double) {
    self.scenario = scenario
    self.replica = replica
    self.defaultVisit = defaultVisit
  }

  /// Draws all visits.
  /// - Throws: ``ScenarioError`` if there are more people than can be simulated, or if a population has no visits.
  mutating func draw() throws(ScenarioError) {
    let days = scenario.clock.days(from: scenario.start, to: scenario.end)
    for (index, population) in scenario.populations.enumerated() {
      let first = visits.count
      let open = days.filter { population.weekdays.contains($0.weekday) }
      switch population.arrival {
      case .window(let size, let window, let shape):
        let members = try add(people: size, of: index)
        for day in open { for person in members { addVisit(of: person, index, day, window, shape) } }
      case .shifts(let shifts):
        for shift in shifts {
          let members = try add(people: shift.size, of: index)
          for day in open { for person in members { work(person, index, day, shift) } }
        }
      case .batches(let batches):
        for day in open {
          for batch in batches {
            let at = scenario.clock.instant(day, batch.at).milliseconds
            let members = try add(people: batch.size, of: index)
            for person in members {
              var random = self.random(person, day)
              arrive(person, index, at: at + stagger(&random) + share(of: batch.spread, &random), &random)
            }
          }
        }
      case .hourly(let rates):
        for day in open {
          for rate in rates where rate.perHour > 0 && rate.weekdays.contains(day.weekday) {
            let from = scenario.clock.instant(day, rate.window.from).milliseconds
            let to = scenario.clock.instant(day, rate.window.to).milliseconds
            let perHour = rate.perHour * factor(of: population, index, from: from)
            guard perHour > 0 else { continue }
            try stream(index, from: from, to: to, perMillisecond: perHour / 3_600_000)
          }
        }
      case .counts(let counts):
        for count in counts where count.people > 0 {
          let (from, to) = (count.start.milliseconds, count.end.milliseconds)
          guard to > scenario.start.milliseconds, from < scenario.end.milliseconds else { continue }
          try stream(index, from: from, to: to, perMillisecond: count.people / Double(to - from))
        }
      }
      if let list = population.appointments { try keep(list, of: index, on: open) }
      gather(population, from: first)
      try accompany(population, index, from: first)
      guard visits.count > first else {
        throw ScenarioError(
          line: population.line, path: "populations[\(index)]",
          message: "no person of '\(population.name)' arrives between \(scenario.clock.text(of: scenario.start)) and "
            + "\(scenario.clock.text(of: scenario.end)) (\(scenario.clock.zone)), the time of the run\(population.arrivalClause)"
        )
      }
    }
  }

  private mutating func add(people count: Int, of population: Int) throws(ScenarioError) -> Range<Int> {
    let rule = scenario.populations[population]
    guard people.count + count <= ScenarioLimits.people.upperBound else {
      throw ScenarioError(
        line: rule.line, path: "populations[\(population)]",
        message:
          "more than \(ScenarioLimits.people.upperBound) people in total; this is the maximum")
    }
    let share = scenario.policies.deviceShare ?? rule.deviceShare
    let first = people.count
    people += Array(repeating: PlannedPerson(population: population, deviceShare: share), count: count)
    return first..<people.count
  }

  /// Adds the visits of people with appointments.
  private mutating func keep(_ list: AppointmentList, of population: Int, on days: [CalendarDay]) throws(ScenarioError)
  {
    var numbers: [String: Int] = [:]
    for appointment in list.appointments {
      let times: [Int64] =
        switch appointment.time {
        case .once(let time): [time.milliseconds]
        case .daily(let time): days.map { scenario.clock.instant($0, time).milliseconds }
        }
      for time in times where time >= scenario.start.milliseconds && time < scenario.end.milliseconds {
        // The number follows from the appointment, so that no-shows do not change those of others.
        var random = RandomStream(
          seed: scenario.seed, replica: replica, stream: Stream.appointments, entity: UInt64(population),
          index: UInt64(max(time, 0)) ^ Self.hash(of: appointment.person) << 20)
        guard random.nextUnit() >= list.noShows else {
          noShows[population, default: 0] += 1
          continue
        }
        let person: Int
        if let known = numbers[appointment.person] {
          person = known
        } else {
          person = try add(people: 1, of: population).lowerBound
          numbers[appointment.person] = person
        }
        let before = visits.count
        arrive(person, population, at: time - list.early.draw(&random) + stagger(&random), &random)
        guard visits.count > before else { continue }
        visits[before].appointment = PlannedAppointment(time: time, activity: appointment.clinic)
      }
    }
  }

  /// Returns a hash of a text that is the same in every run (FNV-1a).
  private static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// Adds people who accompany some of the visits from `first` on.
  private mutating func accompany(_ population: Population, _ index: Int, from first: Int) throws(ScenarioError) {
    guard let companions = population.companions else { return }
    for visit in first..<visits.count where visits[visit].leader == nil {
      var random = RandomStream(
        seed: scenario.seed, replica: replica, stream: Stream.company, entity: UInt64(visits[visit].person) | 1 << 42,
        index: UInt64(max(visits[visit].arrival, 0)))
      guard random.nextUnit() < companions.share else { continue }
      let number =
        companions.number.lowerBound
        + random.nextIndex(below: companions.number.upperBound - companions.number.lowerBound + 1)
      for person in try add(people: number, of: index) {
        var other = visits[visit]
        other.person = person
        other.leader = visit
        other.isCompanion = true
        other.appointment = nil
        visits.append(other)
      }
    }
  }

  private func random(_ person: Int, _ day: CalendarDay) -> RandomStream {
    RandomStream(
      seed: scenario.seed, replica: replica, stream: Stream.arrivals, entity: UInt64(person),
      index: UInt64(max(day.number, 0)) << 16)
  }

  private func share(of span: TimeSpan, _ random: inout RandomStream) -> Int64 {
    Int64(Double(span.milliseconds) * random.nextUnit())
  }

  private func stagger(_ random: inout RandomStream) -> Int64 { share(of: scenario.policies.stagger, &random) }

  private mutating func addVisit(
    of person: Int, _ population: Int, _ day: CalendarDay, _ window: ClockWindow?, _ shape: Population.Shape
  ) {
    var random = random(person, day)
    let hours = window ?? .wholeDay
    var from = scenario.clock.instant(day, hours.from).milliseconds
    var to = scenario.clock.instant(day, hours.to).milliseconds
    if window == nil {
      from = max(from, scenario.start.milliseconds)
      to = min(to, scenario.end.milliseconds)
      let leave = scenario.populations[population].leave.map { scenario.clock.instant(day, $0.from).milliseconds }
      if let leave, leave > from { to = min(to, leave) }
    }
    var share: Double
    switch shape {
    case .uniform: share = random.nextUnit()
    case .normal: share = min(max(0.5 + random.nextNormal() / 3.92, 0), 1)
    case .early: share = 1 - random.nextUnit().squareRoot()
    }
    share = min(share, 0.999_999)
    arrive(person, population, at: from + stagger(&random) + Int64(share * Double(max(to - from, 1))), &random)
  }

  private mutating func work(_ person: Int, _ population: Int, _ day: CalendarDay, _ shift: Population.Shift) {
    var random = random(person, day)
    let from = scenario.clock.instant(day, shift.window.from).milliseconds
    let last = shift.window.to <= shift.window.from ? CalendarDay(number: day.number + 1) : day
    let to = scenario.clock.instant(last, shift.window.to).milliseconds
    let arrival = from - share(of: shift.spread, &random) + stagger(&random)
    let leave = max(to + share(of: shift.spread, &random), arrival + 60_000)
    put(person, population, arrival, leave: leave, isByTheClock: true, &random)
  }

  /// Adds new people one after the other, with exponential times between them.
  private mutating func stream(
    _ population: Int, from: Int64, to: Int64, perMillisecond: Double
  ) throws(ScenarioError) {
    var random = RandomStream(
      seed: scenario.seed, replica: replica, stream: Stream.arrivals, entity: UInt64(population) | 1 << 40,
      index: UInt64(max(from, 0)))
    var time = Double(from)
    while true {
      time += random.nextExponential(mean: 1 / perMillisecond)
      guard time < Double(to) else { return }
      let person = try add(people: 1, of: population).lowerBound
      var own = self.random(person, CalendarDay(number: 0))
      arrive(person, population, at: Int64(time), &own)
    }
  }

  /// Returns the factor of a rate on one day: gamma with the mean 1, or 1 without variation.
  private func factor(of rule: Population, _ population: Int, from: Int64) -> Double {
    guard rule.variation > 0 else { return 1 }
    var random = RandomStream(
      seed: scenario.seed, replica: replica, stream: Stream.variation, entity: UInt64(population),
      index: UInt64(max(from, 0)))
    return DurationRule.gamma(shape: 1 / (rule.variation * rule.variation), &random)
  }

  /// Adds a visit that begins at a time and ends by the population's rule.
  private mutating func arrive(_ person: Int, _ population: Int, at time: Int64, _ random: inout RandomStream) {
    let rule = scenario.populations[population]
    let leave: Int64
    if let window = rule.leave {
      let day = scenario.clock.day(at: Instant(milliseconds: time))
      let from = scenario.clock.instant(day, window.from).milliseconds
      let to = scenario.clock.instant(day, window.to).milliseconds
      leave = from + Int64(Double(to - from) * random.nextUnit())
    } else if let visit = rule.visit {
      leave = time + visit.draw(&random)
    } else {
      let minutes = defaultVisit * PortableMath.exp(0.4 * random.nextNormal() - 0.08)
      leave = time + Int64(min(max(minutes, 5), 1_440) * 60_000)
    }
    put(person, population, time, leave: leave, isByTheClock: rule.leave != nil, &random)
  }

  /// Adds a visit if it begins during the run.
  ///
  /// A visit that a mask excludes begins when the mask ends. Its duration stays the same, unless people leave at a set
  /// time.
  private mutating func put(
    _ person: Int, _ population: Int, _ time: Int64, leave: Int64, isByTheClock: Bool, _ random: inout RandomStream
  ) {
    var (arrival, leave) = (time, leave)
    let name = scenario.populations[population].name
    for mask in scenario.policies.masks where mask.populations.isEmpty || mask.populations.contains(name) {
      let day = scenario.clock.day(at: Instant(milliseconds: arrival))
      let from = scenario.clock.instant(day, mask.window.from).milliseconds
      let to = scenario.clock.instant(day, mask.window.to).milliseconds
      if arrival >= from, arrival < to { arrival = to + Int64(300_000 * random.nextUnit()) }
    }
    if !isByTheClock { leave += arrival - time }
    let speed = scenario.populations[population].speed.draw(&random)
    guard arrival >= scenario.start.milliseconds, arrival < scenario.end.milliseconds else { return }
    guard leave > arrival else {
      tooLate += 1
      return
    }
    visits.append(
      PlannedVisit(
        person: person, population: population, arrival: arrival, leave: leave, leader: nil, speed: speed))
  }

  /// Groups some of the visits from `first` on into parties.
  ///
  /// The members of a party arrive, walk and leave together with their leader.
  private mutating func gather(_ population: Population, from first: Int) {
    guard population.groupShare > 0, visits.count > first else { return }
    let mean = Double(population.groupSize.lowerBound + population.groupSize.upperBound) / 2
    // The chance of leading a party, among leaders and single people, that gives the required share of people in
    // parties.
    let chance = population.groupShare / (population.groupShare + mean * (1 - population.groupShare))
    let order = (first..<visits.count).sorted {
      (visits[$0].arrival, visits[$0].person) < (visits[$1].arrival, visits[$1].person)
    }
    var position = 0
    while position < order.count {
      let leader = order[position]
      var random = RandomStream(
        seed: scenario.seed, replica: replica, stream: Stream.company, entity: UInt64(visits[leader].person),
        index: UInt64(visits[leader].arrival))
      position += 1
      guard random.nextUnit() < chance else { continue }
      let size =
        population.groupSize.lowerBound
        + random.nextIndex(below: population.groupSize.upperBound - population.groupSize.lowerBound + 1)
      for _ in 1..<size where position < order.count {
        let member = order[position]
        // People wait for company for less than an hour, and a person is not their own company.
        guard visits[member].arrival - visits[leader].arrival < 3_600_000 else { break }
        position += 1
        guard visits[member].person != visits[leader].person else { continue }
        visits[leader].speed = min(visits[leader].speed, visits[member].speed)
        visits[member].leader = leader
      }
    }
    for index in first..<visits.count {
      guard let leader = visits[index].leader else { continue }
      visits[index].arrival = visits[leader].arrival
      visits[index].leave = visits[leader].leave
      visits[index].speed = visits[leader].speed
    }
  }
}

extension Population {
  /// A clause such as `; they arrive from 08:00 to 09:30`; empty for arrivals that one clause cannot state.
  fileprivate var arrivalClause: String {
    switch arrival {
    case .window(_, let window?, _): "; they arrive from \(window.from) to \(window.to)"
    case .shifts(let shifts): "; their shifts begin at " + list(shifts.map(\.window.from))
    case .batches(let batches): "; they arrive at " + list(batches.map(\.at))
    case .window, .hourly, .counts: ""
    }
  }

  private func list(_ times: [ClockTime]) -> String { times.map(\.description).joined(separator: ", ") }
}
