#if canImport(Combine)
  public import Combine

  /// The status of a monitor for SwiftUI, from iOS 16 on: `@StateObject var model = MonitorModel()`.
  @MainActor
  public final class MonitorModel: ObservableObject {
    /// The status; `nil` before the first one arrives.
    @Published public private(set) var status: MonitorStatus?

    /// Makes a model without a monitor.
    public init() {}

    /// Follows a monitor until it ends or the task is cancelled: `.task { await model.follow(monitor) }`.
    public func follow(_ monitor: ContactMonitor) async {
      for await status in monitor.statusUpdates { self.status = status }
    }
  }
#endif

#if canImport(Observation)
  public import Observation

  /// The status of a monitor for SwiftUI with Observation: `@State var model = ObservableMonitor()`.
  @available(iOS 17, macOS 14, *)
  @MainActor
  @Observable
  public final class ObservableMonitor {
    /// The status; `nil` before the first one arrives.
    public private(set) var status: MonitorStatus?

    /// Makes a model without a monitor.
    public init() {}

    /// Follows a monitor until it ends or the task is cancelled: `.task { await model.follow(monitor) }`.
    public func follow(_ monitor: ContactMonitor) async {
      for await status in monitor.statusUpdates { self.status = status }
    }
  }
#endif
