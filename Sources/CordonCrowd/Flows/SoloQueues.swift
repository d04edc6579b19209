import CordonCore

/// The queues of people without bodies: their journeys interact only through the stations, and through spaces with a
/// limit.
///
/// Journeys up to the first pause are independent and use several threads. From there on, events are handled in order of
/// time, then of the number of the person.
struct SoloQueues<Walker: SoloWalker> {
  private var journeys: [SoloJourney<Walker>]
  private let fields: RouteFields
  private let end: Int64
  /// The stations by index, and as -1, -2 and so on the stations of destinations with one server.
  private var stations: [Int: QueueingStation] = [:]
  private var events = WalkEvents()
  /// The station whose server is reserved for a person, and the stop where the person is served.
  private var desks: [Int: (station: Int, stop: Int)] = [:]
  /// The companions who wait for a person to leave a stop, by the number of the person.
  private var followers: [Int: [Int]] = [:]
  private var rooms: SoloRooms
  private(set) var unserved = 0

  /// The number of waits for room, and of stops that were given up after one.
  var waitsForRoom: (count: Int, givenUp: Int) { (rooms.waits, rooms.givenUp) }

  /// - Parameters:
  ///   - journeys: the journeys of all people, with the first pause.
  ///   - fields: the stations.
  ///   - limits: the spaces with a limit; `nil` if there are none.
  ///   - end: the end of the run, in milliseconds since 1970.
  init(
    _ journeys: [(journey: SoloJourney<Walker>, pause: SoloJourney<Walker>.Pause?)], fields: RouteFields,
    limits: LimitedSpaces?, end: Int64
  ) {
    self.journeys = journeys.map(\.journey)
    self.fields = fields
    self.end = end
    rooms = SoloRooms(limits)
    for (person, item) in journeys.enumerated() { add(person, item.pause) }
    guard events.nextTime != nil else { return }
    for (index, station) in fields.stations.enumerated() {
      for server in station.servers {
        for time in server.hours.changes { events.add(.desk, index, at: time) }
      }
    }
  }

  /// Serves all people up to the end of the run, and returns their tracks.
  mutating func tracks() -> [Track] {
    while let event = events.next(until: end - 1) {
      switch event.kind {
      case .arrival: join(event.number, at: event.time)
      case .served: endService(event.number, at: event.time)
      case .desk:
        if stations[event.number] != nil { dispatch(event.number, at: event.time) }
      case .roomLeft:
        rooms.remove(event.number)
        admitWaiting(at: event.time)
      case .roomRequest: request(event.number, at: event.time)
      case .roomCheck: giveUpRoom(event.number, at: event.time)
      default: break
      }
    }
    // The rest waits, or is served, at the end of the run.
    for number in stations.keys.sorted() {
      for person in stations[number]?.waiting ?? [] { journeys[person].endWait(at: end) }
      for person in stations[number]?.served ?? [] where journeys[person].stop == desks[person]?.stop {
        journeys[person].endStay(at: end)
      }
    }
    for leader in followers.keys.sorted() {
      for person in followers[leader] ?? [] { journeys[person].endStay(at: end) }
    }
    for person in rooms.waiting { journeys[person].endWaitForRoom(at: end) }
    return journeys.map(\.timed.track)
  }

  private mutating func join(_ person: Int, at time: Int64) {
    guard let stop = journeys[person].currentStop else { return }
    if let leader = journeys[person].itinerary.leader { return follow(leader, person, from: time) }
    // People who were called are at the desk now.
    if let desk = desks[person], desk.stop == journeys[person].stop { return beginService(person, stop, at: time) }
    let number = stop.station ?? -1 - stop.destination
    if stations[number] == nil {
      stations[number] = stop.station.map { fields.stations[$0].station } ?? QueueingStation(servers: [.always])
    }
    stations[number]?.join(person, at: time, appointment: stop.appointment?.milliseconds)
    dispatch(number, at: time)
  }

