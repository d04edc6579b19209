package import CordonCore

/// Trips and visits, in the shapes that the README and the code of Overland have (commit `5f2a5be9`).
extension Overland {
  /// A trip in progress: the member `trip` of a request.
  package struct Trip: Hashable, Sendable {
    /// The name of the mode of travel.
    package var mode: String
    /// The time at which the person started it.
    package var start: Instant
    /// The length so far in metres.
    package var distance: Double
    /// The first location of the trip; `nil` without one.
    package var startLocation: Location?
    /// The most recent location; `nil` without one.
    package var currentLocation: Location?

    /// Makes a trip of its values.
    package init(
      mode: String, start: Instant, distance: Double, startLocation: Location? = nil, currentLocation: Location? = nil
    ) {
      self.mode = mode
      self.start = start
      self.distance = distance
      self.startLocation = startLocation
      self.currentLocation = currentLocation
    }

    /// The most bytes that it takes beside its locations.
    var room: Int { 256 + JSONWriter.room(for: mode) }
  }

  /// A trip that has ended: a feature of the type `trip`.
  package struct EndedTrip: Hashable, Sendable {
    /// The name of the mode of travel.
    package var mode: String
    /// The time at which it started.
    package var start: Instant
    /// The time at which it ended.
    package var end: Instant
    /// The length in metres.
    package var distance: Double
    /// The first location.
    package var startLocation: Location
    /// The last location.
    package var endLocation: Location
    /// Whether it ended by itself, because the person had stopped moving.
    package var stoppedAutomatically: Bool
    /// The steps that a pedometer counted; `nil` without one.
    package var steps: Int?

    /// Makes a trip of its values.
    package init(
      mode: String, start: Instant, end: Instant, distance: Double, startLocation: Location, endLocation: Location,
      stoppedAutomatically: Bool, steps: Int?
    ) {
      self.mode = mode
      self.start = start
      self.end = end
      self.distance = distance
      self.startLocation = startLocation
      self.endLocation = endLocation
      self.stoppedAutomatically = stoppedAutomatically
      self.steps = steps
    }
  }

  /// The body of a `POST` with an ended trip in place of locations: `{"locations": [Feature]}`. `steps` is `null` without a
  /// pedometer, where Overland sends 0.
  package static func encode(_ trip: EndedTrip, _ options: Options = Options()) -> [UInt8] {
    let options = options.withoutVisits
    let capacity =
      1_024 + JSONWriter.room(for: trip.mode)
      + [trip.startLocation, trip.endLocation, trip.endLocation].reduce(0) { $0 + room(for: $1, options) }
    return JSONWriter.bytes(capacity: capacity) { writer in
      writer.put("{\"locations\":[")
      open(trip.endLocation.coordinate, trip.end, options, &writer)
      writer.put(",\"type\":\"trip\",\"mode\":")
      writer.put(string: trip.mode)
      writer.put(",\"start\":")
      write(trip.start, options, &writer)
      writer.put(",\"end\":")
      write(trip.end, options, &writer)
      writer.put(",\"start_location\":")
      write(trip.startLocation, options, 1, &writer)
      writer.put(",\"end_location\":")
      write(trip.endLocation, options, 1, &writer)
      writer.put(",\"duration\":")
      writer.put((trip.end - trip.start).seconds, places: 3)
      writer.put(",\"distance\":")
      writer.put(trip.distance, places: 1)
      writer.put(",\"stopped_automatically\":")
      if trip.stoppedAutomatically { writer.put("true") } else { writer.put("false") }
      writer.put(",\"steps\":")
      if let steps = trip.steps { writer.put(Int64(steps)) } else { writer.put("null") }
      writeDevice(trip.endLocation.device, options, &writer)
      writer.put("}}]}")
    }
  }

  /// Writes a trip in progress.
  static func write(_ trip: Trip, _ options: Options, _ count: Int, _ writer: inout JSONWriter) {
    writer.put("{\"mode\":")
    writer.put(string: trip.mode)
    writer.put(",\"start\":")
    write(trip.start, options, &writer)
    writer.put(",\"distance\":")
    writer.put(trip.distance, places: 1)
    writer.put(",\"start_location\":")
    write(trip.startLocation, options, count, &writer)
    writer.put(",\"current_location\":")
    write(trip.currentLocation, options, count, &writer)
    writer.put("}")
  }

  private static func write(_ location: Location?, _ options: Options, _ count: Int, _ writer: inout JSONWriter) {
    guard let location else { return writer.put("null") }
    write(location, options, count, &writer)
  }

  /// Writes a visit. Its location begins with the arrival and rests until the departure; a rest without a length is a visit that
  /// lasts. The time stamp is that of the event, as in Overland.
  static func writeVisit(_ visit: Location, _ options: Options, _ writer: inout JSONWriter) {
    let departure = visit.stillUntil.flatMap { $0 > visit.time ? $0 : nil }
    open(visit.coordinate, departure ?? visit.time, options, &writer)
    writer.put(",\"action\":\"visit\",\"arrival_date\":")
    write(visit.time, options, &writer)
    writer.put(",\"departure_date\":")
    if let departure { write(departure, options, &writer) } else { writer.put("null") }
    writer.put(",\"horizontal_accuracy\":")
    writer.put(visit.accuracy, places: 3)
    writeDevice(visit.device, options, &writer)
    writer.put(",\"fix_id\":")
    writer.put(visit.id)
    writer.put("}}")
  }
}
