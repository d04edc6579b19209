public import CordonCore
public import CordonMonitoring

extension SQLiteStore {
  /// Opens a sealed file as soon as its keys are to be had: a phone that was started anew has them only after its first
  /// unlocking, and an app that the system woke before that has to wait.
  ///
  /// - Parameters:
  ///   - interval: how long to wait between two attempts.
  ///   - path: the path of the file.
  ///   - sealer: what seals it; `nil` for a readable file.
  /// - Throws: what ``init(path:sealer:)`` throws, except that it is locked; that too when the task was cancelled.
  public static func whenUnlocked(
    path: String, sealer: any Sealer, retryingEvery interval: TimeSpan = .seconds(5)
  ) async throws(StoreError) -> sending SQLiteStore {
    while true {
      do throws(StoreError) {
        return try SQLiteStore(path: path, sealer: sealer)
      } catch {
        guard error.kind == .locked, !Task.isCancelled else { throw error }
        try? await Task.sleep(nanoseconds: UInt64(max(1, interval.milliseconds)) * 1_000_000)
      }
    }
  }
}
