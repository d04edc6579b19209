import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonSupport
import CordonVenues

/// The analysis of a run's truth and of the received rows: contacts, agreement and occupancy.
struct RunAnalysis {
  let truth: Truth
  let plan: CrowdPlan
  /// The simulated time that was reached.
  let end: Instant
  let world: World
  let venue: Venue
  let fleet: PhoneFleet
  let scenario: Scenario
  let threads: Int
  let progress: VenueSimulation.Progress
  /// The groups of spaces.
  let groups: [ResolvedGroup]
  /// The number of the repetition.
  var replica: UInt32 = 0

  /// Returns the contents of the run folder; the command is empty.
  /// - Throws: ``ScenarioError`` for a name in the rules of the air that the venue does not have.
  func contents(isPartial: Bool) throws -> RunContents {
    progress(.contacts, 0, 4, "steps")
    let places = RunPlaces(venue: venue, plan: world.plan, entrances: world.entrances, groups: groups)
    let locations = received(places)
    let truth = self.truth.segments(before: end)
    let observed = ObservedTracks(
      locations.map { location in
        let point = self.truth.frame.projectRounded(location.coordinate)
        return TrackPoint(
          device: location.person, floor: location.floor, time: location.time, x: point.x, y: point.y)
      }, accuracies: locations.map { Float($0.accuracy) }, stillUntil: locations.map(\.stillUntil),
      maximumGap: scenario.maximumGap
    ).elements()
    var finder = ContactFinder(distance: scenario.contactDistance, threads: threads)
    finder.walls = places.venue.wallIndexes
    let tables = (truth: SegmentTable(truth), observed: SegmentTable(observed))
    let trueContacts = finder.contacts(in: tables.truth)
    progress(.contacts, 1, 4, "steps")
    let observedContacts = finder.contacts(in: tables.observed)
    progress(.contacts, 2, 4, "steps")
    let contacts =
      trueContacts.map { runContact($0, .truth, places) } + observedContacts.map { runContact($0, .observed, places) }
    let pairs = (
      truth: PairIntervals(trueContacts, among: carriers), observed: PairIntervals(observedContacts, among: carriers)
    )
    let agreement = agreement(pairs)
    progress(.contacts, 3, 4, "steps")
    let counts = [
      (source: RunSource.truth, presence: Occupancy(of: tables.truth, in: places, bin: scenario.occupancyBin)),
      (source: RunSource.observed, presence: Occupancy(of: tables.observed, in: places, bin: scenario.occupancyBin)),
    ]
    let occupancy = counts.flatMap { $0.presence.rows($0.source, in: places, bin: scenario.occupancyBin) }
    let people = people
    let summary = RunSummary(
      people: people.count(where: \.cameIn), planned: people.count, devices: people.count { $0.device != nil },
      accounting: accounting, delivery: delivery, trueContacts: trueContacts.count,
      observedContacts: observedContacts.count,
      agreement: agreement)
    progress(.contacts, 4, 4, "steps")
    var contents = RunContents(
      parameters: parameters, venue: places.venue, people: people, truth: truth,
      locations: locations, contacts: contacts, occupancy: occupancy, summary: summary, isPartial: isPartial)
    contents.notes = notes
    contents.connectivity = world.connectivity.runConnectivity
    contents.agentSteps = self.truth.figures.agentSteps
    contents.outcome = outcome(
      places: places, counts: counts, occupancy: occupancy, tables: tables, contacts: (trueContacts, observedContacts),
      pairs: pairs)
    if let rules = scenario.air {
      let setup = try AirSetup(rules, scenario: scenario, venue: venue, plan: world.plan, places: places)
      finder.distance = rules.shortRange
      let near =
        rules.shortRange == scenario.contactDistance ? trueContacts : finder.contacts(in: tables.truth)
      let study = AirStudy(
        setup: setup, truth: self.truth, presence: counts[0].presence, contacts: near, plan: plan, places: places,
        end: end, seed: scenario.seed, replica: replica)
      contents.air = study.air
      contents.outcome.figures += study.figures.map { .init($0.name, ($0.value * 1e9).rounded() / 1e9) }
    }
    return contents
  }

  /// The people who carry devices; others cannot be observed.
  private var carriers: Set<Int32> {
    Set(fleet.devices.indices.lazy.filter { fleet.devices[$0] != nil }.map(Int32.init))
  }

