import CordonCore
package import CordonGeometry
import CordonNavigation
import Dispatch

/// A crowd of pedestrians on one floor that moves in time steps by one of the pedestrian models.
///
/// A step reads only the state before it, so neither the order of people nor the number of threads changes the result.
/// A step never makes two bodies overlap: each of two people may use only a share of the gap between them. It never
/// brings a centre closer to a wall than ``CrowdSettings/wallDistance``. Coordinates are metres in the plane of the
/// floor.
package final class PedestrianCrowd {
  /// The model and its parameters.
  package let settings: CrowdSettings
  /// Counters since the crowd was created.
  package private(set) var figures = CrowdFigures()
  /// People who reached the end of their way in the last step, in ascending order.
  package private(set) var arrived: [Int] = []
  /// People who no longer see their next waypoint and need a new way, in ascending order.
  package private(set) var lost: [Int] = []

  /// Minimum number of walking people per thread.
  var minimumShare = 64
  let people: CrowdColumns
  let count: Int
  let walls: CrowdWalls
  let sight: SegmentGrid
  let seed: UInt64
  var grid: CrowdGrid
  var marks: [CrowdWaypoint] = []
  private let moves: Column<CrowdBody>
  private let events: Column<UInt8>
  private var scratches: [CrowdScratch] = []
  /// The walking people, in ascending order, and whether people were added or stopped since the last sort.
  private var movers: [Int32] = []
  private var moversChanged = false
  private var arbiter: DoorArbiter

  /// Creates an empty floor.
  /// - Parameters:
  ///   - walls: segments that people can neither cross nor see through, in metres.
  ///   - oneWays: segments that can be crossed only from right to left and that do not block sight.
  ///   - people: the capacity; people are numbered from 0 up to it.
  ///   - doorways: the number of doorways where people take turns.
  ///   - thresholds: the lines of doorways in the walls of corridors; lanes continue beside them.
  ///   - settings: the model and its parameters.
  ///   - seed: the seed of the few random decisions.
  package init(
    walls: [PlaneSegment], oneWays: [PlaneSegment] = [], people: Int, doorways: Int = 0,
    thresholds: [PlaneSegment] = [], settings: CrowdSettings, seed: UInt64
  ) {
    arbiter = DoorArbiter(doorways: doorways)
    let bounds =
      PlaneBounds(walls.lazy.flatMap { [$0.a, $0.b] })
      ?? PlaneBounds(low: PlanePoint(x: -50, y: -50), high: PlanePoint(x: 50, y: 50))
    self.settings = settings
    self.seed = seed
    count = people
    self.people = CrowdColumns(count: people)
    self.walls = CrowdWalls(
      walls, oneWays: oneWays, thresholds: thresholds, bounds: bounds, touch: 0.6, sight: settings.reach,
      lane: LaneSettings.reach)
    sight = SegmentGrid(walls)
    grid = CrowdGrid(bounds: bounds, size: settings.reach, people: people)
    moves = Column(repeating: CrowdBody(), count: people)
    events = Column(repeating: 0, count: people)
    for person in 0..<people {
      self.people.preference[person] = LaneSettings.preference(of: person, seed: seed)
    }
  }

  /// Puts a person on the floor, without a way.
  ///
  /// The call does nothing if a coordinate is not finite or its absolute value is 10 000 km or more.
  /// - Parameters:
  ///   - person: the number of the person, less than the capacity.
  ///   - point: the position, in metres.
  ///   - freeSpeed: the free speed, in metres per second; limited to 0 ... ``CrowdSettings/maximumFreeSpeed``.
  ///   - radius: the radius of the body, in metres.
  package func place(_ person: Int, at point: PlanePoint, freeSpeed: Double, radius: Double = 0.2) {
    guard abs(point.x) < 1e7, abs(point.y) < 1e7 else { return }
    remove(person)
    people.bodies[person] = CrowdBody(x: point.x, y: point.y, radius: radius, person: Int32(person))
    people.freeSpeed[person] = min(max(freeSpeed, 0), CrowdSettings.maximumFreeSpeed)
    people.mark[person] = -1
    people.state[person] = CrowdState.staying
    grid.enter(people.bodies[person])
  }

  /// Changes the free speed of a person, limited to 0 ... ``CrowdSettings/maximumFreeSpeed`` metres per second.
  package func setFreeSpeed(_ freeSpeed: Double, of person: Int) {
    people.freeSpeed[person] = min(max(freeSpeed, 0), CrowdSettings.maximumFreeSpeed)
  }

  /// Exchanges the positions of two walking people; does nothing if one of them does not walk.
  func exchange(_ one: Int, _ other: Int) {
    guard isWalking(one), isWalking(other) else { return }
    let body = people.bodies[one]
    (people.bodies[one].x, people.bodies[one].y) = (people.bodies[other].x, people.bodies[other].y)
    (people.bodies[other].x, people.bodies[other].y) = (body.x, body.y)
  }

  /// Removes a person from the floor.
  package func remove(_ person: Int) {
    if people.state[person] == CrowdState.staying { grid.leave(people.bodies[person]) }
    if people.state[person] == CrowdState.walking { moversChanged = true }
    people.state[person] = CrowdState.away
  }

  /// Adds a way to the pool, and returns its range of waypoints. Several people can follow the same way.
  package func add(way: [CrowdWaypoint]) -> Range<Int> {
    let start = marks.count
    marks += way
    return start..<marks.count
  }

  /// Returns the next waypoint of a walking person; `nil` for others.
  func nextMark(of person: Int) -> PlanePoint? {
    let mark = Int(people.mark[person])
    return marks.indices.contains(mark) ? marks[mark].middle : nil
  }

  /// Returns the length of the rest of a walking person's way, in metres.
  ///
  /// Returns `nil` for people who do not walk and for people who wait for their turn at a doorway.
  func wayLeft(of person: Int) -> Double? {
    let (mark, last) = (Int(people.mark[person]), Int(people.lastMark[person]))
    guard isWalking(person), marks.indices.contains(mark), marks.indices.contains(last) else { return nil }
    guard !marks[mark].isDoor || !arbiter.isAgainst(marks[mark].turn) else { return nil }
    var length = PlanePoint.distance(marks[mark].middle, position(of: person))
    var next = mark
    while next < last {
      length += PlanePoint.distance(marks[next].middle, marks[next + 1].middle)
      next += 1
    }
    return length
  }

  /// Makes a person who walks to and fro without progress begin to shuffle, as if the person had stood still.
  func losePatience(_ person: Int) {
    let patience = Float(max(settings.patience, settings.doorPatience) + 3)
    people.bodies[person].blocked = max(people.bodies[person].blocked, patience)
  }

  /// Returns the end of a walking person's way; `nil` for others.
  func lastMark(of person: Int) -> PlanePoint? {
    let mark = Int(people.lastMark[person])
    return isWalking(person) && marks.indices.contains(mark) ? marks[mark].middle : nil
  }

  /// Returns the people whose centre lies within `radius` metres of a point, in ascending order.
  func people(near point: PlanePoint, within radius: Double) -> [Int] {
    var found: [Int] = []
    func consider(_ person: Int) {
      let dx = people.bodies[person].x - point.x
      let dy = people.bodies[person].y - point.y
      if dx * dx + dy * dy <= radius * radius { found.append(person) }
    }
    for mover in movers where people.state[Int(mover)] == CrowdState.walking { consider(Int(mover)) }
    forEachStaying(near: point, within: radius) { consider($0) }
    return found.sorted()
  }

  private func forEachStaying(near point: PlanePoint, within reach: Double, _ body: (Int) -> Void) {
    let lowest = grid.cell(x: point.x - reach, y: point.y - reach)
    let highest = grid.cell(x: point.x + reach, y: point.y + reach)
    let (left, right) = (lowest % grid.columns, highest % grid.columns)
    for row in (lowest / grid.columns)...(highest / grid.columns) {
      for column in left...right {
        var person = Int(grid.firstStaying[row * grid.columns + column])
        while person >= 0 {
          body(person)
          person = Int(grid.nextStaying[person])
        }
      }
    }
  }

  /// Removes unused ways from the pool. Ranges returned earlier become invalid.
  func packWays() {
    var packed: [CrowdWaypoint] = []
    for walker in walkers {
      let person = Int(walker)
      let first = packed.count
      packed += marks[Int(people.mark[person])...Int(people.lastMark[person])]
      people.mark[person] = Int32(first)
      people.lastMark[person] = Int32(packed.count - 1)
    }
    marks = packed
  }

  /// Sends a person along a way of the pool; an empty way makes the person stay.
  package func send(_ person: Int, along way: Range<Int>) {
    guard !way.isEmpty else { return stay(person) }
    guard people.state[person] != CrowdState.away else { return }
    people.lane[person] = .zero
    people.mark[person] = Int32(way.lowerBound)
    people.lastMark[person] = Int32(way.upperBound - 1)
    if people.state[person] == CrowdState.staying {
      grid.leave(people.bodies[person])
      people.state[person] = CrowdState.walking
      movers.append(Int32(person))
      moversChanged = true
    }
  }

  /// Stops a walking person at the current position.
  package func stay(_ person: Int) {
    guard people.state[person] == CrowdState.walking else { return }
    people.mark[person] = -1
    let body = people.bodies[person]
    people.bodies[person] = CrowdBody(x: body.x, y: body.y, radius: body.radius, person: body.person)
    people.state[person] = CrowdState.staying
    moversChanged = true
    grid.enter(people.bodies[person])
  }

  /// Makes two people walk side by side while both walk.
  package func join(_ one: Int, _ other: Int) { join([one, other]) }

  /// Makes a party walk together in rows of two; the leaders wait for the last row.
  package func join(_ party: [Int]) {
    guard party.count > 1 else { return }
    for (place, person) in party.enumerated() {
      people.next[person] = Int32(party[(place + 1) % party.count])
      let beside = place ^ 1
      people.partner[person] = beside < party.count ? Int32(party[beside]) : -1
      people.preference[person] = people.preference[party[0]]
    }
  }

  /// Returns the preferred place of a person between two walls, from 0 (right) to 1 (left).
  func preference(of person: Int) -> Double { people.preference[person] }

  /// Returns the time for which a person has made no progress on the way, in seconds; at most 12.
  package func blockedSeconds(of person: Int) -> Double { Double(people.bodies[person].blocked) }

  /// Checks whether a person is on the floor and walks.
  package func isWalking(_ person: Int) -> Bool { people.state[person] == CrowdState.walking }

  /// The number of walking people.
  package var walkerCount: Int {
    sortMovers()
    return movers.count
  }

  /// The walking people, in ascending order.
  package var walkers: [Int32] {
    sortMovers()
    return movers
  }

  private func sortMovers() {
    guard moversChanged else { return }
    moversChanged = false
    movers.removeAll { people.state[Int($0)] != CrowdState.walking }
    movers.sort()
    // A person who stopped and walked on between two steps is in the list twice.
    var kept = 0
    for index in movers.indices where index == 0 || movers[index] != movers[index - 1] {
      movers[kept] = movers[index]
      kept += 1
    }
    movers.removeLast(movers.count - kept)
  }

  /// Returns the position of a person, in metres.
  package func position(of person: Int) -> PlanePoint {
    PlanePoint(x: people.bodies[person].x, y: people.bodies[person].y)
  }

  /// Checks whether a body at a point keeps a margin from every body on the floor.
  /// - Parameters:
  ///   - point: the centre of the body, in metres.
  ///   - radius: the radius of the body, in metres.
  ///   - margin: the minimum gap to other bodies, in metres.
  package func isFree(_ point: PlanePoint, radius: Double, margin: Double = 0) -> Bool {
    func overlaps(_ person: Int) -> Bool {
      let dx = people.bodies[person].x - point.x
      let dy = people.bodies[person].y - point.y
      let apart = people.bodies[person].radius + radius + margin
      return dx * dx + dy * dy < apart * apart
    }
    for mover in movers where people.state[Int(mover)] == CrowdState.walking && overlaps(Int(mover)) { return false }
    var isFree = true
    forEachStaying(near: point, within: radius + margin + 0.5) { if overlaps($0) { isFree = false } }
    return isFree
  }

  /// Moves all walking people by one time step.
  ///
  /// Each person costs the search of the neighbouring cells. The result does not depend on `threads`.
  /// - Parameters:
  ///   - seconds: the length of the step, limited to 0 ... ``CrowdSettings/maximumStep``.
  ///   - threads: the maximum number of threads.
  package func step(seconds: Double, threads: Int = 1) {
    let seconds = min(max(seconds, 0), CrowdSettings.maximumStep)
    sortMovers()
    grid.sort(people, movers: movers)
    let workers = max(1, min(threads, grid.count / max(minimumShare, 1)))
    while scratches.count < workers { scratches.append(CrowdScratch()) }
    let share = (grid.count + workers - 1) / max(workers, 1)
    let job = CrowdStep(
      people: people, grid: grid, walls: walls, sight: sight, settings: settings, seconds: seconds,
      number: figures.steps, seed: seed, arbiter: arbiter, moves: moves, events: events)
    marks.withUnsafeBufferPointer { marks in
      let shared = SharedStep(job: job, marks: marks, scratches: scratches)
      if workers == 1 {
        shared.run(0, from: 0, to: grid.count)
      } else {
        let total = grid.count
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
          shared.run(worker, from: min(worker * share, total), to: min((worker + 1) * share, total))
        }
      }
    }
    finish()
    arbiter.finish(seconds: Float(seconds))
    figures.overlaps += scratches.reduce(0) { $0 + $1.overlaps } / 2
    for scratch in scratches { figures.take(scratch) }
    figures.steps += 1
    figures.personSteps += grid.count
  }

  /// Makes the new positions current, and collects arrivals and people who lost their way.
  private func finish() {
    arrived.removeAll(keepingCapacity: true)
    lost.removeAll(keepingCapacity: true)
    for place in 0..<grid.count {
      let moved = moves.base[place]
      let person = Int(moved.person)
      people.bodies.base[person] = moved
      let event = events.base[place]
      if event == 0 { continue }
      if event & CrowdStep.hasArrived != 0 { arrived.append(person) }
      if event & CrowdStep.isLost != 0 { lost.append(person) }
      if event & CrowdStep.isAtDoor != 0 {
        arbiter.count(
          marks[Int(people.mark.base[person])].turn, isInside: event & CrowdStep.isInDoor != 0,
          blocked: moved.blocked)
      }
    }
    arrived.sort()
    lost.sort()
  }
}

