import Cordon
import CordonCore
import CordonMonitoring
import CordonTracking

/// Tells on standard error what happens, without a coordinate.
actor Teller {
  private let monitor: ContactMonitor

  init(_ monitor: ContactMonitor) { self.monitor = monitor }

  func follow(every span: TimeSpan?) async {
    await withTaskGroup(of: Void.self) { group in
      let monitor = monitor
      group.addTask {
        for await notice in monitor.notices { Printer.note("cordon-track: \(notice)") }
      }
      if let span, span > .zero {
        group.addTask {
          while (try? await Task.sleep(for: .milliseconds(span.milliseconds))) != nil {
            let status = await monitor.status
            Printer.note("cordon-track: \(status.toldSentence)" + (status.toldRemedy.map { " -> \($0)" } ?? ""))
          }
        }
      }
    }
  }
}
