import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonRun
import CordonVenues

extension EvacuationStudy {
  /// The exits of the report: all entrances of the day.
  var exits: [EvacuationReport.Exit] {
    let open = ExitDoors(world, assumedWidth: EvacuationRules().assumedWidth).exits
    let all = ExitDoors(dayWorld, assumedWidth: EvacuationRules().assumedWidth).exits
    return dayWorld.entrances.enumerated().map { index, entrance in
      let own = world.entrances.firstIndex { $0.id == entrance.id }
      let door = own.map { open[$0] } ?? all[index]
      return EvacuationReport.Exit(
        id: entrance.id, name: entrance.name, floor: dayWorld.plan.floors[entrance.floor].ordinal, width: door.width,
        isAssumedWidth: door.isAssumed, isClosed: own == nil)
    }
  }

  /// Returns the figures of one replica.
  func figures(
    of moved: MovementResult, occupants: EvacuationOccupants, plan: EvacuationPlanner.Plan, number: UInt32
  ) -> Run {
    let begin = start.milliseconds
    let exits = exits
    let exitOfWorld = world.entrances.map { entrance in exits.firstIndex { $0.id == entrance.id } ?? 0 }
    let finder = EvacuationPassages(world: world, places: places, names: names)
    var people: [EvacuationReplica.Person] = []
    var passes: [EvacuationPassages.Pass] = []
    var end = begin
    for (person, track) in moved.tracks.enumerated() {
      let (itinerary, occupant) = (plan.itineraries[person], occupants.people[person])
      let departure = itinerary.evacuee?.departure.milliseconds ?? begin
      let ordinal = world.plan.floors[occupant.floor].ordinal
      let space = places.space(floor: ordinal.thousandths, x: occupant.point.x, y: occupant.point.y)
      var figures = EvacuationReplica.Person(
        population: occupant.population, mobility: plan.people[person].mobility, group: itinerary.evacuee?.group,
        floor: ordinal, space: space.map { Int32($0) } ?? ObservedLocation.noSpace, speed: itinerary.freeSpeed,
        setOff: Double(departure - begin) / 1_000, isFamiliar: plan.people[person].isFamiliar)
      var place: EvacuationReplica.Place?
      if track.hasLeft, let exit = track.exit, let last = track.segments.last?.end ?? Optional(begin) {
        figures.status = .out
        figures.out = Double(last - begin) / 1_000
        figures.exit = exitOfWorld[exit]
        let door = exits[exitOfWorld[exit]]
        place = EvacuationReplica.Place(kind: .exit, floor: door.floor, id: door.id, name: door.name)
        end = max(end, last)
      } else if track.isIncapacitated {
        figures.status = .incapacitated
      } else if track.unreachable > 0 {
        figures.status = itinerary.evacuee?.stairPace == 0 ? .needsHelp : .noWayOut
      }
      let made = finder.passes(of: track.segments, from: departure, stays: track.stays, exit: place)
      figures.distance = made.distance
      figures.waited = Double(made.waits.reduce(0) { $0 + Int64($1.count) }) / 1_000
      if figures.status != .out && figures.status != .inside { figures.waited = 0 }
      passes += made.passes
      people.append(figures)
    }
    if people.contains(where: { $0.status == .inside }) { end = begin + evacuation.limit.milliseconds }
    var density = EvacuationDensity(places: places)
    // Without people on the way, the last minutes of those without a way out need no samples.
    density.sample(moved.tracks.map(\.segments), from: begin, to: end)
    let seconds = Double(end - begin) / 1_000
    let isEmptyAtEnd = people.allSatisfy { $0.status == .out }
    let replica = EvacuationReplica(
      number: Int(number), alarm: Double(plan.alarm) / 1_000, end: seconds, people: people,
      inside: Self.inside(people, until: seconds), passages: EvacuationPassages.totals(passes, start: begin),
      spaces: density.spaces(until: isEmptyAtEnd ? .infinity : seconds), cells: density.squares)
    return Run(
      replica: replica, segments: number == 0 ? moved.tracks.flatMap(\.segments) : [], remarks: plan.remarks)
  }

  /// Returns the number of people inside at the start of each interval, and at the end.
  static func inside(_ people: [EvacuationReplica.Person], until end: Double) -> [Int] {
    let bins = Int((end / EvacuationReport.bin).rounded(.up))
    var left = Array(repeating: 0, count: bins + 1)
    for person in people {
      guard let out = person.out else { continue }
      left[min(max(Int((out / EvacuationReport.bin).rounded(.up)), 0), bins)] += 1
    }
    var inside = people.count
    return left.map { count in
      inside -= count
      return inside
    }
  }

