import CordonContacts
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonSupport
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonSimulator

@Suite("Studies")
struct StudyTests {
  private func scenario(_ extra: String = "", people: Int = 30) throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 2h}
        populations: [{name: all, size: \(people), arrival: {window: [08:00, 08:30]}, visit: 70m}]
        \(extra)
        """)
  }

  private var venue: Venue {
    get throws { try VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 2) }
  }

  @Test func aScenarioEqualsItself() throws {
    let study = try TruthStudy(venue: venue, scenario: scenario())
    let result = try ScenarioComparison([("a", study), ("b", study)], replicas: 3, threads: 2)
    #expect(result.replicas == 3 && !result.isPartial)
    #expect(result.differences.allSatisfy { $0.difference == 0 && !$0.isSignificant })
    let peak = try #require(result.differences.first { $0.name == "peak_people" })
    #expect(peak.first > 20 && peak.first <= 30, "thirty people come")
  }

  @Test(.long) func fewerPeopleHaveFewerContacts() throws {
    let result = try ScenarioComparison(
      [
        ("many", TruthStudy(venue: venue, scenario: scenario())),
        ("few", TruthStudy(venue: venue, scenario: scenario(people: 12))),
      ], replicas: 5, threads: 2)
    let pairs = try #require(result.differences.first { $0.name == "pairs" })
    #expect(pairs.isSignificant && pairs.difference < 0)
    #expect(pairs.sentence.contains("B has") && pairs.sentence.contains("fewer"))
    let alone = try ScenarioComparison(
      [
        ("many", TruthStudy(venue: venue, scenario: scenario())),
        ("few", TruthStudy(venue: venue, scenario: scenario(people: 12))),
      ], replicas: 5, threads: 1)
    #expect(alone.differences == result.differences)
  }

  @Test func anInterruptionKeepsFinishedRepetitions() throws {
    let study = try TruthStudy(venue: venue, scenario: scenario(people: 8))
    let other = try TruthStudy(venue: venue, scenario: scenario(people: 6))
    func compare(_ replicas: Int, _ isInterrupted: @escaping @Sendable () -> Bool) throws -> ScenarioComparison {
      try ScenarioComparison(
        [("a", study), ("b", other)], replicas: replicas, threads: 1, isInterrupted: isInterrupted)
    }
    let counting = Interrupter { _ in false }
    let one = try compare(1) { counting.ask() }
    #expect(!one.isPartial)
    // Interrupted in the second repetition: the result contains only the first.
    let asked = counting.asked
    let interrupter = Interrupter { $0 > asked + asked / 2 }
    let result = try compare(10) { interrupter.ask() }
    #expect(result.isPartial && result.replicas == 1)
    #expect(result.differences == one.differences)
    // Without a finished repetition there is no result.
    let none = try compare(3) { true }
    #expect(none.isPartial && none.replicas == 0 && none.differences.isEmpty)
  }

  @Test func theDeviceShareCountsWithoutSimulatedPhones() throws {
    func figures(_ policies: String) throws -> [String: Double] {
      let study = try TruthStudy(venue: venue, scenario: scenario("policies: {\(policies)}"))
      let outcome = try #require(try study.run(replica: 0))
      return Dictionary(uniqueKeysWithValues: outcome.figures.map { ($0.name, $0.value) })
    }
    let all = try figures("devices: 1")
    let half = try figures("devices: 0.5")
    let none = try figures("devices: 0")
    let pairs = try #require(all["long_pairs"])
    #expect(pairs > 10)
    #expect(all["long_pairs_with_phones"] == pairs)
    #expect(none["long_pairs_with_phones"] == 0)
    let seen = try #require(half["long_pairs_with_phones"])
    #expect(seen > 0 && seen < pairs)
    // Phones do not change the movement of people.
    for name in all.keys where name != "long_pairs_with_phones" { #expect(all[name] == none[name], "\(name)") }
  }

  @Test func sweepsVaryTheSampling() throws {
    let samplings: [PhoneSetup.Sampling] = [.continuous, .motion(.minutes(1)), .distance(5)]
    func sweep(_ samplings: [PhoneSetup.Sampling], _ more: String = "") throws -> PositioningSweep {
      try PositioningSweep(
        venue: venue, scenario: scenario(more, people: 12),
        kinds: .init(presets: [.perfect], intervals: [.seconds(5)], samplings: samplings), threads: 2)
    }
    let rows = try sweep(samplings).rows
    #expect(rows.map(\.sampling) == samplings)
    let battery = try rows.map { try #require($0.batteryPercent.mean) }
    // People rest most of the time, so sensors that are off then save energy.
    #expect(battery[1] < battery[0] && battery[2] < battery[0], "\(battery)")
    #expect(rows[0].bytesPerPhone != rows[2].bytesPerPhone)
    // The default is the scenario's own sampling.
    #expect(try sweep([], "phones: {sampling: motion}").rows.map(\.sampling) == [.motion(.minutes(5))])
  }

  @Test(arguments: [
    ("library", PhoneSetup.Sampling.library), ("continuous", .continuous), ("motion", .motion(.minutes(5))),
    ("motion:2m", .motion(.minutes(2))), ("motion:120", .motion(.minutes(2))),
    ("distance:5", .distance(5)), ("distance:0.5", .distance(0.5)),
  ])
  func samplingTextRoundTrips(text: String, sampling: PhoneSetup.Sampling) {
    #expect(PhoneSetup.Sampling(text) == sampling)
    #expect(PhoneSetup.Sampling("\(sampling)") == sampling)
  }

  @Test(arguments: ["", "walk", "distance", "distance:0", "distance:nan", "motion:3h", "continuous:1s"])
  func invalidSamplingIsRefused(text: String) { #expect(PhoneSetup.Sampling(text) == nil) }

  @Test func anInterruptedSweepKeepsFinishedKinds() throws {
    func sweep(
      walk: @escaping @Sendable () -> Bool = { false }, looking: @escaping @Sendable () -> Bool = { false }
    ) throws -> PositioningSweep {
      try PositioningSweep(
        venue: venue, scenario: scenario(people: 10),
        kinds: .init(presets: [.perfect, .rtt, .gps], intervals: [.seconds(30)]), threads: 1, isWalkInterrupted: walk,
        isInterrupted: looking)
    }
    let counting = Interrupter { _ in false }
    let whole = try sweep(looking: { counting.ask() })
    #expect(!whole.isPartial && whole.rows.count == 3 && whole.reached == nil)
    let asked = counting.asked
    let looking = Interrupter { $0 > asked / 2 }
    let partial = try sweep(looking: { looking.ask() })
    #expect(partial.isPartial && partial.rows.count == 1 && partial.reached == nil)
    #expect(partial.rows[0].recallSeconds == whole.rows[0].recallSeconds)
    // Every kind of phone observes the interrupted walk.
    let walking = Interrupter { $0 == 60 }
    let short = try sweep(walk: { walking.ask() })
    let reached = try #require(short.reached)
    #expect(short.isPartial && short.rows.count == 3)
    let start = try scenario().start
    #expect(reached >= start + .minutes(1) && reached < start + .minutes(60), "\(reached)")
  }

  @Test func confidenceIntervalsUseStudentsT() {
    // Differences 1, 2, 3: mean 2, standard deviation 1, margin 4.302653 / sqrt(3).
    let difference = PairedDifference(name: "x", title: "x", first: [1, 1, 1], second: [2, 3, 4])
    #expect(abs(difference.difference - 2) < 1e-12)
    #expect(abs(difference.margin - 4.302_653 / 3.0.squareRoot()) < 1e-6)
    #expect(!difference.isSignificant)
    #expect(PairedDifference(name: "x", title: "x", first: [1], second: [2]).margin == .infinity)
    #expect(abs(PairedDifference.student(degrees: 60) - 2.000) < 0.002)
  }

  @Test(.long) func lessAccuratePhonesHaveLowerRecall() throws {
    let sweep = try PositioningSweep(
      venue: venue, scenario: scenario(),
      kinds: .init(presets: [.perfect, .gps], intervals: [.seconds(5)], shares: [1, 0.5]), threads: 2)
    #expect(sweep.rows.count == 4)
    let perfect = try #require(sweep.rows.first)
    let gps = sweep.rows[2]
    #expect(try #require(perfect.recallSeconds.mean) > 0.8)
    #expect(try #require(gps.recallSeconds.mean) < (try #require(perfect.recallSeconds.mean)))
    #expect((sweep.rows[1].reach.mean ?? 0) <= (perfect.reach.mean ?? 0))
    var target = SweepTarget()
    (target.recall, target.precision) = (0, 0)
    #expect(sweep.leastDemanding(target)?.kind.preset == .gps)
    target.recall = 2
    #expect(sweep.leastDemanding(target) == nil)
  }

  @Test func repetitionsSpreadOccupancy() throws {
    let contents = try run(scenario("replicas: 4"))
    #expect(!contents.outcome.ensemble.isEmpty)
    #expect(contents.outcome.ensemble.allSatisfy { $0.p05 <= $0.p50 && $0.p50 <= $0.p95 })
    #expect(contents.outcome.ensemble.contains { $0.p05 < $0.p95 })
  }

  @Test func scenarioValuesApplyToEveryRepetition() throws {
    var scenario = try scenario("replicas: 3", people: 8)
    scenario.occupancyBin = .minutes(5)
    scenario.movement.model = .meso
    let contents = try run(scenario)
    #expect(!contents.outcome.ensemble.isEmpty)
    #expect(contents.outcome.ensemble.allSatisfy { $0.binStart % 300_000 == 0 })
  }

  private func run(_ scenario: Scenario) throws -> RunContents {
    try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
  }

  @Test func theOutcomeAddsUp() throws {
    let contents = try run(scenario("policies: {capacity: {office: 2}}"))
    let outcome = contents.outcome
    // Every arrival and every departure passed a door.
    #expect(outcome.flows.reduce(0) { $0 + $1.forward + $1.backward } >= 30)
    let durations = outcome.distributions.filter { $0.what == "contact_duration_s" && $0.source == .truth }
    #expect(durations.reduce(0) { $0 + $1.count } == contents.summary.trueContacts)
    let degrees = outcome.distributions.filter { $0.what == "degree" && $0.source == .truth }
    #expect(degrees.reduce(0) { $0 + $1.count } == contents.people.count)
    #expect(Set(outcome.thresholds.map(\.distance)) == [1, 2, 4])
    for distance in [1.0, 2, 4] {
      let rows = outcome.thresholds.filter { $0.distance == distance }
      #expect(rows.map(\.truePairs) == rows.map(\.truePairs).sorted(by: >))
      #expect(rows.allSatisfy { $0.commonPairs <= min($0.truePairs, $0.observedPairs) })
    }
    let chosen = try #require(outcome.thresholds.first { $0.distance == 2 && $0.duration == 900 })
    #expect(chosen.truePairs == contents.summary.agreement?.truePairs)
    #expect(chosen.observedPairs == contents.summary.agreement?.observedPairs)
    #expect(outcome.places.contains { $0.capacity == 2 })
    let floor = try #require(outcome.places.first { $0.source == .truth && $0.space == ObservedLocation.noSpace })
    #expect(Int(floor.peak) <= 30 && floor.peak >= 10)
    #expect(outcome.figures.first { $0.name == "battery_percent_mean" }?.value ?? 0 > 0)
    #expect(contents.people.allSatisfy { $0.population == "all" })
  }

  @Test func contactSlotsMatchThoseOfBadges() {
    func contact(_ from: Double, _ to: Double, _ a: Int32 = 0, _ b: Int32 = 1) -> Contact {
      Contact(
        first: a, second: b, floor: 0, start: Int64(from * 1e6), end: Int64(to * 1e6), minimumDistance: 1,
        minimumDistanceTime: Int64(from * 1e6), x: 0, y: 0)
    }
    // Middles of slots are at 10, 30, 50 ... s.
    #expect(ContactValidation.durations(of: [contact(0, 5)]).contacts == 0)
    #expect(ContactValidation.durations(of: [contact(8, 12)]).counts == [1: 1])
    #expect(ContactValidation.durations(of: [contact(8, 52)]).counts == [3: 1])
    // A break shorter than the time between two middles does not count.
    #expect(ContactValidation.durations(of: [contact(8, 12), contact(28, 32)]).counts == [2: 1])
    #expect(ContactValidation.durations(of: [contact(8, 12), contact(48, 52)]).counts == [1: 2])
    #expect(ContactValidation.durations(of: [contact(8, 12), contact(8, 12, 0, 2)]).counts == [1: 2])
  }

  @Test func interruptedRunsAreLeftOutOfTheFigures() throws {
    func cases(
      _ seeds: Int, _ isInterrupted: @escaping @Sendable () -> Bool
    ) throws -> (cases: [ValidationCase], durations: ContactValidation.Durations, runs: Int) {
      try ContactValidation.cases(
        "office", venue: venue, scenario: scenario(people: 8), seeds: seeds, threads: 1, isInterrupted: isInterrupted)
    }
    let counting = Interrupter { _ in false }
    let one = try cases(1) { counting.ask() }
    #expect(one.runs == 1 && one.durations.contacts > 0)
    let asked = counting.asked
    let interrupter = Interrupter { $0 > asked + asked / 2 }
    let partial = try cases(5) { interrupter.ask() }
    #expect(partial.runs == 1 && partial.cases == one.cases)
    let none = try cases(5) { true }
    #expect(none.runs == 0 && none.cases.isEmpty)
  }

  @Test func contactDurationsAreDrawnAsSurvivalCurves() {
    var durations = ContactValidation.Durations()
    durations.counts = [1: 6, 2: 3, 10: 1]
    let plot = ContactValidation.plot("museum", durations)
    #expect(plot.model.map(\.x) == [20, 40, 200])
    #expect(plot.model.map(\.y) == [1, 0.4, 0.1])
    #expect(plot.isLogarithmic && plot.references.count == 4)
    for series in plot.references {
      #expect(series.points.map(\.x) == series.points.map(\.x).sorted())
      #expect(series.points.map(\.y) == series.points.map(\.y).sorted(by: >))
      #expect(series.points.allSatisfy { $0.y > 0 && $0.y <= 1 })
    }
  }

  @Test func referenceCurvesPassThroughTheirFigures() {
    func share(_ points: [MovementStudy.Point], below x: Double) -> Double {
      guard let next = points.firstIndex(where: { $0.x >= x }), next > 0 else { return .nan }
      let (a, b) = (points[next - 1], points[next])
      return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
    }
    let normal = ReferencePlot.normal(mean: 2, deviation: 3)
    #expect(abs(share(normal, below: 2) - 0.5) < 1e-3)
    #expect(abs(share(normal, below: 2 + 3 * 1.6449) - 0.95) < 1e-3)
    // Twice the variance of an axis.
    let circular = ReferencePlot.circular(meanSquare: 2)
    #expect(abs(share(circular, below: 2.4477) - 0.95) < 1e-3)
    #expect(abs(share(circular, below: 1.1774) - 0.5) < 1e-3)
  }

  @Test func everyPhoneModelIsDrawnOverMeasurements() {
    let result = PhoneValidation.run(devices: 60, fixes: 10)
    #expect(!result.isPartial)
    #expect(
      result.plots.map(\.id)
        == result.cases.map(\.subject).reduce(into: [String]()) {
          if $0.last != $1 { $0.append($1) }
        })
    for plot in result.plots {
      #expect(plot.model.map(\.x) == plot.model.map(\.x).sorted() && plot.model.count > 50, "\(plot.id)")
      #expect(plot.references.count == 1)
      for mark in plot.marks {
        #expect(mark.band.contains(mark.x), "\(plot.id)")
        #expect(result.cases.contains { $0.subject == plot.id && $0.figure == mark.name && $0.reference == mark.x })
      }
    }
    let interrupter = Interrupter { $0 > 150 }
    let partial = PhoneValidation.run(
      devices: 60, fixes: 10, watch: RunControl(isInterrupted: { interrupter.ask() }))
    #expect(partial.isPartial && partial.plots.map(\.id) == ["rtt-los", "rtt-nlos"])
    #expect(partial.cases == Array(result.cases.prefix(5)))
  }

  @Test func audiencesHaveNoFaceToFaceContacts() {
    func contact(_ from: Int64, _ to: Int64) -> Contact {
      Contact(
        first: 0, second: 1, floor: 0, start: from * 1_000_000, end: to * 1_000_000, minimumDistance: 1,
        minimumDistanceTime: from * 1_000_000, x: 0, y: 0)
    }
    func reported(_ contacts: [Contact], _ audience: [[Range<Int64>]]) -> [[Int64]] {
      ContactValidation.faceToFace(contacts, audience: audience).map { [$0.start / 1_000_000, $0.end / 1_000_000] }
    }
    let talk: Range<Int64> = 100_000..<200_000
    let next: Range<Int64> = 250_000..<280_000
    #expect(reported([contact(50, 300)], [[talk], [talk]]) == [[50, 100], [200, 300]])
    #expect(reported([contact(120, 150)], [[talk], [talk]]) == [])
    // A person beside a seated one counts, and so does a late arrival.
    #expect(reported([contact(50, 300)], [[talk], []]) == [[50, 300]])
    #expect(reported([contact(50, 300)], [[talk], [150_000..<250_000]]) == [[50, 150], [200, 300]])
    #expect(reported([contact(10, 20), contact(190, 220)], [[talk], [talk]]) == [[10, 20], [200, 220]])
    let twice = reported([contact(50, 300)], [[talk, next], [talk, 240_000..<400_000]])
    #expect(twice == [[50, 100], [200, 250], [280, 300]])
  }

  @Test func aRunIsComparedWithHeadCounts() throws {
    let clock = try #require(ScenarioClock(zone: "UTC"))
    let counts = try MeasuredOccupancy(
      parsing: "DayId,Time,Weekday,Holiday,Room 1\n0,08:00:00,0,0,4\n0,08:05:00,0,0,6\n1,08:00:00,1,0,8\n", clock: clock
    )
    #expect(counts.counts.count == 3)
    let start = try Instant(rfc3339: "2026-01-05T08:00:00Z")
    let result = try #require(
      OccupancyError(
        run: [start.milliseconds: 5, start.milliseconds + 300_000: 7], start: start, end: start + .minutes(10),
        occupancyBin: .minutes(5), measured: counts, clock: clock))
    #expect(result.minutes.map(\.measured) == [6, 6])
    #expect(result.minutes.map(\.run) == [5, 7])
    #expect(result.bias == 0)
    #expect(result.meanAbsoluteError == 1)
    #expect(result.measuredDays == 2)
    #expect(result.shareInRange == 0.5)
    #expect(throws: TableError.self) { try MeasuredOccupancy(parsing: "a,b\n1,2\n", clock: clock) }
    #expect(throws: TableError.self) { try MeasuredOccupancy(parsing: "time,count\nx,2\n", clock: clock) }
  }
}
