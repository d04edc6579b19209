import CordonCore
package import CordonMonitoring
package import CordonSupport

/// A count of the events in each phase, which shows the coverage of a set of traces.
package struct ReplayCoverage: Hashable, Sendable {
  /// The events that a replay can produce, in the order of tables.
  package static let events = [
    "consent", "start", "stop", "venue", "invite", "region_entered", "region_exited", "fix_kept", "fix_refused", "wake",
    "flush", "answer",
  ]

  /// The number of occurrences of each event in each phase.
  package private(set) var counts: [Phase: [String: Int]] = [:]

  /// Creates an empty coverage.
  package init() {}

  mutating func note(_ phase: Phase, _ event: MonitorEvent) {
    let name: String
    switch event {
    case .consent: name = "consent"
    case .start: name = "start"
    case .stop: name = "stop"
    case .venue: name = "venue"
    case .invite: name = "invite"
    case .provider(.region(let crossing)): name = crossing == .entered ? "region_entered" : "region_exited"
    case .wake: name = "wake"
    case .flush: name = "flush"
    // A fix is counted when its verdict is known.
    default: return
    }
    note(phase, name)
  }

  mutating func note(_ phase: Phase, _ event: String) { counts[phase, default: [:]][event, default: 0] += 1 }

  /// Returns the number of occurrences of an event in a phase.
  package func count(_ phase: Phase, _ event: String) -> Int { counts[phase]?[event] ?? 0 }

  /// Adds the counts of another coverage.
  package mutating func add(_ other: ReplayCoverage) {
    for (phase, events) in other.counts {
      for (event, count) in events { counts[phase, default: [:]][event, default: 0] += count }
    }
  }

  /// The number of pairs of phase and event that occurred.
  package var reached: Int { counts.values.reduce(0) { $0 + $1.count } }

  /// The number of possible pairs.
  package static var pairs: Int { Phase.allCases.count * events.count }

  /// The pairs that occurred, as an object of phases with objects of counts.
  package var json: JSONValue {
    .object(
      Phase.allCases.compactMap { phase in
        let events = ReplayCoverage.events.compactMap { event -> JSONValue.Member? in
          let count = self.count(phase, event)
          return count > 0 ? .init(event, .integer(Int64(count))) : nil
        }
        return events.isEmpty ? nil : .init(phase.rawValue, .object(events))
      })
  }

  /// A table for people: a line for each event, a column for each phase.
  package var table: String {
    let phases = Phase.allCases
    var lines = ["| event | " + phases.map(\.rawValue).joined(separator: " | ") + " |"]
    lines.append("|---" + String(repeating: "|---", count: phases.count) + "|")
    for event in ReplayCoverage.events {
      lines.append(
        "| \(event) | "
          + phases.map { phase in
            let count = self.count(phase, event)
            return count > 0 ? String(count) : "·"
          }.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
