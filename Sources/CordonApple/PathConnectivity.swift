public import Cordon
public import CordonMonitoring
import Dispatch

#if canImport(Network)
  import Network
#else
  import CordonAppleShims
#endif

/// The kind of network from Apple's Network framework. An expensive path, or one in low data mode, counts as metered.
public struct PathConnectivity: Connectivity {
  private let make: @Sendable () -> NWPathMonitor

  /// Creates a provider.
  public init() { self.init { NWPathMonitor() } }

  init(monitor: @escaping @Sendable () -> NWPathMonitor) { make = monitor }

  /// See `Connectivity.networks()`.
  public func networks() -> AsyncStream<NetworkState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let monitor = make()
      monitor.pathUpdateHandler = { path in
        if path.status != .satisfied {
          continuation.yield(.none)
        } else {
          continuation.yield(path.isExpensive || path.isConstrained ? .metered : .unmetered)
        }
      }
      continuation.onTermination = { _ in monitor.cancel() }
      monitor.start(queue: DispatchQueue(label: "cordon.connectivity"))
    }
  }
}
