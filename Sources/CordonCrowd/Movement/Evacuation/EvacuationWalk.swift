import CordonGeometry
import CordonNavigation
import CordonVenues

/// The people of an evacuation: they stand until they set off, meet their group, choose an exit and leave.
///
/// A person chooses the exit with the least expected time: the longer of the walking time and the time in which the
/// people ahead pass the exit. People see a queue only on their floor and without a wall in between; they know the
/// distances to all exits that they may use.
final class EvacuationWalk {
  let state: WalkState
  private let rules: EvacuationRules
  private let doors: ExitDoors
  weak var coordinator: (any WalkCoordinator)?
  /// The members of each group.
  private var groups: [[Int]] = []
  /// Whether a person has reached the meeting place of the group.
  private var isPresent: [Bool]
  /// The time of the last comparison of exits, in milliseconds since 1970.
  private var compared: [Int64]
  /// By exit: the time at which the next person can pass, in milliseconds since 1970.
  private var nextPassage: [Double]
  private var closed: Set<Int> = []

  /// Share of the expected time that another exit must save before a walking person turns round.
  private static let inertia = 0.25
  /// Distance from an exit within which people with it as their goal form its queue, in metres.
  private static let queueReach = 20.0

  init(_ state: WalkState, rules: EvacuationRules) {
    self.state = state
    self.rules = rules
    doors = ExitDoors(state.world, assumedWidth: rules.assumedWidth)
    isPresent = Array(repeating: false, count: state.itineraries.count)
    compared = Array(repeating: state.now, count: state.itineraries.count)
    nextPassage = Array(repeating: 0, count: state.world.entrances.count)
    for (person, itinerary) in state.itineraries.enumerated() {
      guard let group = itinerary.evacuee?.group, group >= 0 else { continue }
      while groups.count <= group { groups.append([]) }
      groups[group].append(person)
    }
  }

  // MARK: The start

  /// Puts a person at the start; the person stands there until the pre-movement time is over.
  func begin(_ person: Int) {
    guard let evacuee = state.itineraries[person].evacuee else { return }
    let floor = evacuee.floor
    state.crowd.place(
      person, at: state.plane.plane(evacuee.position, floor: floor), freeSpeed: state.itineraries[person].freeSpeed)
    state.walkers[person].floor = floor
    state.walkers[person].begin(.dwelling)
    state.walkers[person].since = state.now
    state.recorders[person].begin(
      at: evacuee.position, floor: state.world.plan.floors[floor].ordinal.thousandths, time: state.now)
    state.events.add(.departure, person, at: max(evacuee.departure.milliseconds, state.now))
  }

  /// Makes a person set off: to the meeting place of the group, or to an exit.
  func setOff(_ person: Int) {
    state.recorders[person].rest(until: state.now)
    coordinator?.proceed(person)
  }

  /// Counts a person at the meeting place. The last one to arrive makes the whole group set off.
  func reachMeetingPlace(_ person: Int) {
    state.stay(person)
    state.walkers[person].begin(.dwelling)
    state.walkers[person].since = state.now
    isPresent[person] = true
    releaseGroup(of: person)
  }

  /// Counts a person who leaves without having reached the meeting place, so that the others do not wait.
  private func giveUpMeeting(_ person: Int) {
    guard state.itineraries[person].evacuee?.group != nil, !isPresent[person] else { return }
    isPresent[person] = true
    releaseGroup(of: person)
  }

  private func releaseGroup(of person: Int) {
    guard let group = state.itineraries[person].evacuee?.group else { return }
    let members = groups[group]
    guard members.allSatisfy({ isPresent[$0] }) else { return }
    let speed = members.map { state.itineraries[$0].freeSpeed }.min() ?? 1
    for member in members where state.walkers[member].goal == .stop && state.walkers[member].phase == .dwelling {
      state.setFreeSpeed(speed, of: member)
      state.recorders[member].rest(until: state.now)
      state.recordStay(member, until: state.now)
      state.walkers[member].stop += 1
      state.events.add(.departure, member, at: state.now + state.step)
    }
  }

