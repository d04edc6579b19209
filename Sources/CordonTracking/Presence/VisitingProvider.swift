package import Cordon
package import CordonCore
package import CordonMonitoring
import CordonPresence
import Foundation

/// A provider for systems that report no visits, such as Linux with gpsd: it finds them in the fixes of another provider.
///
/// It passes on all events of that provider. While visits are watched, it adds an event for each arrival and each departure, as
/// iOS does. A visit that began before they were watched begins with the first fix since; one after a gap with the first fix after
/// it. Positions that software made show no visits.
package struct VisitingProvider<Base: LocationProvider>: LocationProvider {
  private let base: Base
  private let watch: VisitWatch

  /// Adds visits to the events of a provider.
  /// - Parameters:
  ///   - base: the provider of fixes.
  ///   - now: returns the present time; fixes from before visits were watched are left out.
  package init(_ base: Base, now: @escaping @Sendable () -> Instant = { SystemClock().now.wall }) {
    self.base = base
    watch = VisitWatch(now: now)
  }

  /// See `LocationProvider.issues`.
  package var issues: [MonitorIssue] { base.issues }

  /// See `LocationProvider.perform(_:)`.
  package func perform(_ command: ProviderCommand) {
    switch command {
    case .watchVisits: watch.begin()
    case .unwatchVisits: watch.end()
    default: break
    }
    base.perform(command)
  }

  /// See `LocationProvider.events()`.
  package func events() -> AsyncThrowingStream<ProviderEvent, any Error> {
    let events = base.events()
    let (stream, continuation) = AsyncThrowingStream<ProviderEvent, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1_000))
    let task = Task { [watch] in
      do {
        for try await event in events {
          continuation.yield(event)
          guard case .fix(let fix) = event else { continue }
          for visit in watch.visits(after: fix) { continuation.yield(.visit(visit)) }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

/// The state of a ``VisitingProvider``.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
private final class VisitWatch: @unchecked Sendable {
  private let now: @Sendable () -> Instant
  private let lock = NSLock()
  /// `nil` while visits are not watched.
  private var detector: VisitDetector?
  private var start = Instant(milliseconds: .max)

  init(now: @escaping @Sendable () -> Instant) { self.now = now }

  func begin() {
    lock.withLock {
      // A repeated command changes nothing.
      guard detector == nil else { return }
      detector = VisitDetector()
      start = now()
    }
  }

  func end() { lock.withLock { detector = nil } }

  /// Returns the arrivals and departures that a fix shows.
  func visits(after fix: Fix) -> [Visit] {
    lock.withLock {
      guard !fix.isMocked, fix.time >= start, let events = detector?.add(PresenceFix(fix)) else { return [] }
      return events.map { event in
        switch event {
        case .arrival(let visit): VisitWatch.visit(visit, departure: nil, fix)
        case .departure(let visit): VisitWatch.visit(visit, departure: Instant(milliseconds: visit.departure), fix)
        }
      }
    }
  }

  private static func visit(_ visit: PresenceVisit, departure: Instant?, _ fix: Fix) -> Visit {
    // The mean of several fixes is not worse than one of them.
    let accuracy = fix.accuracy.flatMap { $0 > 0 ? $0 : nil } ?? 30
    return Visit(
      coordinate: visit.coordinate, accuracy: accuracy, arrival: Instant(milliseconds: visit.arrival),
      departure: departure)
  }
}