  private func outcome(
    places: RunPlaces, counts: [(source: RunSource, presence: Occupancy)], occupancy: [RunOccupancy],
    tables: (truth: SegmentTable, observed: SegmentTable),
    contacts: (truth: [Contact], observed: [Contact]), pairs: (truth: PairIntervals, observed: PairIntervals)
  ) -> RunOutcome {
    var outcome = RunOutcome()
    let stays = stays(places)
    let limits = plan.limits(world: world, places: places)
    let figures = PlaceFigures(
      places: places, start: scenario.start, end: end, bin: scenario.occupancyBin, capacities: limits)
    outcome.places = figures.rows(counts, occupancy: occupancy, stays: stays)
    let waits = SpaceWait.list(self.truth.people.lazy.flatMap(\.waits), end: end, world: world, places: places)
    (outcome.groups, outcome.groupBins) = GroupFigures(
      places: places, start: scenario.start, end: end, bin: scenario.occupancyBin, capacities: limits
    ).rows(counts, stays: stays, waits: waits)
    outcome.queues = QueueFigures(world: world, stations: plan.stations, start: scenario.start, end: end).rows(
      self.truth.people.flatMap(\.waits)
    ).map(QueueNames(places: places, venue: venue).named)
    outcome.flows = OpeningFlows(world.plan).rows(tables.truth.segments, doorPassages: doorPassages)
    let people = people
    outcome.distributions =
      ContactFigures.distributions(contacts.truth, .truth, people: people)
      + ContactFigures.distributions(contacts.observed, .observed, people: people)
      + ContactFigures.stays(stays)
    let (carriers, reach) = (carriers, scenario.contactDistance)
    for distance in [reach / 2, reach, reach * 2] where distance > 0 {
      var found = pairs
      if distance != reach {
        let finder = ContactFinder(distance: distance, threads: threads)
        found.truth = finder.pairIntervals(in: tables.truth, among: carriers)
        found.observed = finder.pairIntervals(in: tables.observed, among: carriers)
      }
      outcome.thresholds += ContactFigures.thresholds(
        distance: distance, observed: found.observed, truth: found.truth)
    }
    let energy = scenario.phones.energyInUse
    let joules = fleet.joules(energy)
    let percent = Sample(joules.map(energy.percent))
    outcome.distributions += ContactFigures.battery(percent.sorted)
    func rounded(_ value: Double) -> Double? { value.isFinite ? (value * 1e4).rounded() / 1e4 : nil }
    let over = CapacityMinutes.total(outcome.places)
    outcome.figures = [
      .init("battery_percent_mean", rounded(percent.mean)),
      .init("battery_percent_p95", rounded(percent.quantile(0.95))),
      .init("energy_j", rounded(joules.reduce(0, +))), .init("app_kills", Double(fleet.kills)),
      .init("fixes_forgotten", Double(fleet.fixesForgotten)), .init("skipped_visits", Double(self.truth.skippedVisits)),
      .init("turned_away", Double(plan.turnedAway)), .init("without_own_place", Double(plan.withoutPlace)),
      .init("unreachable_stops", Double(self.truth.unreachable)),
      .init("agent_steps", Double(self.truth.figures.agentSteps)),
      .init("overlaps", Double(self.truth.figures.overlaps)),
      .init("minimum_gap_m", rounded(self.truth.figures.minimumGap)),
      .init("wall_crossings", Double(self.truth.figures.wallCrossings)),
      .init("outside_steps", scenario.movement.checksEveryStep ? Double(self.truth.figures.outside) : nil),
      .init("given_up_stops", Double(self.truth.figures.abandonedStops)),
      .init("waited_for_room", Double(self.truth.figures.waitsForRoom)),
      .init("minutes_over_capacity_staying", limits.isEmpty ? nil : rounded(over.staying)),
      .init("minutes_over_capacity_passing", limits.isEmpty ? nil : rounded(over.passing)),
      .init("gave_up_room", Double(self.truth.figures.roomsGivenUp)),
      .init("left_unserved", Double(self.truth.figures.unserved)),
      .init("spots_taken", Double(self.truth.figures.replacedSpots)),
      .init("stays_put_off", Double(self.truth.figures.postponedDepartures)),
      .init("other_ways_taken", Double(self.truth.figures.reroutes)),
    ]
    return outcome
  }

