import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonForms
import CordonSharing
import CordonSupport
import NIOConcurrencyHelpers
import NIOCore

/// The command `cordon-server form share`.
struct FormShareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Share records of a form with one device on the LAN, without a server.",
    discussion: """
      Example:

        cordon form share screening.json records.jsonl

      The other device runs 'cordon form receive'. Each device shows a code of six digits; type it on the other device. \
      Then the records are sent over TLS, signed. Records are files of 'cordon form records' and of 'cordon form \
      receive', or answers of a server to GET /v1/forms/FORM/records.
      """)

  @OptionGroup(title: "Input") var input: SharedForm

  @Argument(help: ArgumentHelp("Files of records, JSON lines.", valueName: "records"))
  var records: [String]

  @Option(help: "The address to listen on.")
  var host = "0.0.0.0"

  @Option(help: ArgumentHelp("The port to listen on, 0 for any.", valueName: "port"))
  var port = 0

  @Option(help: "The name that the LAN sees. It names no person.")
  var name = "Cordon"

  @Flag(help: "Do not announce the device by DNS-SD.")
  var noAnnounce = false

  @OptionGroup(title: "Output") var output: JSONOption

  /// Connections that may fail before a code was shown; such a connection is not the work of a person.
  private static let maximumFailures = 100

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port: from 0 to 65535") }
    guard (1...63).contains(name.utf8.count), !name.hasPrefix("-"),
      !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
    else { throw ValidationError("--name: 1 to 63 bytes without control characters, and no hyphen at the start") }
  }

  func run() async throws {
    let form = try ShareFiles.form(input.form)
    var records = FormRecords()
    for path in self.records { try ShareFiles.add(path, to: &records, form: form) }
    let counts = try await share(records, of: form)
    try output.report(
      [
        "schema": "cordon.form-share/1", "form": .string(form.id), "revisions": JSONValue(records.identifiers.count),
        "stored": JSONValue(counts.stored), "known": JSONValue(counts.known), "erased": JSONValue(counts.erased),
        "conflicts": JSONValue(counts.conflicts),
      ],
      "\(form.id): \(Counted.of(records.identifiers.count, "revision")) sent, \(counts.stored) new to the other device; "
        + "it has \(Counted.of(counts.conflicts, "conflict"))\n")
  }

  private func share(_ records: FormRecords, of form: Form) async throws -> ShareResult.Counts {
    let identity = ShareIdentity()
    let listener: NIOAsyncChannel<ShareLink.Connection, Never>
    do {
      listener = try await ShareLink(identity: identity).listen(host: host, port: port)
    } catch {
      throw CommandError("cannot listen on \(host):\(port)", code: "listen")
    }
    let bound = listener.channel.localAddress?.port ?? port
    StandardOutput.note("listening on port \(bound)\n")
    let announcement = noAnnounce ? nil : ShareDiscovery.announce(name, port: bound)
    defer { announcement?.end() }
    do {
      return try await listener.executeThenClose { connections in
        var failures = 0
        // One after the other: a person can compare one pair of codes at a time.
        for try await connection in connections {
          let conversation = ShareConversation(
            ask: { await SharePrompt.code(of: "receiver", own: $0) },
            store: { _ in throw ShareError(.order, "records came to the sharer") })
          do {
            return try await conversation.run(connection) { peer in
              ShareSession(
                sharing: records, of: form, identity: identity, peer: peer, nonce: FormReceiveCommand.nonce())
            }
          } catch {
            failures += 1
            guard !conversation.hasShownCode.withLockedValue({ $0 }), failures < Self.maximumFailures else {
              throw CommandError(connection: error)
            }
            StandardOutput.note("a connection failed: \(CommandError(connection: error).line)\n")
          }
        }
        throw CommandError("the port was closed", code: "connection")
      }
    } catch {
      throw CommandError(connection: error)
    }
  }
}
