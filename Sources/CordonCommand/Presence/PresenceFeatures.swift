import CordonCore
import CordonPresence
import CordonSupport

/// Visits and trips as GeoJSON, in the words of the Overland receiver API: `action: visit` and `type: trip`.
struct PresenceFeatures {
  private let result: PresenceResult

  init(_ result: PresenceResult) { self.result = result }

  /// The collection, by time.
  var text: String {
    let visits = result.report.visits.map { (time: $0.arrival, feature: visit($0)) }
    let trips = result.report.trips.map { (time: $0.start, feature: trip($0)) }
    let all = visits + trips
    let order = all.indices.sorted { (all[$0].time, $0) < (all[$1].time, $1) }
    let collection: JSONValue = [
      "type": "FeatureCollection", "features": .array(order.map { all[$0].feature }),
    ]
    return collection.text() + "\n"
  }

  private func date(_ time: Int64) -> JSONValue { .string(Instant(milliseconds: time).rfc3339) }

  private func feature(_ coordinate: Coordinate, _ properties: [JSONValue.Member]) -> JSONValue {
    [
      "type": "Feature", "geometry": ["type": "Point", "coordinates": coordinate.rounded.json],
      "properties": .object(properties),
    ]
  }

  /// Dates that were not seen are `null`, as in a visit that goes on.
  private func visit(_ visit: PresenceVisit) -> JSONValue {
    feature(
      visit.coordinate,
      [
        .init("action", "visit"), .init("timestamp", date(visit.departure)),
        .init("arrival_date", visit.isArrivalKnown ? date(visit.arrival) : .null),
        .init("departure_date", visit.isDepartureKnown ? date(visit.departure) : .null),
        .init("place", JSONValue(result.definition.name(of: visit.place))),
        .init("dwell", .number(Double(visit.dwell) / 1_000)),
      ])
  }

  private func trip(_ trip: PresenceTrip) -> JSONValue {
    func end(_ coordinate: Coordinate, _ time: Int64) -> JSONValue {
      feature(coordinate, [.init("timestamp", date(time))])
    }
    return feature(
      trip.endCoordinate,
      [
        .init("type", "trip"), .init("timestamp", date(trip.end)), .init("start", date(trip.start)),
        .init("end", date(trip.end)), .init("start_location", end(trip.startCoordinate, trip.start)),
        .init("end_location", end(trip.endCoordinate, trip.end)),
        .init("duration", .number(Double(trip.duration) / 1_000)), .init("distance", .rounded(trip.distance, 1)),
        .init("stopped_automatically", true),
      ])
  }
}