  // MARK: The choice of an exit

  /// Returns the number of the person who decides for a person: the first one of a group that has met.
  private func leader(of person: Int) -> Int {
    guard let group = state.itineraries[person].evacuee?.group, let first = groups[group].first, isPresent[first] else {
      return person
    }
    return first
  }

  /// Chooses the exit of a person who sets off or has lost the exit.
  func chooseExit(for person: Int) {
    giveUpMeeting(person)
    let leader = leader(of: person)
    if leader != person, state.walkers[leader].goal == .exit {
      return state.redirect(person, to: state.itineraries[leader].exit)
    }
    guard let best = ranked(person, queues: queues()).first else { return }
    state.redirect(person, to: best.exit)
  }

  private struct Option {
    var exit: Int
    /// The expected time until the person has passed the exit, in seconds.
    var time: Double
  }

  /// Returns the exits that a person can reach, the best one first.
  private func ranked(_ person: Int, queues: [[Double]], onFloorOnly: Bool = false) -> [Option] {
    let itinerary = state.itineraries[person]
    guard let evacuee = itinerary.evacuee,
      let here = state.plane.place(at: state.bodyPosition(of: person), floor: state.walkers[person].floor)
    else { return [] }
    let barred = state.barredWays(of: person)
    var options: [Option] = []
    for exit in evacuee.exits where !closed.contains(exit) {
      let place = state.world.entrances[exit].place
      guard !onFloorOnly || place.floor == here.floor, let field = state.fields.exit(exit) else { continue }
      let raster = state.world.routes.navigation.floors[place.floor]
      var distance: Double?
      if place.floor == here.floor, let tenths = field.distance(of: here.cell, on: raster) {
        distance = Double(tenths) * raster.cellSize / 10
      } else if !onFloorOnly {
        distance = coordinator?.navigation(avoiding: barred).walkingDistance(from: here, to: place, along: field)
      }
      guard let distance else { continue }
      let walk = distance / max(itinerary.freeSpeed, 0.1)
      options.append(
        Option(exit: exit, time: max(walk, queueTime(exit, from: here, distance: distance, queues: queues))))
    }
    return options.sorted { ($0.time, $0.exit) < ($1.time, $1.exit) }
  }

  /// Returns the time in which the people ahead pass an exit, in seconds; 0 if the person does not see the exit.
  private func queueTime(_ exit: Int, from here: Place, distance: Double, queues: [[Double]]) -> Double {
    let place = state.world.entrances[exit].place
    guard place.floor == here.floor,
      !state.isHidden(state.center(of: place), from: state.center(of: here), floor: here.floor)
    else { return 0 }
    let ahead = queues[exit].lowerBound(of: distance)
    return Double(ahead) / (rules.exitFlow * doors.exits[exit].width)
  }

  /// Returns the distances of the people in front of each exit, in ascending order.
  private func queues() -> [[Double]] {
    var queues: [[Double]] = Array(repeating: [], count: state.world.entrances.count)
    for (person, itinerary) in state.itineraries.enumerated() {
      let walker = state.walkers[person]
      guard walker.goal == .exit, walker.phase == .walking || walker.phase == .leaving else { continue }
      let place = state.world.entrances[itinerary.exit].place
      guard walker.floor == place.floor else { continue }
      let here = state.bodyPosition(of: person)
      guard PlaneSegment(here, state.world.entrances[itinerary.exit].position).length < Self.queueReach else {
        continue
      }
      let raster = state.world.routes.navigation.floors[place.floor]
      let start = state.plane.place(at: here, floor: walker.floor)
      guard let start, let tenths = state.fields.exit(itinerary.exit)?.distance(of: start.cell, on: raster) else {
        continue
      }
      queues[itinerary.exit].append(Double(tenths) * raster.cellSize / 10)
    }
    return queues.map { $0.sorted() }
  }

