import Cordon
import CordonCore
import CordonMonitoring
import CordonSupport
import CordonWire

/// A place as receivers get it, in degrees times 1e7.
struct PlaceKey: Hashable {
  private let longitude: Int64
  private let latitude: Int64

  init(_ coordinate: Coordinate) {
    longitude = Int64((coordinate.longitude * 1e7).rounded())
    latitude = Int64((coordinate.latitude * 1e7).rounded())
  }

  /// The place of a feature; `nil` without one.
  init?(_ feature: JSONValue) {
    func degrees(_ value: JSONValue) -> Double? {
      switch value {
      case .number(let number): abs(number) <= 180 ? number : nil
      case .integer(let number): abs(number) <= 180 ? Double(number) : nil
      default: nil
      }
    }
    guard let numbers = feature["geometry"]?["coordinates"]?.elements, numbers.count == 2,
      let longitude = degrees(numbers[0]), let latitude = degrees(numbers[1])
    else { return nil }
    self.init(Coordinate(longitude: longitude, latitude: latitude))
  }
}

/// Trips, and the bytes that Overland receivers get.
extension TortureRun {
  /// Writes rows to the file of a tracker.
  func keep(_ request: SinkRequest, of phone: TorturePhone) {
    guard case .positions(let rows, _) = request.body else { return }
    phone.trips?.keep(rows)
    let response = SinkResponse(
      number: request.number, status: 200, body: .rows(rows.map { RowAnswer(id: $0.id, status: .stored) }))
    network.answer(response, to: request, phone: phone.number, life: phone.life, now: now)
  }

  /// Starts and stops the trips of a person, and sends those that wait, once a minute.
  func followTrips(of phone: TorturePhone) {
    guard let trips = phone.trips, phone.isUp else { return }
    switch trips.nextStep(now) {
    case .flush: phone.send(now, .flush)
    case .stop: phone.stopTrip(now, mayDie: !isCalm)
    case .nothing: if !isCalm, phone.hasConsent, trips.wantsToStart() { phone.startTrip(now) }
    }
    finish(phone)
    guard phone.isUp, let device = phone.seen?.device,
      let (request, endpoint) = trips.next(now, consent: phone.consent, device: device)
    else { return }
    send(request, at: endpoint, of: phone)
  }

  /// Checks the bytes of a request to an Overland receiver: its places, and the trip that it names.
  func check(_ message: HTTPRequest, of request: SinkRequest, by phone: TorturePhone) {
    guard let body = try? JSONReader.value(of: message.body), let trips = phone.trips else {
      return phone.fail(now, "a request to a receiver is not JSON")
    }
    var features = body["locations"]?.elements ?? []
    let properties = features.first?["properties"]
    for feature in [
      body["current"], body["trip"]?["start_location"], body["trip"]?["current_location"],
      properties?["start_location"], properties?["end_location"],
    ] {
      if let feature, feature != .null { features.append(feature) }
    }
    for feature in features {
      guard let place = PlaceKey(feature), let known = phone.places[place] else {
        phone.fail(now, "a receiver gets a place that no fix has")
        continue
      }
      let mayGo = request.sink == .overland ? known.outside : known.inside || known.outside
      if !mayGo { phone.fail(now, "a receiver gets a place that it may not have") }
      if !known.inside, !phone.hasEverywhere {
        phone.fail(now, "a receiver gets a place outside without the consent for it")
      }
    }
    if TortureTrips.isTrip(request) {
      guard let trip = TortureTrips.Ended(request.sink, body: body) else {
        return phone.fail(now, "an ended trip is not sent as one")
      }
      if !phone.hasConsent { phone.fail(now, "a trip is sent without consent") }
      if trips.acknowledged.contains(trip) {
        phone.fail(now, "a trip is sent again that its receiver acknowledged")
      } else if !trips.waiting.contains(trip) {
        phone.fail(now, "a trip is sent that has not ended, or was withdrawn")
      }
    } else if let trip = body["trip"] {
      if trip["start"]?.stringValue != trips.start || trip["mode"]?.stringValue != trips.mode {
        phone.fail(now, "a request has a trip that is not in progress")
      }
    } else if let current = trips.current, phone.isClockSure(since: current.since), now - current.since < 840_000 {
      // Fifteen minutes after its start it may have ended by itself.
      phone.fail(now, "a request lacks the trip in progress")
    }
  }

  /// Checks at the end that every trip is at its receivers.
  func checkTrips() {
    for phone in phones {
      guard let trips = phone.trips else { continue }
      if trips.isBusy { phone.fail(now, "a trip never left") }
      for trip in trips.acknowledged where !receivers.have(trip, of: phone.number) {
        phone.fail(now, "an acknowledged trip is not at its receiver")
      }
    }
  }
}

extension TorturePhone {
  /// The consent as the tracker has it.
  var consent: Consent? { process?.runtime.monitor.state.consent }

  /// Starts a trip, or begins to end the one in progress. Returns whether there are trips.
  func toggleTrip(_ now: Int64) -> Bool {
    guard let trips else { return false }
    if trips.current == nil { startTrip(now) } else { trips.hurry() }
    return true
  }

  /// The command `trip start`.
  func startTrip(_ now: Int64) {
    guard let trips, let seen, seen.hasConsent, !seen.hasUnfinishedWrites else { return }
    trips.start(now, wall: wall(now), device: seen.device)
    note(trip: true, now)
  }

  /// The command `trip stop`.
  func stopTrip(_ now: Int64, mayDie: Bool) {
    guard let trips else { return }
    let (hasEnded, problem) = trips.stop(now, wall: wall(now), consent: consent?.purposes ?? [], mayDie: mayDie)
    if let problem { fail(now, problem) }
    if hasEnded { note(trip: false, now) }
  }

  /// Informs the monitor of a trip.
  func note(trip isInProgress: Bool, _ now: Int64) {
    hasTrip = isInProgress
    send(now, .trip(isInProgress: isInProgress))
  }
}
