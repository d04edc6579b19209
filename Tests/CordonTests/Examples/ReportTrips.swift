import Cordon
import Foundation

/// The trips of an app for an Overland receiver.
struct TripSender {
  let receiver: SinkEndpoint
  private let format: OverlandFormat

  /// - Parameters:
  ///   - url: the receiver.
  ///   - current: returns the trip in progress, with its length in metres.
  init(_ url: URL, current: @escaping @Sendable () -> (mode: String, start: Instant, distance: Double)?) {
    var format = OverlandFormat()
    format.trip = { locations in
      guard let trip = current() else { return nil }
      return (trip.mode, trip.start, trip.distance, locations.first { $0.time >= trip.start })
    }
    self.format = format
    receiver = SinkEndpoint(format, url: url)
  }

  /// Sends an ended trip with its first and last location; returns whether the receiver accepted it.
  func end(
    _ mode: String, from first: Location, to last: Location, distance: Double, over transport: any HTTPTransport
  ) async -> Bool {
    await format.report(
      tripOf: mode, from: first.time, until: last.time, distance: distance, first: first, last: last, steps: 900,
      to: receiver, over: transport)
  }
}