  /// The arrivals and departures through the doors of the venue.
  private var doorPassages: [OpeningFlows.DoorPassage] {
    truth.people.flatMap(\.visits).flatMap { visit in
      [(visit.entrance, true, visit.arrival), (visit.exit, false, visit.departure)].compactMap { door, isIn, time in
        guard time < end, isIn || visit.hasLeft else { return nil }
        let entrance = world.entrances[door]
        return OpeningFlows.DoorPassage(
          opening: entrance.id, inside: entrance.position, isIn: isIn, time: time.milliseconds)
      }
    }
  }

  private func stays(_ places: RunPlaces) -> [StayLength] {
    StayLength.list(truth, end: end, world: world, places: places)
  }

  private var people: [RunPerson] {
    zip(zip(fleet.devices, plan.people), truth.people).map { planned, person in
      let visits = person.visits.filter { $0.arrival < end }
      let isInside = visits.last.map { !$0.hasLeft || $0.departure > end } ?? false
      return RunPerson(
        device: visits.isEmpty ? nil : planned.0, population: plan.populations[planned.1.population],
        cameIn: !visits.isEmpty, arrival: visits.first?.arrival, departure: isInside ? nil : visits.last?.departure,
        timeInside: visits.isEmpty
          ? nil : visits.reduce(.zero) { $0 + (min($1.departure, end) - $1.arrival) })
    }
  }

  private func agreement(_ pairs: (truth: PairIntervals, observed: PairIntervals)) -> RunAgreement {
    var classes = DurationClasses()
    let agreement = ContactAgreement(
      observed: pairs.observed, truth: pairs.truth, threshold: scenario.warningThreshold
    ) { classes.add(observed: $0, truth: $1, shared: $2) }
    return RunAgreement(
      trueSeconds: Double(agreement.trueMicroseconds) / 1e6,
      observedSeconds: Double(agreement.observedMicroseconds) / 1e6,
      commonSeconds: Double(agreement.sharedMicroseconds) / 1e6, truePairs: agreement.trueLongPairs,
      observedPairs: agreement.observedLongPairs, commonPairs: agreement.sharedLongPairs, classes: classes.list)
  }

  private var parameters: RunParameters {
    RunParameters(
      command: [], version: "", seed: scenario.seed, start: scenario.start, duration: scenario.duration,
      frameOrigin: truth.frame.origin, contactDistance: scenario.contactDistance, maximumGap: scenario.maximumGap,
      warningThreshold: scenario.warningThreshold, occupancyBin: scenario.occupancyBin,
      others: [
        .init("fix_interval_s", .number(scenario.phones.interval.seconds)),
        .init("phones", .string(scenario.phones.preset.rawValue)),
        .init("boundary", .string(scenario.boundary.name)),
        .init("movement", .string(scenario.movement.model.name)),
        .init("map_graph", .string(mapGraph)),
        .init("notes", .array(notes.map { .string($0) })),
      ] + (world.connectivity.runConnectivity.map { [.init("connectivity", $0.json)] } ?? [])
        + airParameters + (scenario.name.isEmpty ? [] : [.init("title", .string(scenario.name))])
        + (scenario.visitors.map { [.init("device_share", .number($0.deviceShare))] } ?? []))
  }

  /// The parameters of the air, for readers of its tables.
  private var airParameters: [RunParameters.Other] {
    guard let air = scenario.air else { return [] }
    return [
      .init("air_bin_s", .number(air.bin.seconds)), .init("air_outdoor_co2_ppm", .number(air.outdoorCO2)),
    ]
  }

  /// Assumptions, closures and unreachable stops.
  private var notes: [String] {
    let missed = truth.unreachable
    return world.remarks + plan.remarks
      + (missed > 0 ? ["no route was found to \(missed == 1 ? "1 stop" : "\(missed) stops"), which were left out"] : [])
      + (OverfullRooms(truth.people.flatMap(\.stays), limits: plan.capacities, in: world).note.map { [$0] } ?? [])
      + (scenario.phones.interval > scenario.maximumGap
        ? [
          "phones make a fix every \(scenario.phones.interval), and fixes more than \(scenario.maximumGap) apart are not joined: while people move, "
            + "phones observe few contacts (max_gap)"
        ] : [])
      + (end < truth.end
        ? ["interrupted: \(Self.wholeSeconds(end - truth.start)) of \(truth.end - truth.start) were simulated"] : [])
  }

  private static func wholeSeconds(_ span: TimeSpan) -> TimeSpan { .seconds(span.milliseconds / 1_000) }

