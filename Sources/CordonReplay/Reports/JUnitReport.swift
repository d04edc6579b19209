import CordonCore
import CordonSupport

/// The outcomes of replays as the XML that continuous integration reads: a suite for each trace.
///
/// Jenkins and GitLab show suites by name, and cases by class and name. The suite is named by the trace, the class by the
/// venue, the case by the expectation. One replay serves all cases of a suite, which share its time equally.
package struct JUnitReport {
  /// A trace with its expectations.
  package struct Suite {
    /// The trace.
    package var name: String
    /// The venue.
    package var className: String
    /// The file of expectations.
    package var file: String
    /// How long the replay took.
    package var seconds: Double
    /// What became of each case.
    package var outcomes: [ExpectationOutcome]
    /// Why the trace could not be replayed; `nil` when it was.
    package var error: String?
    /// A command that repeats one expectation, by its name.
    package var command: (String) -> String

    /// A suite.
    package init(
      name: String, className: String, file: String, seconds: Double, outcomes: [ExpectationOutcome] = [],
      error: String? = nil, command: @escaping (String) -> String
    ) {
      self.name = name
      self.className = className
      self.file = file
      self.seconds = seconds
      self.outcomes = outcomes
      self.error = error
      self.command = command
    }

    fileprivate var tests: Int { outcomes.count + errors }
    fileprivate var failures: Int { outcomes.count { !$0.isMet } }
    fileprivate var errors: Int { error == nil ? 0 : 1 }
  }

  private let suites: [Suite]

  /// A report.
  package init(_ suites: [Suite]) { self.suites = suites }

  /// The document.
  package var xml: String {
    var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cordon replay\" "
    xml += Self.counts(
      suites.reduce(0) { $0 + $1.tests }, suites.reduce(0) { $0 + $1.failures }, suites.reduce(0) { $0 + $1.errors },
      suites.reduce(0) { $0 + $1.seconds })
    xml += ">\n"
    for suite in suites { xml += Self.xml(of: suite) }
    return xml + "</testsuites>\n"
  }

  private static func xml(of suite: Suite) -> String {
    // A dot would make a package of what is before it.
    let className = suite.className.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "_")
    let seconds = suite.seconds / Double(max(suite.tests, 1))
    func head(_ name: String, line: Int) -> String {
      "<testcase classname=\"\(MarkupText.escaped(className))\" name=\"\(MarkupText.escaped(name))\" time=\"\(time(seconds))\" "
        + "file=\"\(MarkupText.escaped(suite.file))\" line=\"\(line)\">"
    }
    var xml = "<testsuite name=\"\(MarkupText.escaped(suite.name))\" "
    xml += counts(suite.tests, suite.failures, suite.errors, suite.seconds) + ">\n"
    if let error = suite.error.map(MarkupText.escaped) {
      xml += head("replay", line: 1) + "<error message=\"\(error)\">\(error)</error></testcase>\n"
    }
    for outcome in suite.outcomes {
      xml += head(outcome.name, line: outcome.line)
      if let failure = outcome.failure {
        let report = outcome.report(file: suite.file, command: suite.command(outcome.name))
        xml += "<failure message=\"\(MarkupText.escaped(failure))\">\(MarkupText.escaped(report))</failure>"
      }
      xml += "</testcase>\n"
    }
    return xml + "</testsuite>\n"
  }

  private static func counts(_ tests: Int, _ failures: Int, _ errors: Int, _ seconds: Double) -> String {
    "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"0\" time=\"\(time(seconds))\""
  }

  /// Seconds with six decimals, so that shares of a second add up.
  private static func time(_ seconds: Double) -> String {
    let micros = seconds.isFinite ? Int64(min(max(seconds, 0), 1e9) * 1e6) : 0
    let rest = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }
}

extension ExpectationOutcome {
  /// A failure with its fix, its line and the command that repeats it.
  package func report(file: String, command: String) -> String {
    var text = "\(file):\(line): \(name): \(failure ?? "holds")"
    if let fix, let device {
      text += "; fix \(fix.index) of \(device)"
      if fix.line > 0 { text += " (\(fix.file):\(fix.line))" }
    }
    return text + "\n  repeat: \(command)"
  }
}
