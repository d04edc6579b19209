public import CordonCore
import CordonMonitoring
import CordonWire

/// Trips that an app reports.
extension OverlandFormat {
  /// The member `trip` of a request by ``trip``.
  func tripInProgress(_ locations: [Location], _ latest: Location?) -> Overland.Trip? {
    guard let trip = trip?(locations) else { return nil }
    var current = trip.first
    for location in [locations.last, latest] {
      guard let location, location.time >= trip.start else { continue }
      if current.map({ location.time > $0.time }) ?? true { current = location }
    }
    return Overland.Trip(
      mode: trip.mode, start: trip.start, distance: OverlandFormat.length(trip.distance), startLocation: trip.first,
      currentLocation: current)
  }

  private static func length(_ distance: Double) -> Double { distance.isFinite ? max(distance, 0) : 0 }

  /// Sends an ended trip to a receiver, as a feature of the type `trip`.
  ///
  /// The app calls this only while the person's consent covers both locations and sending, and again later when it returns false. An
  /// endpoint with a sign-in needs its present token in place of it.
  /// - Parameters:
  ///   - mode: the mode of travel, such as `walk`.
  ///   - start: the time at which the trip started.
  ///   - end: the time at which it ended.
  ///   - distance: its length in metres.
  ///   - first: its first location.
  ///   - last: its last location.
  ///   - endedByItself: whether it ended because the person had stopped moving.
  ///   - steps: the steps that a pedometer counted; `nil` without one.
  ///   - endpoint: the receiver.
  ///   - transport: sends the message.
  /// - Returns: whether the receiver accepted it.
  public func report(
    tripOf mode: String, from start: Instant, until end: Instant, distance: Double, first: Location, last: Location,
    endedByItself: Bool = false, steps: Int? = nil, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> Bool {
    let ended = Overland.EndedTrip(
      mode: mode, start: start, end: end, distance: OverlandFormat.length(distance), startLocation: first,
      endLocation: last, stoppedAutomatically: endedByItself, steps: steps)
    var endpoint = endpoint
    endpoint.format = OverlandTripFormat(self, body: body(of: ended))
    let request = SinkRequest(
      number: 0, device: last.device, sink: endpoint.id, body: .positions([last], token: nil))
    if case .rows = await endpoint.deliver(request, over: transport).body { return true }
    return false
  }
}
