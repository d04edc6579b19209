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
        for await notice in monitor.notices { Printer.note("cordon-track: \(Teller.line(notice))") }
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

  private static func name(of sink: SinkID) -> String {
    TrackerSink.Kind.allCases.first { $0.id == sink }?.rawValue ?? "sink \(sink.number)"
  }

  private static func line(_ outcome: DeliveryOutcome) -> String {
    switch outcome {
    case .judged(let acknowledged, let quarantined, let kept, _):
      "locations: \(acknowledged) acknowledged, \(quarantined) refused, \(kept) kept"
    case .unreadable(let rows): "a batch of \(rows) locations was refused; trying fewer"
    case .unauthorized: "the token was not accepted"
    case .forbidden: "the server refuses this device"
    case .gone: "the server erased this device"
    case .failed: "no answer, or a fault of the server; trying again later"
    }
  }

  static func line(_ notice: Notice) -> String {
    switch notice {
    case .phase(let phase): "phase \(phase.rawValue)"
    case .expired(let rule, let count): "\(count) locations expired by \(rule.rawValue)"
    case .delivery(let sink, let outcome): "\(name(of: sink)): \(line(outcome))"
    case .storeFailed(let error): "the store failed: \(error.description)"
    case .inviteRefused: "the invite code was refused"
    case .activatedElsewhere(let venue): "the invite code was for another venue, \(venue)"
    case .venueChanged(let venue): "venue \(venue)"
    case .deactivated: "the device is deactivated; it needs a new invite code"
    case .erased(let device): "the server confirmed that it erased \(device)"
    }
  }
}
