import Cordon
import CordonCore
import CordonMonitoring
import CordonTracking

/// Reports notices and the status to standard error, without coordinates.
actor StatusReporter {
  private let monitor: ContactMonitor
  private let notices: AsyncStream<MonitorNotice>

  /// Subscribes to notices; the stream contains those after this call.
  init(_ monitor: ContactMonitor) {
    self.monitor = monitor
    notices = monitor.notices
  }

  func follow(every span: TimeSpan?) async {
    await withTaskGroup(of: Void.self) { group in
      let (monitor, notices) = (monitor, notices)
      group.addTask {
        for await notice in notices { Printer.note("cordon-track: \(notice)") }
      }
      if let span, span > .zero {
        group.addTask {
          while (try? await Task.sleep(for: .milliseconds(span.milliseconds))) != nil {
            let status = await monitor.status
            Printer.note("cordon-track: \(status.reportedSentence)" + (status.reportedRemedy.map { " -> \($0)" } ?? ""))
          }
        }
      }
    }
  }
}
