import CordonCore
import CordonMonitoring

extension ContactMonitor {
  /// The current status, and each change of it: a separate stream for each reader.
  ///
  /// A slow reader gets only the newest. Changes within 200 ms are merged. Changes that only time causes, such as a
  /// silent receiver, appear within half a minute. The stream ends with the monitor.
  public nonisolated var statusUpdates: AsyncStream<MonitorStatus> {
    let stream = statuses.reader()
    Task { [weak self] in await self?.publishStatus(toNewReader: true) }
    return stream
  }

  /// Schedules an update after a possible change of the status.
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