  /// The state of the map's own navigation graph; routes use only the geometry.
  private var mapGraph: String {
    world.graph.map { "not used: \($0)" } ?? "none"
  }

  private var accounting: RunAccounting {
    let counted = fleet.accounting
    var refused: [String: Int] = [:]
    for reason in RefusalReason.allCases where counted[reason] > 0 { refused[reason.rawValue] = Int(counted[reason]) }
    var expired: [String: Int] = [:]
    for (rule, count) in [
      (ExpiryRule.age, counted.expiredByAge), (.rows, counted.expiredByRows), (.bytes, counted.expiredByBytes),
    ] where count > 0 {
      expired[rule.rawValue] = Int(count)
    }
    return RunAccounting(
      fixes: Int(counted.fixes), refused: refused, thinned: Int(counted.thinned), stored: Int(counted.stored),
      acknowledged: Int(counted.acknowledged), onPhone: Int(counted.onPhone), quarantined: Int(counted.quarantined),
      expired: expired, erased: Int(counted.erased))
  }

  private var delivery: RunDelivery {
    let traffic = fleet.traffic
    let notices = fleet.notices
    var delivery = RunDelivery(
      requests: traffic.requests, failedRequests: traffic.failedRequests, bytesSent: traffic.bytesSent,
      rowsReceived: traffic.rowsReceived, duplicateRows: fleet.sink.knownCount,
      medianDelaySeconds: traffic.delay(quantile: 0.5), p95DelaySeconds: traffic.delay(quantile: 0.95))
    delivery.notices = notices?.made
    delivery.noticesReceived = notices?.delays.count
    delivery.medianNoticeSeconds = notices?.delay(quantile: 0.5)
    delivery.p95NoticeSeconds = notices?.delay(quantile: 0.95)
    return delivery
  }

  private func runContact(_ contact: Contact, _ source: RunSource, _ places: RunPlaces) -> RunContact {
    // The positions of the two people at their closest approach.
    let (dx, dy) = (Double(contact.separationX) / 2, Double(contact.separationY) / 2)
    func space(_ x: Double, _ y: Double) -> Int32 {
      places.space(floor: contact.floor, x: x, y: y).map(Int32.init) ?? ObservedLocation.noSpace
    }
    var seen = contact
    // The share contains this information; a row that is read back has only the share.
    seen.obstructed = Contact.wallsNotAsked
    return RunContact(
      source: source, contact: seen, firstSpace: space(contact.x - dx, contact.y - dy),
      secondSpace: space(contact.x + dx, contact.y + dy), wallShare: contact.obstructedShare)
  }

  private func received(_ places: RunPlaces) -> [ObservedLocation] {
    var persons: [DeviceID: Int32] = [:]
    for (person, device) in fleet.devices.enumerated() {
      if let device { persons[device] = Int32(person) }
    }
    var locations: [ObservedLocation] = []
    locations.reserveCapacity(fleet.sink.count)
    // Each device's locations are in order of time, so only the devices have to be sorted.
    var parts: [(person: Int32, first: Int)] = []
    var last: (device: DeviceID, person: Int32)?
    fleet.sink.forEachLocation { location in
      if last?.device != location.device {
        guard let person = persons[location.device] else { return }
        last = (location.device, person)
        parts.append((person, locations.count))
      }
      guard let person = last?.person else { return }
      locations.append(ObservedLocation(location, person: person, space: places.number(of: location.space)))
    }
    let ends = parts.dropFirst().map(\.first) + [locations.count]
    var sorted: [ObservedLocation] = []
    sorted.reserveCapacity(locations.count)
    for (part, end) in zip(parts, ends).sorted(by: { $0.0.person < $1.0.person }) {
      sorted += locations[part.first..<end]
    }
    return sorted
  }
}

extension Truth {
  /// Returns the segments up to a time; a segment that extends beyond it is cut.
  package func segments(before end: Instant) -> [Segment] {
    guard end < self.end else { return segments }
    let limit = end.milliseconds
    return segments.compactMap { segment in
      guard segment.start < limit else { return nil }
      guard segment.end > limit else { return segment }
      var cut = segment
      let share = Double(limit - segment.start) / Double(segment.end - segment.start)
      cut.end = limit
      cut.x1 = segment.x0 + (segment.x1 - segment.x0) * share
      cut.y1 = segment.y0 + (segment.y1 - segment.y0) * share
      return cut
    }
  }
}
