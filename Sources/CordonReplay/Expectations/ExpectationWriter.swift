import CordonCore
import CordonMonitoring
import CordonSupport

extension ReplayResult {
  /// Returns a file of expectations that this replay meets, for review.
  package func recordedExpectations() -> String {
    let visits = ReplayVisits(self)
    var text = "# Recorded from a replay. Review it: it says what happened, not what should happen.\n"
    text += "schema: cordon.expect/1\ndevices:\n"
    for device in devices {
      let counts = device.accounting
      text += "  \(Self.quoted(device.name)):\n"
      text += "    fixes: \(counts.fixes)\n    stored: \(counts.stored)\n    thinned: \(counts.thinned)\n"
      let refused = RefusalReason.allCases.filter { counts[$0] > 0 }.map { "\($0.rawValue): \(counts[$0])" }
      if !refused.isEmpty { text += "    refused: {\(refused.joined(separator: ", "))}\n" }
      for (word, list) in [("enter", visits.entries), ("exit", visits.exits)] {
        let times = (list[device.name] ?? []).map { $0.time.rfc3339 }
        text += "    \(word): [\(times.joined(separator: ", "))]\n"
      }
      text += "    within: 1s\n"
      let spaces = (visits.spaces[device.name] ?? []).map { Self.quoted($0.space.rawValue) }
      text += "    spaces: [\(spaces.joined(separator: ", "))]\n"
    }
    var sums: [[String]: Double] = [:]
    for contact in contacts { sums[contact.devices.sorted(), default: 0] += contact.seconds }
    if !sums.isEmpty {
      text += "contacts:\n"
      for pair in sums.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let names = pair.map(Self.quoted).joined(separator: ", ")
        text += "  - {between: [\(names)], seconds: \(Decision.number(sums[pair] ?? 0)), within: 1s}\n"
      }
    }
    return text + "contact_count: \(contacts.count)\nstored_outside: \(storedOutside.count)\n"
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).text() }
}
