import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonForms
import CordonSharing
import CordonSupport
import Foundation
import NIOConcurrencyHelpers

/// The command `cordon-server form receive`.
struct FormReceiveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive",
    abstract: "Receive records of a form from a device on the LAN.",
    discussion: """
      Examples:

        cordon form receive screening.json -o records.jsonl
        cordon form receive screening.json --from 192.0.2.7:4711 -o records.jsonl

      The other device runs 'cordon form share'. Records that the file has already stay; new ones are added once. Two \
      changes of the same record stay side by side, as a conflict that a person solves. Nothing is stored unless all of \
      it was received and checked.
      """)

  @OptionGroup(title: "Input") var input: SharedForm

  @Option(
    help: ArgumentHelp("The address of the other device. (default: found by DNS-SD)", valueName: "host:port"))
  var from: HostAndPort?

  @Option(help: ArgumentHelp("The name of the other device, if several share.", valueName: "name"))
  var name: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file of records, JSON lines; an existing one is extended.", valueName: "file"))
  var output: String

  @OptionGroup(title: "Output") var report: JSONOption

  /// Maximum number of conflicts in the text for people.
  private static let shown = 20

  func validate() throws {
    if from != nil, name != nil { throw ValidationError("--from and --name exclude each other") }
    guard output != "-", !output.lowercased().hasSuffix(".gz") else {
      throw ValidationError("-o: a file that is not compressed")
    }
  }

  func run() async throws {
    let form = try ShareFiles.form(input.form)
    var known = FormRecords()
    if FileManager.default.fileExists(atPath: output) { try ShareFiles.add(output, to: &known, form: form) }
    let place = try from ?? found()
    let (records, counts) = try await receive(form, known, from: place)
    let conflicts = ShareFiles.conflicts(records)
    try report.report(
      [
        "schema": "cordon.form-receive/1", "form": .string(form.id), "output": .string(output),
        "stored": JSONValue(counts.stored), "known": JSONValue(counts.known), "erased": JSONValue(counts.erased),
        "conflicts": .array(
          conflicts.map { ["record": .string($0.record), "fields": .array($0.fields.map(JSONValue.string))] }),
      ], text(counts, conflicts))
  }

  private func text(_ counts: ShareResult.Counts, _ conflicts: [(record: String, fields: [String])]) -> String {
    var lines = [
      "\(output): \(Counted.of(counts.stored, "new revision")), \(counts.known) known, "
        + "\(Counted.of(counts.erased, "erased record")), \(Counted.of(conflicts.count, "conflict"))"
    ]
    lines += conflicts.prefix(Self.shown).map { "  conflict in \($0.record): \($0.fields.joined(separator: ", "))" }
    if conflicts.count > Self.shown { lines.append("  and \(conflicts.count - Self.shown) more; --json lists all") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The device that DNS-SD finds, if it is the only one or has the name.
  private func found() throws -> HostAndPort {
    guard let services = ShareDiscovery.services() else {
      throw CommandError(
        "DNS-SD needs avahi-browse and a running avahi; or give --from HOST:PORT", code: "no-discovery")
    }
    let fitting = services.filter { name == nil || $0.name == name }
    guard let first = fitting.first else {
      let names = services.map { "'\($0.name)'" }.joined(separator: ", ")
      throw CommandError(
        services.isEmpty ? "no device on the LAN shares records" : "no device has that name; there are \(names)",
        code: "not-found")
    }
    guard fitting.count == 1 else {
      let names = fitting.map { "'\($0.name)'" }.joined(separator: ", ")
      throw CommandError("several devices share records: \(names); choose one with --name", code: "ambiguous")
    }
    StandardOutput.note("\(first.name) at \(first.host), port \(first.port)\n")
    return HostAndPort(first)
  }

  private func receive(
    _ form: Form, _ known: FormRecords, from place: HostAndPort
  ) async throws -> (FormRecords, ShareResult.Counts) {
    let identity = ShareIdentity()
    let path = output
    let stored = NIOLockedValueBox(known)
    let conversation = ShareConversation(
      ask: { await SharePrompt.code(of: "sharer", own: $0) },
      store: { received in
        let result = ShareResult(known: known, received: received)
        // The file appears under its name when it is whole.
        _ = try OutputFile.write(Array(result.records.lines.utf8), to: path, replaces: true)
        stored.withLockedValue { $0 = result.records }
        return result.counts
      })
    do {
      let connection = try await ShareLink(identity: identity).connect(host: place.host, port: place.port)
      let counts = try await conversation.run(connection) { peer in
        ShareSession(receiving: form, identity: identity, peer: peer, nonce: Self.nonce())
      }
      return (stored.withLockedValue { $0 }, counts)
    } catch {
      throw CommandError(connection: error)
    }
  }

  /// 32 bytes from the random source of the system.
  static func nonce() -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &source) }
  }
}

extension HostAndPort {
  init(_ service: ShareService) { (host, port) = (service.host, service.port) }
}
