import CordonCore
import CordonRun
import CordonSimulator

/// An evacuation in lines for people.
struct EvacuationSummary {
  private let report: EvacuationReport
  private let folder: String

  init(_ report: EvacuationReport, folder: String) {
    self.report = report
    self.folder = folder
  }

  /// Maximum number of places in the list of waits.
  private static let maximumPlaces = 5

  var text: String {
    let replicas = report.replicas.count
    var text = "\(report.title): evacuation, \(replicas) \(replicas == 1 ? "run" : "runs")\n\n"
    for figure in report.figures where figure.count > 0 { text += line(figure) }
    let exits = report.exits.filter { !$0.isClosed }
    text += "\nExits\n"
    for exit in exits {
      text += "  \(exit.name): \(plain(report.mean(of: exit))) people\n"
    }
    let waits = report.passages.filter { $0.waiting > 0 }.prefix(Self.maximumPlaces)
    if !waits.isEmpty { text += "\nLongest waits\n" }
    for item in waits {
      text +=
        "  \(item.place.kind.rawValue) \(item.place.name), floor \(item.place.floor): "
        + "\(plain(item.waiting / max(item.passed, 1e-9))) s each, at most \(plain(item.longest)) s\n"
    }
    return text + "\nNot for certification: see docs/explanation/evacuation.md.\n\(folder)/report.html\n"
  }

  private func line(_ figure: EvacuationReport.Figure) -> String {
    var value = plain(figure.mean)
    if figure.margin.isFinite, figure.margin > 0 {
      value += " (95 % confidence: \(plain(figure.low)) to \(plain(figure.high)))"
    }
    return "\(figure.title): \(value)\n"
  }

  private func plain(_ value: Double) -> String { PairedDifference.plain(value) }
}
