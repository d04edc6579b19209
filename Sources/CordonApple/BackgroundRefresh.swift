#if !os(macOS)
  #if canImport(BackgroundTasks)
    import BackgroundTasks
  #else
    import CordonAppleShims
  #endif
  public import Cordon
  import CordonCore
  import Foundation

  /// Uploads waiting rows when the operating system grants the app background time.
  ///
  /// The identifier must be listed in `BGTaskSchedulerPermittedIdentifiers`, and the background mode `fetch` must be
  /// on. Register before the app finishes launching; schedule whenever it enters the background.
  public enum BackgroundRefresh {
    /// The identifier of the task.
    public static let identifier = "cordon.refresh"

    /// Registers the task, which wakes the monitor and uploads for at most 20 seconds. Returns `false` if the
    /// identifier is not listed.
    @discardableResult
    public static func register(_ monitor: @escaping @Sendable () async -> ContactMonitor?) -> Bool {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
        schedule()
        let box = TaskBox(task)
        let work = Task {
          if let monitor = await monitor() {
            await monitor.wake()
            await monitor.drain(within: .seconds(20))
          }
          box.complete()
        }
        task.expirationHandler = { work.cancel() }
      }
    }

    /// Requests background time in 15 minutes at the earliest.
    public static func schedule() {
      let request = BGAppRefreshTaskRequest(identifier: identifier)
      request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
      // Fails in simulators and where the person turned it off; rows then wait for the app.
      try? BGTaskScheduler.shared.submit(request)
    }

    /// `@unchecked Sendable` holds because the task is only completed, once, and Apple allows that on any thread.
    private final class TaskBox: @unchecked Sendable {
      private let task: BGTask
      init(_ task: BGTask) { self.task = task }
      func complete() { task.setTaskCompleted(success: true) }
    }
  }
#endif