/// A step that several threads share.
///
/// `@unchecked Sendable` holds because the ranges `from ..< to` of the workers do not overlap. A worker writes only the people
/// of its range and its own scratch memory. Nothing else is written until all workers are done.
private struct SharedStep: @unchecked Sendable {
  let job: CrowdStep
  let marks: UnsafeBufferPointer<CrowdWaypoint>
  let scratches: [CrowdScratch]

  func run(_ worker: Int, from: Int, to: Int) {
    let scratch = scratches[worker]
    scratch.reset()
    for place in from..<max(from, to) { job.move(place, marks: marks, scratch: scratch) }
  }
}

extension CrowdSettings {
  /// The maximum free speed, in metres per second.
  package static let maximumFreeSpeed = 2.5
  /// The maximum length of a step, in seconds. A longer step could carry a person past the walls and neighbours that
  /// were checked.
  package static let maximumStep = 0.15

  /// The distance within which people influence each other, in metres.
  var reach: Double {
    switch model {
    case .collisionFreeSpeed: 0.4 + CrowdSettings.maximumFreeSpeed * max(timeGap, doorTimeGap, wideDoorTimeGap)
    case .anticipationVelocity: 3
    }
  }
}

/// Counters of a crowd.
package struct CrowdFigures: Hashable, Sendable {
  /// The number of steps.
  package var steps = 0
  /// The number of steps, summed over the walking people.
  package var personSteps = 0
  /// Pairs of bodies that overlapped by more than ``overlapLimit``, counted at every step.
  package var overlaps = 0
  /// The minimum gap between two bodies, in metres; negative for an overlap, infinity if no two people were close.
  package var minimumGap = Double.infinity
  /// The number of steps of one person that crossed a wall.
  package var wallCrossings = 0

  /// The overlap above which ``overlaps`` counts a pair, in metres.
  package static let overlapLimit = 0.02

  mutating func take(_ scratch: CrowdScratch) {
    minimumGap = min(minimumGap, scratch.minimumGap)
    wallCrossings += scratch.wallCrossings
    scratch.reset()
  }
}
