#if !os(macOS)
  #if canImport(UIKit)
    import UIKit
  #else
    import CordonAppleShims
  #endif
  public import Cordon
  import Foundation

  /// The power state of an iPhone or iPad.
  public struct BatteryPowerProvider: PowerProvider {
    /// Creates a provider.
    public init() {}

    /// See `PowerProvider.powers()`.
    public func powers() -> AsyncStream<PowerState> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let task = Task { @MainActor in
          UIDevice.current.isBatteryMonitoringEnabled = true
          continuation.yield(BatteryPowerProvider.state)
          let center = NotificationCenter.default
          let names: [Notification.Name] = [
            UIDevice.batteryStateDidChangeNotification, UIDevice.batteryLevelDidChangeNotification,
            .NSProcessInfoPowerStateDidChange,
          ]
          let tokens = names.map { name in
            Observation(
              center.addObserver(forName: name, object: nil, queue: .main) { _ in
                MainActor.assumeIsolated { _ = continuation.yield(BatteryPowerProvider.state) }
              })
          }
          // Until the reader stops.
          while (try? await Task.sleep(nanoseconds: 3_600_000_000_000)) != nil {}
          for token in tokens { center.removeObserver(token.value) }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }

    @MainActor private static var state: PowerState {
      let device = UIDevice.current
      return PowerState(
        level: device.batteryLevel >= 0 ? Double(device.batteryLevel) : nil,
        isExternal: device.batteryState == .charging || device.batteryState == .full,
        savesPower: ProcessInfo.processInfo.isLowPowerModeEnabled)
    }

    /// The token of a notification observer.
    private struct Observation {
      let value: any NSObjectProtocol
      init(_ value: any NSObjectProtocol) { self.value = value }
    }
  }
#endif
