import ArgumentParser
import Cordon
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonMonitoring
import CordonPresence
import CordonSupport
import CordonTracking
import CordonWire
import Foundation

extension TripMode: ExpressibleByArgument {}

/// The command `cordon-track trip`.
struct TripCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trip", abstract: "Start and stop a trip.",
    discussion: """
      A trip is a time with a mode of travel. Its length is that of the positions that a sink of the kind file keeps. It ends by \
      itself 15 minutes after the last movement.

        cordon-track trip start --mode walk -c tracker.json
        cordon-track trip stop -c tracker.json
      """,
    subcommands: [TripStartCommand.self, TripStopCommand.self])
}

extension TrackerConfiguration {
  /// Informs a running tracker, which measures outside of venues during a trip whatever its mode is.
  fileprivate func noteTrip(isInProgress: Bool) {
    #if os(Linux)
      guard let path = try? storePath() else { return }
      _ = ControlSocket.ask(store: path, ControlCommand.trip(isInProgress: isInProgress).line)
    #endif
  }

  /// Lets a running tracker deliver the rows that wait, so that the file of positions has the end of the trip. Waits three seconds
  /// at most, such as when a receiver does not answer.
  fileprivate func deliverRows() async {
    #if os(Linux)
      guard let path = try? storePath() else { return }
      let clock = SystemClock()
      var command = ControlCommand.flush
      for _ in 0..<30 {
        guard let answer = ControlSocket.ask(store: path, command.line),
          let status = try? JSONReader.value(of: Array(answer.utf8)), status["on_phone"]?.integerValue ?? 0 > 0
        else { return }
        command = .status
        try? await clock.sleep(for: .milliseconds(100))
      }
    #endif
  }
}

/// The command `cordon-track trip start`.
struct TripStartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "start", abstract: "Start a trip.")

  @Option(help: ArgumentHelp("The mode of travel.", valueName: "mode"))
  var mode = TripMode.bicycle

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    let configuration = try options.load()
    let store = try configuration.storePath()
    let status = try await configuration.carryOut(.status, within: .zero)
    guard status.hasConsent else {
      throw TrackerError("no-consent", "nobody has consented to recording; cordon-track consent VERSION records it")
    }
    let trip = TripFile(mode: mode, start: SystemClock().now.wall, device: status.device)
    try trip.write(store: store)
    configuration.noteTrip(isInProgress: true)
    if !status.isRunning {
      Printer.note("cordon-track: the tracker does not run; the trip gets positions only from its start on")
    }
    let start = Instant(milliseconds: trip.start).rfc3339
    guard output.json else { return try Printer.write(lines: "trip (\(mode.rawValue)) since \(start)\n") }
    try Printer.print("track-trip-start", [.init("mode", .string(mode.rawValue)), .init("start", .string(start))])
  }
}

/// The command `cordon-track trip stop`.
struct TripStopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop the trip, and show it.")

  @Option(help: ArgumentHelp("The steps that a pedometer counted.", valueName: "count"))
  var steps: Int?

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func validate() throws {
    if let steps, steps < 0 { throw ValidationError("--steps must be 0 or more") }
  }

  func run() async throws {
    let configuration = try options.load()
    let store = try configuration.storePath()
    guard let file = try TripFile.read(store: store) else {
      throw TrackerError("no-trip", "no trip is in progress; cordon-track trip start begins one")
    }
    await configuration.deliverRows()
    let recorded = try RecordedFixes(configuration.sinks)
    let end = SystemClock().now.wall
    let trip = file.recorded(recorded.fixes, until: end, steps: steps)
    let consent = try await configuration.carryOut(.status, within: .zero).purposes
    let receivers = try TripOutbox(store: store).add(
      file, of: configuration.sinks, consent: consent, until: end, steps: steps)
    TripFile.remove(store: store)
    configuration.noteTrip(isInProgress: false)
    guard output.json else { return try Printer.write(lines: text(trip, receivers, configuration)) }
    try Printer.print("track-trip-stop", members(trip) + [.init("receivers", .integer(Int64(receivers)))])
  }

  private func text(_ trip: RecordedTrip, _ receivers: Int, _ configuration: TrackerConfiguration) -> String {
    let minutes = (Double(trip.duration) / 6_000).rounded() / 10
    let metres = Int(trip.distance.rounded())
    var text = "trip (\(trip.mode.rawValue)): \(minutes) min, \(metres) m, \(trip.fixes) positions\n"
    if trip.stoppedAutomatically { text += "it ended by itself at \(Instant(milliseconds: trip.end).rfc3339)\n" }
    if trip.fixes == 0 {
      let isEverywhere = configuration.monitor.everywhere != nil
      text += "no position was recorded\(isEverywhere ? "" : "; positions outside of the venue are not")\n"
    }
    if receivers > 0 { text += "a running tracker sends it to \(Counted.of(receivers, "Overland receiver"))\n" }
    return text
  }

  private func members(_ trip: RecordedTrip) -> [JSONValue.Member] {
    func place(_ coordinate: Coordinate?) -> JSONValue {
      coordinate.map { .array([.number($0.longitude), .number($0.latitude)]) } ?? .null
    }
    return [
      .init("mode", .string(trip.mode.rawValue)), .init("start", .string(Instant(milliseconds: trip.start).rfc3339)),
      .init("end", .string(Instant(milliseconds: trip.end).rfc3339)),
      .init("start_location", place(trip.startCoordinate)), .init("end_location", place(trip.endCoordinate)),
      .init("duration_s", .number(Double(trip.duration) / 1_000)),
      .init("distance_m", .number((trip.distance * 10).rounded() / 10)), .init("fixes", .integer(Int64(trip.fixes))),
      .init("steps", trip.steps.map { .integer(Int64($0)) } ?? .null),
      .init("stopped_automatically", .bool(trip.stoppedAutomatically)),
    ]
  }
}
