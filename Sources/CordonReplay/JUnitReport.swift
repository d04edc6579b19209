/// The outcomes of a replay as JUnit XML for continuous integration.
public struct JUnitReport {
  private let outcomes: [ExpectationOutcome]
  private let suite: String
  private let file: String
  private let command: (String) -> String

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - outcomes: The outcome of each case.
  ///   - suite: The name of the suite.
  ///   - file: The file of expectations.
  ///   - command: Returns a command that repeats the expectation of a name.
  public init(
    _ outcomes: [ExpectationOutcome], suite: String, file: String, command: @escaping (String) -> String
  ) {
    self.outcomes = outcomes
    self.suite = suite
    self.file = file
    self.command = command
  }

  /// The document.
  public var xml: String {
    func text(_ text: String) -> String {
      var result = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": result += " "
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
    let failures = outcomes.count { !$0.isMet }
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    xml += "<testsuites><testsuite name=\"\(text(suite))\" tests=\"\(outcomes.count)\" failures=\"\(failures)\">\n"
    for outcome in outcomes {
      xml +=
        "<testcase classname=\"\(text(suite))\" name=\"\(text(outcome.name))\" file=\"\(text(file))\" line=\"\(outcome.line)\">"
      if let failure = outcome.failure {
        xml +=
          "<failure message=\"\(text(failure))\">\(text(outcome.report(file: file, command: command(outcome.name))))</failure>"
      }
      xml += "</testcase>\n"
    }
    return xml + "</testsuite></testsuites>\n"
  }
}

extension ExpectationOutcome {
  /// Returns a failure with its fix, its line and the command that repeats it.
  ///
  /// - Parameters:
  ///   - file: The file of expectations.
  ///   - command: The command that repeats this expectation.
  public func report(file: String, command: String) -> String {
    var text = "\(file):\(line): \(name): \(failure ?? "holds")"
    if let fix, let device {
      text += "; fix \(fix.index) of \(device)"
      if fix.line > 0 { text += " (\(fix.file):\(fix.line))" }
    }
    return text + "\n  repeat: \(command)"
  }
}
