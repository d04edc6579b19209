import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
package import CordonRun
package import CordonVenues

/// A scenario that is prepared for many runs without phones, to compare policies.
package struct TruthStudy: Sendable {
  private let scenario: Scenario
  private let world: World
  private let places: RunPlaces
  private let venue: Venue
  private let air: AirSetup?

  /// Applies the scenario's policies to the venue, and prepares it.
  /// - Parameters:
  ///   - venue: the venue.
  ///   - scenario: the scenario.
  ///   - maximumUnreachableShare: the share of the usable area, from 0 to 1, that may be out of reach of the entrances.
  /// - Throws: ``ScenarioError``, ``SimulationError`` or `VenueError`.
  package init(venue: Venue, scenario: Scenario, maximumUnreachableShare: Double = 1) throws {
    try self.init(
      changed: try scenario.venue(underPolicies: venue), in: nil, scenario: scenario,
      maximumUnreachableShare: maximumUnreachableShare)
  }

  /// Prepares a venue to which the policies were already applied.
  /// - Parameter world: the venue as prepared before; `nil` prepares it.
  init(changed: Venue, in world: World?, scenario: Scenario, maximumUnreachableShare: Double = 1) throws {
    self.scenario = scenario
    var moving = scenario
    moving.policies.deviceShare = 0
    try RunForecast(expecting: moving).check()
    let world = try world ?? scenario.world(changed)
    try world.checkReachability(maximumUnreachableShare: maximumUnreachableShare)
    self.world = world
    venue = changed
    places = RunPlaces(
      venue: changed, plan: world.plan, entrances: world.entrances, groups: try scenario.resolvedGroups(in: changed))
    if let rules = scenario.air {
      air = try AirSetup(rules, scenario: scenario, venue: changed, plan: world.plan, places: places)
    } else {
      air = nil
    }
    // Reports names that the venue does not have before the first run.
    if scenario.visitors == nil { _ = try ScenarioPlanner(scenario, world: world) }
  }

  /// Assumptions about what the map does not specify, and unreachable places: ``World/remarks``.
  package var remarks: [String] { world.remarks }

  /// The identifiers of the spaces of the venue.
  var spaceIDs: Set<String> { Set(places.venue.spaces.map(\.id.rawValue)) }

  /// The outcome of one run.
  package struct Outcome: Sendable {
    /// The figures of the building and of groups, in a fixed order.
    package var figures: [Figure]
    /// The figures of spaces, desks and other queues that people used.
    package var details: [Figure]
    /// The number of people by floor, space and time.
    package var occupancy: [RunOccupancy]
    /// The figures of floors and spaces.
    package var places: [RunOutcome.Place]
    /// The figures of groups.
    package var groups: [RunOutcome.Group]
    /// The number of people by group and time.
    package var groupBins: [RunOutcome.GroupBin]
  }

  /// Returns the plan and the truth of one replica; `nil` if the run was interrupted.
  private func truth(replica: UInt32, watch: RunControl) throws -> (plan: CrowdPlan, truth: Truth)? {
    let plan = try scenario.plan(in: world, replica: replica)
    var model = scenario.movement.movementModel
    model.isInterrupted = watch.isInterrupted
    let truth = try Simulation.truth(
      of: plan, world: world, replication: scenario.replication(replica), model: model, progress: watch.progress)
    return watch.isInterrupted() ? nil : (plan, truth)
  }

  /// Returns the true contacts of one replica, without the times in which both people sat in an audience; `nil` if the
  /// run was interrupted.
  func faceToFace(replica: UInt32, distance: Double, watch: RunControl = RunControl()) throws -> [Contact]? {
    guard let truth = try truth(replica: replica, watch: watch)?.truth else { return nil }
    let audience = truth.people.map { person in
      person.stays.compactMap { stay -> Range<Int64>? in
        guard world.destinations[stay.destination].kind == .auditorium, stay.start < stay.end else { return nil }
        return stay.start.milliseconds..<stay.end.milliseconds
      }
    }
    return ContactValidation.faceToFace(
      ContactFinder(distance: distance).contacts(in: truth.segments), audience: audience)
  }

  /// Runs one replica.
  /// - Parameters:
  ///   - replica: the number of the replica; each has random numbers of its own.
  ///   - watch: receives the progress, and can interrupt the run.
  /// - Returns: `nil` if the run was interrupted.
  /// - Throws: ``ScenarioError`` or ``SimulationError``.
  package func run(replica: UInt32, watch: RunControl = RunControl()) throws -> Outcome? {
    guard let (plan, truth) = try truth(replica: replica, watch: watch) else { return nil }
    let contacts = ContactFinder(distance: scenario.contactDistance).contacts(in: truth.segments)
    let presence = Occupancy(of: truth.segments, in: places, bin: scenario.occupancyBin)
    let occupancy = presence.rows(.truth, in: places, bin: scenario.occupancyBin)
    let (end, bin, limits) = (scenario.end, scenario.occupancyBin, plan.limits(world: world, places: places))
    let stays = StayLength.list(truth, end: end, world: world, places: places)
    let counts = [(source: RunSource.truth, presence: presence)]
    let rows = PlaceFigures(places: places, start: scenario.start, end: end, bin: bin, capacities: limits).rows(
      counts, occupancy: occupancy, stays: stays)
    let waits = SpaceWait.list(truth.people.lazy.flatMap(\.waits), end: end, world: world, places: places)
    let groups = GroupFigures(places: places, start: scenario.start, end: end, bin: bin, capacities: limits).rows(
      counts, stays: stays, waits: waits)
    let queues = QueueFigures(world: world, stations: plan.stations, start: scenario.start, end: end)
      .rows(truth.people.flatMap(\.waits)).map(QueueNames(places: places, venue: venue).named)
    let breathed = airStudy(plan: plan, truth: truth, presence: presence, replica: replica)
    return Outcome(
      figures: figures(plan: plan, truth: truth, contacts: contacts, occupancy: occupancy, rows: rows, replica: replica)
        + (breathed?.buildingFigures ?? [])
        + groups.groups.flatMap { Self.groupFigures($0, in: places.venue) },
      details: Self.spaceFigures(rows, in: places.venue)
        + AirStudy.spaceFigures(breathed?.air.spaces ?? [], in: places.venue)
        + Self.queueFigures(queues, in: places.venue),
      occupancy: occupancy, places: rows, groups: groups.groups, groupBins: groups.bins)
  }

  private func figures(
    plan: CrowdPlan, truth: Truth, contacts: [Contact], occupancy: [RunOccupancy], rows: [RunOutcome.Place],
    replica: UInt32
  ) -> [Figure] {
    let arrived = truth.people.count { !$0.visits.isEmpty }
    let stays = truth.people.flatMap(\.stays).map { ($0.end - $0.start).seconds }
    return [
      Figure(name: "people", title: "people who arrived", value: Double(arrived)),
      Figure(name: "peak_people", title: "maximum number of people inside", value: Double(Self.peakInside(truth))),
    ] + occupancyFigures(occupancy)
      + capacityFigures(rows, truth: truth)
      + contactFigures(contacts, plan: plan, people: Double(max(arrived, 1)), replica: replica) + [
        Figure(name: "median_stay_s", title: "median length of a stay, seconds", value: Sample(stays).medianOrZero),
        Figure(
          name: "turned_away", title: "times that a person found every place full", value: Double(plan.turnedAway)),
      ]
  }

  /// Returns the air of a replica; `nil` for a scenario without it.
  private func airStudy(plan: CrowdPlan, truth: Truth, presence: Occupancy, replica: UInt32) -> AirStudy? {
    guard let air else { return nil }
    var finder = ContactFinder(distance: air.rules.shortRange)
    finder.walls = places.venue.wallIndexes
    return AirStudy(
      setup: air, truth: truth, presence: presence, contacts: finder.contacts(in: truth.segments), plan: plan,
      places: places, end: scenario.end, seed: scenario.seed, replica: replica)
  }

  private func capacityFigures(_ rows: [RunOutcome.Place], truth: Truth) -> [Figure] {
    let over = CapacityMinutes.total(rows)
    return [
      Figure(
        name: "minutes_over_capacity", title: "minutes in which spaces were above their capacity",
        value: over.staying + over.passing),
      Figure(
        name: "minutes_over_capacity_staying",
        title: "minutes of these in which people who stayed were above the capacity", value: over.staying),
      Figure(
        name: "waited_for_room", title: "times that a person waited in front of a full space",
        value: Double(truth.figures.waitsForRoom)),
      Figure(
        name: "gave_up_room", title: "stops that were given up after such a wait",
        value: Double(truth.figures.roomsGivenUp)),
    ]
  }

  private func occupancyFigures(_ occupancy: [RunOccupancy]) -> [Figure] {
    var inside: [Int64: Double] = [:]
    var spacePeak: (people: Int, area: Double) = (0, .infinity)
    let areas = places.venue.spaces.map(\.area)
    for row in occupancy {
      if row.space == ObservedLocation.noSpace {
        inside[row.binStart, default: 0] += row.mean
      } else {
        spacePeak.people = max(spacePeak.people, Int(row.peak))
        if row.peak >= 3 { spacePeak.area = min(spacePeak.area, areas[Int(row.space)] / Double(row.peak)) }
      }
    }
    let personSeconds = inside.keys.sorted().reduce(0) { $0 + (inside[$1] ?? 0) } * scenario.occupancyBin.seconds
    return [
      Figure(name: "person_hours", title: "hours of presence, total", value: personSeconds / 3_600),
      Figure(name: "peak_in_a_space", title: "maximum number of people in one space", value: Double(spacePeak.people)),
      Figure(
        name: "minimum_m2_per_person", title: "minimum square metres per person in a space with three or more people",
        value: spacePeak.area.isFinite ? spacePeak.area : 0),
    ]
  }

  private func contactFigures(
    _ contacts: [Contact], plan: CrowdPlan, people: Double, replica: UInt32
  ) -> [Figure] {
    var totals: [UInt64: Int64] = [:]
    var seconds = 0.0
    for contact in contacts {
      let key = UInt64(UInt32(bitPattern: contact.first)) << 32 | UInt64(UInt32(bitPattern: contact.second))
      totals[key, default: 0] += contact.end - contact.start
      seconds += Double(contact.end - contact.start) / 1e6
    }
    let longPairs = totals.filter { $0.value >= scenario.warningThreshold.milliseconds * 1_000 }.keys
    // The people who would carry a phone: the effect of policies about phones is counted without simulating phones.
    let carriers = plan.people.enumerated().map {
      PhoneFleet.carries(person: $0.offset, share: $0.element.deviceShare, seed: scenario.seed, replica: replica)
    }
    func carries(_ person: UInt64) -> Bool { carriers.indices.contains(Int(person)) && carriers[Int(person)] }
    let withPhones = longPairs.count { carries($0 >> 32) && carries($0 & 0xffff_ffff) }
    let distance = Self.plain(scenario.contactDistance)
    let rule = "\(Self.plain(scenario.warningThreshold.seconds / 60)) minutes or more within \(distance) m"
    return [
      Figure(name: "pairs", title: "pairs within \(distance) m of each other", value: Double(totals.count)),
      Figure(name: "long_pairs", title: "pairs with \(rule)", value: Double(longPairs.count)),
      Figure(
        name: "long_pairs_with_phones", title: "pairs of these with two phones", value: Double(withPhones)),
      Figure(
        name: "contact_minutes_per_person", title: "minutes within \(distance) m of another person, per person",
        value: 2 * seconds / 60 / people),
      Figure(
        name: "others_per_person", title: "contacts with different people, per person",
        value: 2 * Double(totals.count) / people),
    ]
  }

  /// Returns the maximum number of people inside at one time.
  ///
  /// The sum of the floors' peaks can be larger, because a person who changes floors counts on both.
  static func peakInside(_ truth: Truth) -> Int {
    let changes = truth.people.flatMap(\.visits).flatMap {
      [($0.arrival.milliseconds, 1), ($0.departure.milliseconds, -1)]
    }.sorted { $0 < $1 }
    var (now, maximum) = (0, 0)
    for change in changes {
      now += change.1
      maximum = max(maximum, now)
    }
    return maximum
  }

  static func plain(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String((value * 100).rounded() / 100)
  }
}

