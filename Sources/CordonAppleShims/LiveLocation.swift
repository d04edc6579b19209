// The part of Core Location's asynchronous interface that CordonApple uses; see CoreLocation.swift. Tests control one
// puppet for all.
import Foundation

/// The state that tests control.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
package final class LiveLocationPuppet: @unchecked Sendable {
  package static let shared = LiveLocationPuppet()
  private let lock = NSLock()
  private var updates: [AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation] = []
  private var watched: [String] = []
  package let crossings = AsyncThrowingStream.makeStream(of: CLMonitor.Event.self)

  /// The watched conditions.
  package var conditions: [String] { lock.withLock { watched.sorted() } }
  /// The number of streams of updates so far.
  package var streams: Int { lock.withLock { updates.count } }

  package func deliver(_ update: CLLocationUpdate) { for stream in lock.withLock({ updates }) { stream.yield(update) } }
  package func fail(_ error: any Error) { for stream in lock.withLock({ updates }) { stream.finish(throwing: error) } }

  func add(_ stream: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation) {
    lock.withLock { updates.append(stream) }
  }
  func watch(_ identifier: String) { lock.withLock { watched.append(identifier) } }
  func unwatch(_ identifier: String) { lock.withLock { watched.removeAll { $0 == identifier } } }
}

// `@unchecked Sendable` holds because a location does not change.
package struct CLLocationUpdate: @unchecked Sendable {
  package let location: CLLocation?
  package init(location: CLLocation?) { self.location = location }

  package static func liveUpdates() -> AsyncThrowingStream<CLLocationUpdate, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: CLLocationUpdate.self)
    LiveLocationPuppet.shared.add(continuation)
    return stream
  }
}

package actor CLMonitor {
  package struct CircularGeographicCondition: Sendable {
    package let center: CLLocationCoordinate2D
    package let radius: CLLocationDistance
    package init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }
  }

  package struct Event: Sendable {
    package enum State: Sendable { case unknown, satisfied, unsatisfied, unmonitored }
    package let identifier: String
    package let state: State
    package init(identifier: String, state: State) {
      self.identifier = identifier
      self.state = state
    }
  }

  package let name: String
  package init(_ name: String) async { self.name = name }
  package var events: AsyncThrowingStream<Event, any Error> { LiveLocationPuppet.shared.crossings.stream }
  package func add(_ condition: CircularGeographicCondition, identifier: String) {
    LiveLocationPuppet.shared.watch(identifier)
  }
  package func remove(_ identifier: String) { LiveLocationPuppet.shared.unwatch(identifier) }
}
