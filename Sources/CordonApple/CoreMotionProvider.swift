public import Cordon
public import CordonMonitoring
import Foundation

#if canImport(CoreMotion)
  import CoreMotion
#else
  import CordonAppleShims
#endif

/// A provider of motion from Core Motion.
///
/// The app needs `NSMotionUsageDescription`. Without permission, the provider emits nothing, and the monitor detects
/// rest from fixes.
public struct CoreMotionProvider: MotionProvider {
  private let make: @Sendable () -> CMMotionActivityManager

  /// Creates a provider.
  public init() { self.init { CMMotionActivityManager() } }

  init(manager: @escaping @Sendable () -> CMMotionActivityManager) { make = manager }

  /// See `MotionProvider.motions()`.
  public func motions() -> AsyncStream<Motion> {
    AsyncStream { continuation in
      guard CMMotionActivityManager.isActivityAvailable() else { return continuation.finish() }
      let manager = ActivityManager(make())
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      manager.value.startActivityUpdates(to: queue) { activity in
        guard let activity else { return }
        if activity.walking || activity.running || activity.cycling || activity.automotive {
          continuation.yield(.moving)
        } else if activity.stationary {
          continuation.yield(.still)
        }
      }
      continuation.onTermination = { _ in manager.value.stopActivityUpdates() }
    }
  }

  /// `@unchecked Sendable` holds because the manager is started once before it is shared, and afterwards only stopped.
  /// Apple allows that on any thread.
  private final class ActivityManager: @unchecked Sendable {
    let value: CMMotionActivityManager
    init(_ value: CMMotionActivityManager) { self.value = value }
  }
}