extension Sample {
  fileprivate var medianOrZero: Double { count > 0 ? quantile(0.5) : 0 }
}

extension CrowdPlan {
  /// Returns the capacity limits that policies set, by number of the space.
  package func limits(world: World, places: RunPlaces) -> [Int32: Int] {
    var limits: [Int32: Int] = [:]
    for (index, limit) in capacities {
      guard let space = world.destinations[index].space else { continue }
      let number = places.number(of: world.plan.spaces[space].id)
      limits[number] = min(limits[number] ?? .max, limit)
    }
    return limits
  }
}

extension Occupancy {
  /// Returns the rows of a run folder: the bins in which people were present.
  package func rows(_ source: RunSource, in places: RunPlaces, bin: TimeSpan) -> [RunOccupancy] {
    series.flatMap { series in
      let (floor, space) = places.location(of: series.place)
      return series.bins.map { counted in
        RunOccupancy(
          source: source, floor: floor, space: space, binStart: counted.number * bin.milliseconds,
          mean: counted.mean, peak: counted.peak)
      }
    }
  }
}

extension RunOccupancy {
  /// Creates a row for a group, whose number stands for the space.
  init(_ bin: RunOutcome.GroupBin) {
    self.init(
      source: bin.source, floor: Segment.unknownFloor, space: Int32(bin.group), binStart: bin.binStart, mean: bin.mean,
      peak: bin.peak)
  }
}
