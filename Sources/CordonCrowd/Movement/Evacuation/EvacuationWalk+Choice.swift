import CordonGeometry
import CordonNavigation
import CordonVenues

/// The choice of an exit by the expected time.
extension EvacuationWalk {
  /// Distance from an exit within which people with it as their goal form its queue, in metres.
  private static let queueReach = 20.0

  /// Returns the number of the person who decides for a person: the first one of a group that has met.
  func leader(of person: Int) -> Int {
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
    state.redirect(person, to: exitOfOthers(for: person) ?? best.exit)
  }

  /// Distance within which people follow others, in metres.
  private static let followReach = 10.0

  /// Returns the exit that most of the walking people around a person walk to, whom no wall hides; `nil` for a person who does not
  /// follow others, without anybody to follow, and if no exit has more than half of them.
  func exitOfOthers(for person: Int) -> Int? {
    guard let evacuee = state.itineraries[person].evacuee, evacuee.followsOthers else { return nil }
    let here = state.bodyPosition(of: person)
    let floor = state.walkers[person].floor
    var counts = Array(repeating: 0, count: state.world.entrances.count)
    for other in state.crowd.people(near: state.crowd.position(of: person), within: Self.followReach)
    where other != person && isWalkingOut(other) && state.walkers[other].floor == floor {
      guard !state.isHidden(state.bodyPosition(of: other), from: here, floor: floor) else { continue }
      counts[state.itineraries[other].exit] += 1
    }
    let all = counts.reduce(0, +)
    return evacuee.exits.first { counts[$0] * 2 > all && !closed.contains($0) }
  }

  /// An exit that a person can reach.
  struct Option {
    var exit: Int
    /// The expected time until the person has passed the exit, in seconds.
    var time: Double
  }

  /// Returns the exits that a person can reach, the best one first.
  func ranked(_ person: Int, queues: [[Double]], onFloorOnly: Bool = false) -> [Option] {
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
  func queues() -> [[Double]] {
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
