import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonTracking
import Foundation

/// `cordon doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Ask why a tracker has no data: its configuration, venue, receiver, store, token and servers.",
    discussion: """
      Example:

        cordon doctor tracker.json

      Each answer is a sentence, with a remedy where something is wrong. Nothing is changed, and no position is sent. Exit \
      status 1 when something is in the way. A sealed store is looked into while its tracker runs, else by \
      'cordon track doctor'.
      """)

  @Argument(help: "The tracker's configuration, JSON.")
  var configuration: String

  @Option(help: ArgumentHelp("How long the receiver may take to report a position.", valueName: "duration"))
  var wait = DurationArgument(.seconds(10))

  @Flag(help: "Ask no server.")
  var offline = false

  @OptionGroup var output: JSONOption

  func run() throws {
    let file = try TrackerConfiguration(file: configuration)
    var doctor = Doctor(file, patience: wait.span)
    doctor.asksServers = !offline
    let report = DoctorReport(Blocking.value { [doctor] in await doctor.examine() })
    try output.report(report.json, report.text)
    if report.hasFailures { throw ExitCode(1) }
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
