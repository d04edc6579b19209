import ArgumentParser
import Cordon
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonSupport
import CordonTracking
import Foundation

/// The command `cordon-track consents`.
struct ConsentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consents", abstract: "Show, grant or revoke what a health platform may receive.",
    discussion: """
      The decision is about the type of data of one sink, for all studies of the person. Revoking stops the sink at once, \
      removes its queue, and informs the platform until it confirms. Example:

        cordon-track consents -c tracker.json
        cordon-track consents --revoke --sink-number 5 -c tracker.json
      """)

  /// The decision.
  struct Decision: ParsableArguments {
    @Flag(help: "Grant the type of data of the sink.")
    var grant = false

    @Flag(help: "Revoke the type of data of the sink.")
    var revoke = false

    @Option(
      name: .customLong("sink-number"),
      help: ArgumentHelp("The number of the sink. (default: the only one)", valueName: "number"))
    var sink: UInt8?
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Decision") var decision: Decision
  @OptionGroup(title: "Output") var output: JSONOption

  func validate() throws {
    if decision.grant, decision.revoke { throw ValidationError("--grant and --revoke exclude each other") }
  }

  func run() async throws {
    let configuration = try options.load()
    let store = try configuration.storePath()
    let sink = try configuration.sink(decision.sink, "a FHIR server") { $0.target != nil }
    guard let target = sink.target, let client = try configuration.consentClient(of: sink) else { return }
    let consents = TrackerConsents(store: store)
    if decision.revoke { return try await revoke(sink, target, client, consents, configuration) }
    let platform: PlatformConsents
    if decision.grant {
      platform = try await client.decide(true, target.dataType)
      var ledger = try consents.read()
      let wasRevoked = ledger.isRevoked(sink.id.number)
      ledger.record(entry(sink, target, isGranted: true, platform, isConfirmed: true))
      try consents.write(ledger)
      if wasRevoked { Printer.note("cordon-track: restart the tracker, so that it sends this type of data again") }
    } else {
      platform = try await client.fetch()
    }
    try show(platform, target)
  }

  /// Takes effect on this machine first, whether or not the platform can be reached.
  private func revoke(
    _ sink: TrackerSink, _ target: FHIRTarget, _ client: ConsentClient, _ consents: TrackerConsents,
    _ configuration: TrackerConfiguration
  ) async throws {
    let platform = try? await client.fetch()
    var ledger = try consents.read()
    ledger.record(entry(sink, target, isGranted: false, platform, isConfirmed: false))
    try consents.write(ledger)
    _ = try await configuration.carryOut(.discard(sink: sink.id.number), within: .zero)
    for remark in try await consents.report({ $0 == sink.id.number ? client : nil }) {
      Printer.note("cordon-track: \(remark); the tracker repeats it")
    }
    if let platform = try? await client.fetch() { try show(platform, target) }
  }

  private func entry(
    _ sink: TrackerSink, _ target: FHIRTarget, isGranted: Bool, _ platform: PlatformConsents?, isConfirmed: Bool
  ) -> ConsentLedger.Entry {
    ConsentLedger.Entry(
      sink: sink.id.number, type: target.dataType, isGranted: isGranted,
      text: platform?.lines(about: target.dataType).joined(separator: "\n") ?? "", time: SystemClock().now.wall,
      isConfirmed: isConfirmed)
  }

  private func show(_ platform: PlatformConsents, _ target: FHIRTarget) throws {
    guard output.json else {
      let lines = platform.lines()
      return try Printer.write(
        lines: lines.isEmpty ? "The person takes part in no study.\n" : lines.joined(separator: "\n") + "\n")
    }
    let scopes = platform.studies.flatMap { study in
      study.scopes.map { scope -> JSONValue in
        [
          "study": .integer(study.id), "name": .string(study.name), "system": .string(scope.system),
          "code": .string(scope.code), "text": .string(scope.text),
          "granted": scope.isGranted.map(JSONValue.bool) ?? .null,
          "time_ms": scope.time.map { .integer($0.milliseconds) } ?? .null,
        ]
      }
    }
    try Printer.print(
      "track-consents",
      [
        .init("type", .string(target.dataType.code)), .init("granted", .bool(platform.isGranted(target.dataType))),
        .init("scopes", .array(scopes)),
      ])
  }
}