  private mutating func dispatch(_ number: Int, at time: Int64) {
    while let call = stations[number]?.callNext(at: time) {
      let person = call.customer
      let isCalled = journeys[person].currentStop?.isUntilCalled == true
      journeys[person].endWait(at: time)
      desks[person] = (number, journeys[person].stop)
      guard isCalled else {
        if let stop = journeys[person].currentStop { beginService(person, stop, at: time) }
        continue
      }
      goOn(person)
      guard desks[person]?.stop == journeys[person].stop, journeys[person].currentStop != nil else {
        // No way leads to the desk.
        release(person, at: time)
        continue
      }
    }
    guard let station = stations[number], !station.opens(from: time) else { return }
    for person in station.waiting {
      stations[number]?.withdraw(person, at: time)
      unserved += 1
      journeys[person].endWait(at: time)
      journeys[person].skipStops()
      goOn(person)
    }
  }

  private mutating func beginService(_ person: Int, _ stop: Itinerary.Stop, at time: Int64) {
    events.add(.served, person, at: time + max(stop.service?.milliseconds ?? 0, 1))
  }

  private mutating func endService(_ person: Int, at time: Int64) {
    guard let number = desks[person]?.station else { return }
    journeys[person].endStay(at: time)
    release(person, at: time)
    goOn(person)
    dispatch(number, at: time)
  }

  private mutating func release(_ person: Int, at time: Int64) {
    guard let desk = desks.removeValue(forKey: person) else { return }
    stations[desk.station]?.complete(person, at: time)
  }

  /// Moves a person on to the next pause, or out of the building.
  private mutating func goOn(_ person: Int) { goOn(person, journeys[person].advance()) }

  /// Notes the next pause of a person who was moved, and moves the companions who wait for the person.
  private mutating func goOn(_ person: Int, _ pause: SoloJourney<Walker>.Pause?) {
    add(person, pause)
    for other in followers.removeValue(forKey: person) ?? [] { follow(person, other, from: .min) }
  }

  /// Makes a companion leave a stop when the leader has left it. Companions join no queue, so the order of their events
  /// changes nothing.
  private mutating func follow(_ leader: Int, _ person: Int, from time: Int64) {
    let stop = journeys[person].stop
    guard stop < journeys[leader].departures.count else {
      followers[leader, default: []].append(person)
      return
    }
    journeys[person].endStay(at: max(time, journeys[leader].departures[stop]))
    goOn(person)
  }

  /// Adds the events of a person who was moved: the next pause, and when the person leaves spaces with a limit.
  private mutating func add(_ person: Int, _ pause: SoloJourney<Walker>.Pause?) {
    for (space, time) in journeys[person].takeLeaving() {
      rooms.leave(person, space)
      events.add(.roomLeft, person, at: time)
    }
    switch pause {
    case .queue(let time): events.add(.arrival, person, at: time)
    case .room(let space, let time):
      rooms.approach(person, space)
      events.add(.roomRequest, person, at: time)
    case nil: break
    }
  }

  // MARK: Spaces with a limit

  private mutating func request(_ person: Int, at time: Int64) {
    if rooms.request(person) {
      goOn(person, journeys[person].enter(at: time))
    } else {
      events.add(.roomCheck, person, at: journeys[person].deadline)
    }
  }

  private mutating func admitWaiting(at time: Int64) {
    while let person = rooms.admitNext() { goOn(person, journeys[person].enter(at: time)) }
  }

  private mutating func giveUpRoom(_ person: Int, at time: Int64) {
    guard rooms.isWaiting(person), journeys[person].deadline <= time else { return }
    rooms.giveUp(person)
    goOn(person, journeys[person].giveUpRoom(at: time))
    // The desk at which the person would have been served serves the next one.
    guard let desk = desks[person], desk.stop < journeys[person].stop else { return }
    release(person, at: time)
    dispatch(desk.station, at: time)
  }
}