  /// Closes exits whose time has come, and lets walking people compare the exits, once a second.
  func update() {
    for exit in rules.closing.keys.sorted() where state.now >= rules.closing[exit] ?? .max {
      guard closed.insert(exit).inserted else { continue }
      for person in state.itineraries.indices where state.itineraries[person].exit == exit && isWalkingOut(person) {
        turn(person, to: nil)
      }
    }
    squeezePast()
    guard rules.reconsideration > 0 else { return }
    let due = state.itineraries.indices.filter {
      isWalkingOut($0) && state.now - compared[$0] >= rules.reconsideration && leader(of: $0) == $0
    }
    guard !due.isEmpty else { return }
    let queues = queues()
    for person in due {
      compared[person] = state.now
      guard state.itineraries[person].evacuee?.exits.count ?? 0 > 1 else { continue }
      let options = ranked(person, queues: queues, onFloorOnly: true)
      guard let best = options.first, let current = options.first(where: { $0.exit == state.itineraries[person].exit }),
        best.exit != current.exit, best.time < (1 - Self.inertia) * current.time
      else { continue }
      state.figures.reroutes += 1
      for member in followers(of: person) where isWalkingOut(member) { turn(member, to: best.exit) }
    }
  }

  private func followers(of person: Int) -> [Int] {
    guard let group = state.itineraries[person].evacuee?.group, isPresent[person] else { return [person] }
    return groups[group]
  }

  /// Checks whether a person is on the way to an exit, and not on stairs.
  func isWalkingOut(_ person: Int) -> Bool {
    state.walkers[person].phase == .walking && state.walkers[person].goal == .exit
      && state.itineraries[person].evacuee != nil
  }

  /// Makes a person walk to another exit; `nil` for the best one.
  private func turn(_ person: Int, to exit: Int?) {
    if let exit { state.redirect(person, to: exit) } else { chooseExit(for: person) }
    state.recorders[person].rest(until: state.now)
    state.walkers[person].tries = 0
    coordinator?.replan(person)
  }

  // MARK: The exit

  /// Moves the end of a way to the point of the exit's line that is nearest to the corner before it.
  func spread(_ end: inout PlanePoint, of person: Int, from corner: PlanePoint) {
    let exit = state.itineraries[person].exit
    let line = doors.exits[exit].line
    guard line.length > 1e-6 else { return }
    let point = line.point(at: line.fractionNearest(to: corner))
    guard !state.isHidden(point, from: corner, floor: state.world.entrances[exit].place.floor) else { return }
    end = point
  }

  /// Makes a person in an exit stand until those ahead have passed, at the maximum flow of the exit.
  func leave(_ person: Int) {
    let exit = state.itineraries[person].exit
    guard !closed.contains(exit) else {
      chooseExit(for: person)
      if state.itineraries[person].exit != exit { return turn(person, to: state.itineraries[person].exit) }
      state.stay(person)
      state.tracks[person].unreachable += 1
      state.walkers[person].phase = .trapped
      return
    }
    state.stay(person)
    state.walkers[person].begin(.leaving)
    let time = max(Double(state.now), nextPassage[exit])
    nextPassage[exit] = time + 1_000 / (rules.exitFlow * doors.exits[exit].width)
    state.events.add(.exit, person, at: Int64(time.rounded(.up)))
  }

  /// Removes a person who has passed the exit.
  func pass(_ person: Int) {
    guard state.walkers[person].phase == .leaving else { return }
    state.crowd.remove(person)
    state.recorders[person].rest(until: state.now)
    state.walkers[person].phase = .gone
    state.tracks[person].hasLeft = state.now <= state.end
    state.tracks[person].exit = state.itineraries[person].exit
    state.recorders[person].close()
  }
}

extension [Double] {
  /// Returns the number of elements less than a value; the array is in ascending order.
  fileprivate func lowerBound(of value: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
