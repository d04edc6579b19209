import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// One run of people with bodies through a building.
///
/// The walk decides when people go where; the crowd computes their steps. Each part of the walk has a state of its own:
/// ``EntranceQueues``, ``ServiceQueues``, ``Stairs``, ``Elevators``, ``WaitingPlaces``, ``AlternativeWays``,
/// ``RoomLimits`` and ``StuckWatch``. They share the people (``WalkState``), and request decisions that involve other parts from this class
/// (``WalkCoordinator``).
final class BuildingWalk {
  let state: WalkState
  let queues: ServiceQueues
  let stairs: Stairs
  let elevators: Elevators
  let alternatives: AlternativeWays
  let rooms: RoomLimits
  /// The evacuation; `nil` in runs without one.
  let evacuation: EvacuationWalk?
  private let stuckWatch: StuckWatch
  private var entrances: EntranceQueues
  private let threads: Int
  private let checksEveryStep: Bool
  private let isInterrupted: (@Sendable () -> Bool)?
  /// The number of waypoints in the pool after unused ones were last removed.
  private var packedMarkCount = 0

  init(
    _ itineraries: [Itinerary], fields: RouteFields, world: World, replication: Replication, model: CrowdMovement,
    threads: Int
  ) {
    let state = WalkState(itineraries, fields: fields, world: world, replication: replication, model: model)
    let waitingPlaces = WaitingPlaces(state)
    rooms = RoomLimits(state, limits: model.limits)
    let yielding = Yielding(state, rooms: rooms)
    self.state = state
    queues = ServiceQueues(state)
    stairs = Stairs(state, waitingPlaces: waitingPlaces, yielding: yielding)
    elevators = Elevators(state, waitingPlaces: waitingPlaces, yielding: yielding)
    alternatives = AlternativeWays(
      state, queues: queues, stairs: stairs, elevators: elevators, waitingPlaces: waitingPlaces)
    stuckWatch = StuckWatch(state, queues: queues, stairs: stairs, yielding: yielding)
    evacuation = model.evacuation.map { EvacuationWalk(state, rules: $0) }
    entrances = EntranceQueues(entrances: world.entrances.count)
    self.threads = threads
    checksEveryStep = model.checksEveryStep
    isInterrupted = model.isInterrupted
    queues.coordinator = self
    stairs.coordinator = self
    elevators.coordinator = self
    alternatives.coordinator = self
    stuckWatch.coordinator = self
    rooms.coordinator = self
    evacuation?.coordinator = self
  }

  /// Runs the walk to its end.
  func run(progress: (@Sendable (Double) -> Void)?) -> MovementResult {
    let begin = state.now
    let end = state.end
    var reported = 0
    var tick: Int64 = 0
    while state.now < end {
      while let event = state.events.next(until: state.now) { handle(event) }
      let percent = Int((state.now - begin) * 100 / max(end - begin, 1))
      if percent > reported {
        reported = percent
        progress?(Double(percent) / 100)
      }
      guard state.crowd.walkerCount > 0 else {
        // If no person walks, time skips to the next event.
        guard let next = state.events.nextTime, next < end else { break }
        state.now += max((next - state.now + state.step - 1) / state.step, 1) * state.step
        continue
      }
      advance()
      tick += state.step
      if tick >= 1_000 {
        tick -= 1_000
        updateParts()
        if let isInterrupted, isInterrupted() {
          state.figures.interruptedAt = state.now
          break
        }
      }
    }
    state.finish()
    progress?(1)
    let made = state.crowd.figures
    state.figures.agentSteps = made.personSteps
    state.figures.overlaps = made.overlaps
    state.figures.minimumGap = made.minimumGap
    state.figures.wallCrossings = made.wallCrossings
    return MovementResult(tracks: state.tracks, figures: state.figures)
  }

  /// Moves all walking people by one step, and handles people at the end of their waypoints or without sight of them.
  private func advance() {
    state.advance(threads: threads, checksPlan: checksEveryStep)
    for person in state.crowd.arrived { arrived(person) }
    for person in state.crowd.lost {
      switch state.walkers[person].phase {
      case .walking, .called, .climbing, .alighting:
        state.figures.detours += 1
        replan(person)
      default: break
      }
    }
  }

  /// Updates the parts of the walk, once a second.
  private func updateParts() {
    stuckWatch.update()
    stairs.update()
    if queues.isUsed { queues.update() }
    if rooms.isUsed { rooms.update() }
    evacuation?.update()
    packWays()
  }

  /// Removes unused waypoints from the pool.
  private func packWays() {
    guard state.crowd.marks.count > packedMarkCount * 2 + 4_096 else { return }
    state.crowd.packWays()
    packedMarkCount = state.crowd.marks.count
  }

  private func handle(_ event: WalkEvents.Event) {
    let number = event.number
    switch event.kind {
    case .arrival:
      guard state.itineraries[number].evacuee == nil else { return evacuation?.begin(number) ?? () }
      let entrance = state.itineraries[number].entrance
      if entrances.join(number, at: entrance) { admit(through: entrance) }
    case .admission: admit(through: number)
    case .departure: if state.walkers[number].phase == .dwelling { depart(number) }
    case .exit: evacuation?.pass(number)
    case .alight:
      if state.walkers[number].phase == .climbing { stairs.changeFloor(number) } else { elevators.alight(number) }
    case .board: elevators.board(number)
    case .carMidway: elevators.changeFloor(number)
    case .served: queues.endService(number)
    case .desk: queues.updateServers(of: number)
    case .carOpens: elevators.open(number)
    case .carCloses: elevators.closeWhenDue(number)
    case .roomCheck: rooms.giveUp(number)
    case .roomLeft, .roomRequest: break
    case .resume:
      if state.walkers[number].phase == .steppingAside {
        state.walkers[number].phase = .walking
        replan(number)
      }
    }
  }

  /// Admits the first person in front of an entrance if there is room behind it.
  private func admit(through entrance: Int) {
    guard let person = entrances.first(at: entrance) else { return }
    let (place, position) = (state.world.entrances[entrance].place, state.world.entrances[entrance].position)
    let point = state.plane.center(of: place)
    guard state.crowd.isFree(point, radius: 0.2, margin: 0.02) else {
      return state.events.add(.admission, entrance, at: state.now + 3 * state.step)
    }
    guard rooms.mayEnter(person, at: place) else {
      // Others pass a person who waits outside for room.
      if entrances.admitFirst(at: entrance) { state.events.add(.admission, entrance, at: state.now) }
      return
    }
    if entrances.admitFirst(at: entrance) { state.events.add(.admission, entrance, at: state.now + state.step) }
    state.crowd.place(person, at: point, freeSpeed: state.itineraries[person].freeSpeed)
    state.walkers[person].floor = place.floor
    state.walkers[person].phase = .walking
    state.recorders[person].begin(
      at: position, floor: state.world.plan.floors[place.floor].ordinal.thousandths, time: state.now)
    proceed(person)
  }
}
