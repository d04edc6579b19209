import CordonCore
import CordonSupport

/// The command, the parameters and the inputs of the run.
struct ReportRepeat {
  let contents: RunContents

  var html: String {
    let parameters = contents.parameters
    var rows: [(String, String)] = [
      ("seed", String(parameters.seed)), ("start", parameters.start.rfc3339),
      ("duration", parameters.duration.description),
      ("contact distance", "\(WarningSentence.plain(parameters.contactDistance)) m"),
      ("maximum time between joined fixes", parameters.maximumGap.description),
      ("contact duration that triggers a warning", parameters.warningThreshold.description),
      ("length of a bin of time", parameters.occupancyBin.description),
    ]
    // Sentences are at the top of the page.
    rows += parameters.others.filter { !["notes", "connectivity", "title"].contains($0.name) }.map {
      (ReportRepeat.names[$0.name] ?? $0.name.replacing("_", with: " "), ReportRepeat.text($0.value))
    }
    rows += [
      ("venue", "\(contents.venue.id) (\(contents.venue.format))"),
      ("venue contents, SHA-256", contents.venue.contentHash),
    ]
    rows += contents.inputs.map { ("\($0.role), SHA-256", "\($0.name): \($0.sha256)") }
    rows.append(("Cordon", parameters.version))
    let table = rows.map { row in
      "<tr><th scope=\"row\">\(HTMLText.escaped(row.0))</th><td class=\"id\">\(HTMLText.escaped(row.1))</td></tr>"
    }
    let command = parameters.command.isEmpty ? "" : "<pre><code>\(shellLine)</code></pre>"
    return
      "\(command)<details><summary>Parameters and inputs</summary><table><tbody>\(table.joined())</tbody></table></details>"
  }

  /// The command with its words quoted for a POSIX shell, and a folder for the results. Lines break only between words.
  private var shellLine: String {
    let words = contents.parameters.command.map(ReportRepeat.quoted) + ["-o", "DIR"]
    return words.map { "<span>\(HTMLText.escaped($0))</span>" }.joined(separator: " ")
  }

  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_./:=,+@%".utf8.contains(byte)
        }
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// The names of parameters for readers.
  private static let names = [
    "fix_interval_s": "time between fixes, seconds", "phones": "positioning error preset",
    "boundary": "outline of the venue",
    "movement": "movement model", "map_graph": "navigation graph of the map",
    "device_share": "share of people with a phone",
    "made_from": "made from", "trace_format": "format of the trace",
  ]

  private static func text(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    return value.text()
  }
}
