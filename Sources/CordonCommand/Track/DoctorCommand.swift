import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonSupport
import CordonTracking
import Foundation

/// The command `cordon doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check a tracker: configuration, venue, receiver, store, servers.",
    discussion: """
      Example:

        cordon doctor tracker.json

      Each finding has a sentence, and a remedy where something is wrong. Changes nothing and sends no position. Exit status \
      1 when something is wrong. A sealed store is read through its running tracker, or by 'cordon track doctor'.
      """)

  @Argument(help: "The tracker's configuration, JSON.")
  var configuration: String

  @Option(help: ArgumentHelp("The time that the receiver has to report a position.", valueName: "duration"))
  var wait = DurationArgument(.seconds(10))

  @Flag(help: "Do not connect to servers.")
  var offline = false

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let file = try TrackerConfiguration(file: configuration)
    var doctor = Doctor(file, patience: wait.span)
    doctor.asksServers = !offline
    let report = DiagnosisReport(Blocking.value { [doctor] in await doctor.examine() }, schema: "cordon.doctor/1")
    try output.report(report.json, report.text)
    if report.hasFailures { throw ExitCode(CommandError.Status.findings.rawValue) }
  }
}

extension TrackerError: CommandErrorConvertible {
  var commandError: CommandError { CommandError(message, code: code, file: file, place: place) }
}

/// Waits on the main thread for what tasks do on others.
private enum Blocking {
  // `@unchecked Sendable` holds because `value` is written once, before `done` is signalled, and read after.
  private final class Box<Value: Sendable>: @unchecked Sendable { var value: Value? }

  static func value<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let (box, done) = (Box<Value>(), DispatchSemaphore(value: 0))
    Task.detached {
      box.value = await body()
      done.signal()
    }
    while true {
      done.wait()
      if let value = box.value { return value }
    }
  }
}
