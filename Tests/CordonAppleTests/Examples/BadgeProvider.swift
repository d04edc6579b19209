import Cordon

/// Positions of an indoor positioning system that reports every badge on a network.
struct BadgeProvider: LocationProvider {
  /// One measurement: degrees, and the standard deviation of each axis in metres.
  struct Measurement: Sendable {
    var longitude: Double
    var latitude: Double
    var deviation: Double
    var time: Instant
  }

  let measurements: AsyncThrowingStream<Measurement, any Error>

  func events() -> AsyncThrowingStream<ProviderEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          continuation.yield(.permission(.always))
          for try await measured in measurements {
            let place = Coordinate(longitude: measured.longitude, latitude: measured.latitude)
            // Accuracy is the radius that holds the true position with 68 %.
            continuation.yield(.fix(Fix(coordinate: place, accuracy: measured.deviation * 1.5096, time: measured.time)))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The badge is always on, so there is nothing to switch.
  func perform(_ command: ProviderCommand) {}
}
