#if !os(macOS)
  #if canImport(BackgroundTasks)
    import BackgroundTasks
  #else
    import CordonAppleShims
  #endif
  public import Cordon
  import CordonCore
  import Foundation

  /// Sends what waits when the operating system gives the app a moment in the background.
  ///
  /// The identifier must be listed in `BGTaskSchedulerPermittedIdentifiers`, and the background mode `fetch` be on.
  /// Register before the app has finished launching; schedule whenever it goes to the background.
  public enum BackgroundRefresh {
    /// The identifier of the task.
    public static let identifier = "cordon.refresh"

    /// Says what is to be done in such a moment. `false` when the identifier is not listed.
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

    /// Asks for the next moment.
    public static func schedule() {
      let request = BGAppRefreshTaskRequest(identifier: identifier)
      request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
      // It fails in simulators and where the person turned it off; rows then wait for the app.
      try? BGTaskScheduler.shared.submit(request)
    }

    /// `@unchecked Sendable` holds because the task is only told that it is complete, once, which Apple allows on any
    /// thread.
    private final class TaskBox: @unchecked Sendable {
      private let task: BGTask
      init(_ task: BGTask) { self.task = task }
      func complete() { task.setTaskCompleted(success: true) }
    }
  }
#endif
