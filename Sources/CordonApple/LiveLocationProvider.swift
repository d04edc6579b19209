public import Cordon
import CordonCore
import CordonGeometry
public import CordonMonitoring
import Foundation

#if canImport(CoreLocation)
  import CoreLocation
#else
  import CordonAppleShims
#endif

/// A provider of fixes from `CLLocationUpdate` and crossings from `CLMonitor`, Core Location's asynchronous interface
/// from iOS 17 on.
///
/// ``CoreLocationProvider`` does the same with `CLLocationManager` from iOS 16 on, and also reports the permission.
/// With this provider, the app requests the permission with ``LocationPermission``. A denied permission does not end
/// the stream, but no fixes arrive. The stream throws errors of Core Location, and the status shows them as
/// `provider-failed`.
@available(iOS 17, macOS 14, *)
public final class LiveLocationProvider: LocationProvider {
  private let name: String
  private let box = CommandBox()

  /// Creates a provider.
  ///
  /// - Parameter name: the name of the `CLMonitor`: one for each monitor of the app, of letters, digits and
  ///   underscores.
  public init(name: String = "cordon") { self.name = name }

  /// See `LocationProvider.perform(_:)`.
  public func perform(_ command: ProviderCommand) { box.send(command) }

  /// See `LocationProvider.events()`.
  public func events() -> AsyncThrowingStream<ProviderEvent, any Error> {
    let (events, continuation) = AsyncThrowingStream.makeStream(
      of: ProviderEvent.self, bufferingPolicy: .bufferingNewest(1_000))
    let commands = box.reader()
    let name = name
    let task = Task {
      let monitor = await CLMonitor(name)
      let run = LiveLocationRun(monitor: monitor, continuation: continuation)
      let watching = Task { await run.followCrossings() }
      for await command in commands { await run.perform(command) }
      watching.cancel()
      await run.stop()
    }
    continuation.onTermination = { _ in task.cancel() }
    return events
  }
}

/// Passes commands to the current stream.
///
/// `@unchecked Sendable` holds because `current` is accessed only with `lock` held.
private final class CommandBox: @unchecked Sendable {
  private let lock = NSLock()
  private var current: AsyncStream<ProviderCommand>.Continuation?

  func reader() -> AsyncStream<ProviderCommand> {
    let (stream, continuation) = AsyncStream.makeStream(of: ProviderCommand.self)
    lock.withLock {
      current?.finish()
      current = continuation
    }
    return stream
  }

  func send(_ command: ProviderCommand) { _ = lock.withLock { current }?.yield(command) }
}

/// One run of a ``LiveLocationProvider``, which performs the monitor's commands in their order.
@available(iOS 17, macOS 14, *)
private actor LiveLocationRun {
  private static let venue = "venue"
  private static let rest = "rest"
  private static let pause = "pause"
  private let monitor: CLMonitor
  private let continuation: AsyncThrowingStream<ProviderEvent, any Error>.Continuation
  private var positioning: Task<Void, Never>?
  private var single: Task<Void, Never>?

  init(monitor: CLMonitor, continuation: AsyncThrowingStream<ProviderEvent, any Error>.Continuation) {
    self.monitor = monitor
    self.continuation = continuation
  }

  func stop() {
    positioning?.cancel()
    single?.cancel()
  }

  func perform(_ command: ProviderCommand) async {
    switch command {
    case .startPositioning:
      if positioning == nil { positioning = follow(once: false) }
    case .stopPositioning:
      positioning?.cancel()
      positioning = nil
    case .requestFix:
      guard positioning == nil else { return }
      single?.cancel()
      single = follow(once: true)
    case .watchRegion(let fence): await watch(fence.center, fence.radius, as: Self.venue)
    case .unwatchRegion: await monitor.remove(Self.venue)
    // Smaller conditions are not detected reliably.
    case .watchWakeFence(let center, let radius): await watch(center, max(radius, 100), as: Self.rest)
    case .unwatchWakeFence: await monitor.remove(Self.rest)
    case .watchExitFence(let center, let radius): await watch(center, radius, as: Self.pause)
    case .unwatchExitFence: await monitor.remove(Self.pause)
    // The asynchronous interface has no accuracy, no visits and no significant changes; `CoreLocationProvider` has.
    case .usePolicy, .watchSignificantChanges, .unwatchSignificantChanges, .watchVisits, .unwatchVisits: break
    }
  }

  func followCrossings() async {
    do {
      for try await event in await monitor.events {
        switch (event.identifier, event.state) {
        case (Self.venue, .satisfied): continuation.yield(.region(.entered))
        case (Self.venue, .unsatisfied): continuation.yield(.region(.exited))
        case (Self.rest, .unsatisfied): continuation.yield(.leftWakeFence)
        case (Self.pause, .unsatisfied): continuation.yield(.leftExitFence)
        default: break
        }
      }
    } catch {
      if !Task.isCancelled { continuation.finish(throwing: error) }
    }
  }

  private func watch(_ center: Coordinate, _ radius: Double, as identifier: String) async {
    let condition = CLMonitor.CircularGeographicCondition(center: center.coreLocation, radius: radius)
    await monitor.add(condition, identifier: identifier)
  }

  private func follow(once: Bool) -> Task<Void, Never> {
    let continuation = continuation
    return Task {
      do {
        for try await update in CLLocationUpdate.liveUpdates() {
          guard let location = update.location else { continue }
          continuation.yield(.fix(Fix(location)))
          if once { return }
        }
      } catch {
        if !Task.isCancelled { continuation.finish(throwing: error) }
      }
    }
  }
}
