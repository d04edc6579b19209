// The parts of Core Motion, Network, UIKit and Background Tasks that CordonApple uses; see CoreLocation.swift.
package import Dispatch
package import Foundation

// MARK: Core Motion

package class CMMotionActivity: NSObject {
  package let stationary: Bool
  package let walking: Bool
  package let running: Bool
  package let cycling: Bool
  package let automotive: Bool
  package init(
    stationary: Bool = false, walking: Bool = false, running: Bool = false, cycling: Bool = false,
    automotive: Bool = false
  ) {
    self.stationary = stationary
    self.walking = walking
    self.running = running
    self.cycling = cycling
    self.automotive = automotive
  }
}

package typealias CMMotionActivityHandler = (CMMotionActivity?) -> Void

package class CMMotionActivityManager: NSObject {
  package private(set) var handler: CMMotionActivityHandler?
  package override init() {}
  package class func isActivityAvailable() -> Bool { true }
  package func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {
    self.handler = handler
  }
  package func stopActivityUpdates() { handler = nil }
}

// MARK: Network

package struct NWPath: Sendable {
  package enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  package var status: Status
  package var isExpensive: Bool
  package var isConstrained: Bool
  package init(status: Status, isExpensive: Bool = false, isConstrained: Bool = false) {
    self.status = status
    self.isExpensive = isExpensive
    self.isConstrained = isConstrained
  }
}

// `@unchecked Sendable` holds because a test moves it from one thread.
package final class NWPathMonitor: @unchecked Sendable {
  package var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  package init() {}
  package func start(queue: DispatchQueue) {}
  package func cancel() { pathUpdateHandler = nil }
}

// MARK: UIKit

package enum UIBackgroundRefreshStatus: Int, Sendable { case restricted, denied, available }

@MainActor package class UIApplication: NSObject {
  package static let shared = UIApplication()
  package var backgroundRefreshStatus = UIBackgroundRefreshStatus.available
  package nonisolated static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")
  package nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  package nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
}

@MainActor package class UIDevice: NSObject {
  package enum BatteryState: Int, Sendable { case unknown, unplugged, charging, full }
  package static let current = UIDevice()
  package var isBatteryMonitoringEnabled = false
  package var batteryLevel: Float = -1
  package var batteryState = BatteryState.unknown
  package nonisolated static let batteryStateDidChangeNotification = Notification.Name("UIDeviceBatteryStateDidChange")
  package nonisolated static let batteryLevelDidChangeNotification = Notification.Name("UIDeviceBatteryLevelDidChange")
}

extension Notification.Name {
  package static let NSProcessInfoPowerStateDidChange = Notification.Name("NSProcessInfoPowerStateDidChange")
}

extension ProcessInfo {
  package var isLowPowerModeEnabled: Bool { false }
}

// MARK: Background Tasks

package class BGTask: NSObject {
  package let identifier: String
  package var expirationHandler: (() -> Void)?
  package private(set) var isSuccessful: Bool?
  package init(identifier: String) { self.identifier = identifier }
  package func setTaskCompleted(success: Bool) { isSuccessful = success }
}

package class BGTaskRequest: NSObject {
  package let identifier: String
  package var earliestBeginDate: Date?
  init(identifier: String) { self.identifier = identifier }
}

package class BGAppRefreshTaskRequest: BGTaskRequest {
  package override init(identifier: String) { super.init(identifier: identifier) }
}

// `@unchecked Sendable` holds because a test moves it from one thread.
package class BGTaskScheduler: NSObject, @unchecked Sendable {
  package static let shared = BGTaskScheduler()
  package private(set) var handlers: [String: (BGTask) -> Void] = [:]
  package private(set) var requests: [BGTaskRequest] = []
  package func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    handlers[identifier] = launchHandler
    return true
  }
  package func submit(_ request: BGTaskRequest) throws { requests.append(request) }
}
