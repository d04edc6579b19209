public import CordonCore
public import CordonMonitoring

extension SQLiteStore {
  /// Opens a sealed file as soon as its keys are accessible.
  ///
  /// After a restart, a phone grants access to the keys only from the first unlock on. An app that the system launches
  /// earlier must wait until then.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - sealer: the sealer of the file.
  ///   - interval: the time between two attempts.
  /// - Throws: The errors of ``init(path:sealer:)``; `StoreError.Kind.locked` only if the task is cancelled.
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
