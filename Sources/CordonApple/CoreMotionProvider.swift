public import Cordon
public import CordonMonitoring
import Foundation

#if canImport(CoreMotion)
  import CoreMotion
#else
  import CordonAppleShims
#endif

/// Stillness and motion from Core Motion. The app needs `NSMotionUsageDescription`; without permission nothing is said, and
/// the monitor judges by fixes.
public struct CoreMotionProvider: MotionProvider {
  private let make: @Sendable () -> CMMotionActivityManager

  /// A provider.
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

  /// `@unchecked Sendable` holds because the manager is only told to start, once and before it is shared, and to stop,
  /// which Apple allows on any thread.
  private final class ActivityManager: @unchecked Sendable {
    let value: CMMotionActivityManager
    init(_ value: CMMotionActivityManager) { self.value = value }
  }
}
