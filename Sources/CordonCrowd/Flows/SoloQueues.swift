import CordonCore

/// The queues of people without bodies: their journeys interact only through the stations.
///
/// Journeys up to the first queue are independent and use several threads. From there on, events are handled in order of
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
  private(set) var unserved = 0

  /// - Parameters:
  ///   - journeys: the journeys of all people, with the time of arrival in the first queue.
  ///   - fields: the stations.
  ///   - end: the end of the run, in milliseconds since 1970.
  init(_ journeys: [(journey: SoloJourney<Walker>, queue: Int64?)], fields: RouteFields, end: Int64) {
    self.journeys = journeys.map(\.journey)
    self.fields = fields
    self.end = end
    for (person, item) in journeys.enumerated() {
      if let time = item.queue { events.add(.arrival, person, at: time) }
    }
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
    return journeys.map(\.walker.timed.track)
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

  /// Moves a person on to the next queue, or out of the building.
  private mutating func goOn(_ person: Int) {
    if let arrival = journeys[person].advance() { events.add(.arrival, person, at: arrival) }
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
}