  // MARK: All replicas

  /// Returns the report of finished replicas.
  func report(_ replicas: [EvacuationReplica], segments: [Segment], remarks: [String]) -> EvacuationReport {
    // The times of a scenario are those of its own zone; visitors have no schedule, and keep the venue's.
    var venue = places.venue
    if scenario.visitors == nil, !scenario.populations.isEmpty { venue.timeZone = scenario.clock.zone }
    return EvacuationReport(
      title: scenario.name.isEmpty ? venue.name : scenario.name, venue: venue,
      origin: world.plan.frame.origin, start: start, parameters: parameters, notes: remarks + self.remarks,
      populations: populationNames, mobilities: ["no limits"] + evacuation.mobility.map(\.name), exits: exits,
      figures: Self.figures(replicas), replicas: replicas, passages: Self.summaries(replicas), segments: segments)
  }

  private var populationNames: [String] {
    scenario.populations.isEmpty ? ["people"] : scenario.populations.map(\.name)
  }

  private static func figures(_ replicas: [EvacuationReplica]) -> [EvacuationReport.Figure] {
    typealias Replica = EvacuationReplica
    func mean(_ replica: Replica, _ value: (Replica.Person) -> Double) -> Double {
      Sample(replica.people.filter { $0.status == .out || $0.status == .inside }.map(value)).mean
    }
    func count(_ status: Replica.Status) -> (Replica) -> Double {
      { replica in Double(replica.people.count { $0.status == status }) }
    }
    let list: [(String, String, (Replica) -> Double)] = [
      ("people", "people inside at the start", { Double($0.people.count) }),
      ("people_out", "people who got out", count(.out)),
      ("people_inside", "people still inside at the limit", count(.inside)),
      ("people_no_way_out", "people without a way out", count(.noWayOut)),
      ("people_need_help", "people who need help, without a way free of stairs", count(.needsHelp)),
      ("people_incapacitated", "people whom smoke made unable to move", count(.incapacitated)),
      ("alarm_s", "alarm after the start, seconds", { $0.alarm }),
      ("time_50_s", "half of them out, seconds", { $0.time(0.5) ?? .nan }),
      ("time_95_s", "95 % of them out, seconds", { $0.time(0.95) ?? .nan }),
      ("last_out_s", "last person out, seconds", { $0.time(1) ?? .nan }),
      ("set_off_mean_s", "mean time at which people set off, seconds", { mean($0, \.setOff) }),
      ("waited_mean_s", "mean time in which a person waited on the way, seconds", { mean($0, \.waited) }),
      ("waited_maximum_s", "longest time in which a person waited, seconds", { $0.people.map(\.waited).max() ?? 0 }),
      ("distance_mean_m", "mean length of a way, metres", { mean($0, \.distance) }),
      ("density_maximum_per_m2", "maximum density, people per square metre", { $0.cells.map(\.peak).max() ?? 0 }),
    ]
    return list.map { name, title, value in
      let sample = Sample(replicas.map(value))
      let margin =
        sample.count > 1
        ? PairedDifference.student(degrees: sample.count - 1) * sample.deviation / Double(sample.count).squareRoot()
        : .infinity
      return EvacuationReport.Figure(
        name: name, title: title, mean: sample.mean, minimum: sample.sorted.first ?? .nan,
        maximum: sample.sorted.last ?? .nan, margin: margin, count: sample.count)
    }
  }

  private static func summaries(_ replicas: [EvacuationReplica]) -> [EvacuationReport.PassageSummary] {
    var sums: [EvacuationReplica.Place: (passed: Double, waiting: Double, longest: Double)] = [:]
    for replica in replicas {
      for passage in replica.passages {
        let sum = sums[passage.place] ?? (0, 0, 0)
        sums[passage.place] = (
          sum.passed + Double(passage.times.count), sum.waiting + passage.waiting, max(sum.longest, passage.longest)
        )
      }
    }
    let count = Double(max(replicas.count, 1))
    return sums.keys.sorted().compactMap { place in
      sums[place].map {
        EvacuationReport.PassageSummary(
          place: place, passed: $0.passed / count, waiting: $0.waiting / count, longest: $0.longest)
      }
    }.sorted { $0.waiting != $1.waiting ? $0.waiting > $1.waiting : $0.place < $1.place }
  }
}
