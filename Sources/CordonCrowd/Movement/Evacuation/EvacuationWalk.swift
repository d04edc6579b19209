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
  /// The rules, and the doors of the exits.
  let rules: EvacuationRules
  let doors: ExitDoors
  weak var coordinator: (any WalkCoordinator)?
  /// The members of each group.
  private(set) var groups: [[Int]] = []
  /// Whether a person has reached the meeting place of the group.
  private(set) var isPresent: [Bool]
  /// The time of the last comparison of exits, in milliseconds since 1970.
  private var compared: [Int64]
  /// By exit: the time at which the next person can pass, in milliseconds since 1970.
  private var nextPassage: [Double]
  /// By person: the fractional effective dose, and the time up to which it counts, in milliseconds since 1970.
  var doses: [Double]
  var smokeTime: Int64
  /// The exits that are lost.
  private(set) var closed: Set<Int> = []

  /// Share of the expected time that another exit must save before a walking person turns round.
  private static let inertia = 0.25

  init(_ state: WalkState, rules: EvacuationRules) {
    self.state = state
    self.rules = rules
    doors = ExitDoors(state.world, assumedWidth: rules.assumedWidth)
    isPresent = Array(repeating: false, count: state.itineraries.count)
    doses = Array(repeating: 0, count: state.itineraries.count)
    smokeTime = state.now
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
    breathe()
    guard state.walkers[person].phase == .dwelling else { return }
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
  func giveUpMeeting(_ person: Int) {
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

  /// Closes exits whose time has come, and lets walking people compare the exits, once a second.
  func update() {
    breathe()
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
      if let exit = exitOfOthers(for: person), exit != state.itineraries[person].exit {
        state.figures.reroutes += 1
        for member in followers(of: person) where isWalkingOut(member) { turn(member, to: exit) }
        continue
      }
      guard state.itineraries[person].evacuee?.followsOthers != true else { continue }
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
