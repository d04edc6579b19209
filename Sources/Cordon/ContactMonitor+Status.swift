import CordonCore
import CordonMonitoring

extension ContactMonitor {
  /// The status now, and each time that it changes: a stream of its own for each reader.
  ///
  /// A reader that is late sees the newest only. Changes within 200 ms are one, and what only time changes, such as a
  /// receiver that has fallen silent, is noticed within half a minute. The stream ends with the monitor.
  public nonisolated var statusUpdates: AsyncStream<MonitorStatus> {
    let stream = statuses.reader()
    Task { [weak self] in await self?.publishStatus(toNewReader: true) }
    return stream
  }

  /// Something may have changed that a status shows.
  func noteChange() {
    guard statuses.hasReaders, !isPublishing else { return }
    isPublishing = true
    publish(after: .milliseconds(200))
  }

  private func publish(after span: TimeSpan) {
    statusTask?.cancel()
    let clock = clock
    statusTask = Task { [weak self] in
      guard (try? await clock.sleep(for: span)) != nil else { return }
      await self?.publishStatus(toNewReader: false)
    }
  }

  private func publishStatus(toNewReader isNew: Bool) {
    isPublishing = false
    guard statuses.hasReaders else {
      lastStatus = nil
      return
    }
    let now = status
    var known = lastStatus
    known?.time = now.time
    if isNew || known != now {
      lastStatus = now
      statuses.send(now)
    }
    publish(after: .seconds(30))
  }
}
