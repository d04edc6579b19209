import ArgumentParser
import Cordon
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonMonitoring
import CordonSignIn
import CordonSupport
import CordonTracking
import CordonWire
import Foundation

/// The command `cordon-track setup`.
struct SetupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", abstract: "Apply a setup link to an Overland sink of the configuration.",
    discussion: """
      Shows the old and the new values, and asks. A link that is signed with the settings_key of the sink needs no question; one \
      with another signature is refused. Parameters that the link lacks keep their values; a new receiver gets neither \
      the old token nor the tokens of a sign-in. Example:

        cordon-track setup 'overland://setup?url=https%3A%2F%2Fexample.com%2Fapi' \\
          -c tracker.json
      """)

  /// The confirmation.
  struct Answer: ParsableArguments {
    @Flag(help: "Apply the changes without a question.")
    var yes = false

    @Option(
      name: .customLong("sink-number"),
      help: ArgumentHelp("The number of the sink. (default: the only Overland sink)", valueName: "number"))
    var sink: UInt8?
  }

  @Argument(help: "The link: cordon://setup?... or overland://setup?...")
  var link: String

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Setup") var answer: Answer

  func run() async throws {
    guard let path = options.file.configuration else {
      throw TrackerError("usage", "a setup link changes a configuration; name it with -c")
    }
    let configuration = try options.load()
    let sink = try configuration.sink(answer.sink, "the format of Overland") { $0.kind == .overland }
    let setup: SetupLink
    do throws(SetupLinkError) {
      setup = try SetupLink(link)
    } catch {
      throw TrackerError("bad-link", error.description)
    }
    var isSigned = false
    if setup.hasSignature, let key = sink.settingsKey {
      guard setup.isSigned(with: Array(key.utf8)) else {
        throw TrackerError("bad-link", "the signature of the link is not that of the sink's settings_key")
      }
      isSigned = true
    }
    let changes = setup.changes(to: sink.endpoint)
    for name in setup.ignored { Printer.note("cordon-track: the link's \(name) has no effect") }
    guard !changes.isEmpty else { return try Printer.write(lines: "The link changes nothing.\n") }
    var text = ""
    for change in changes { text += "\(change.name): \(change.old)\n  -> \(change.new)\n" }
    let ended = setup.endsSignIn(of: sink.endpoint) ? sink.signIn : nil
    if let ended { text += "sign-in: \(ended.issuer.absoluteString)\n  -> none\n" }
    try Printer.write(lines: text)
    if isSigned {
      Printer.note("cordon-track: the link is signed with the sink's settings_key")
    } else if !answer.yes {
      Printer.note("cordon-track: apply the changes? [y/N]")
      guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
        throw TrackerError("declined", "nothing was changed")
      }
    }
    try write(setup, sink, to: path)
    if ended != nil {
      do {
        try await configuration.session(of: sink)?.signOut()
      } catch {
        Printer.note("cordon-track: the tokens of the sign-in are still on this machine: \(error)")
      }
    }
    Printer.note("cordon-track: \(path) is changed; restart the tracker")
  }

  /// The keys of a sink that belong to its sign-in.
  private static let signInKeys = ["issuer", "client", "redirect", "scopes"]
  /// The keys of a sink that are secrets.
  private static let secretKeys = ["token", "settings_key"]

  /// Writes the values of the link into the file; everything else stays. A file with secrets is for its owner alone.
  private func write(_ setup: SetupLink, _ sink: TrackerSink, to path: String) throws {
    guard let data = FileManager.default.contents(atPath: path),
      let value = try? JSONReader.value(of: Array(data)), case .object(var members) = value,
      let position = members.firstIndex(where: { $0.key == "sinks" }), var sinks = members[position].value.elements,
      let index = sinks.firstIndex(where: { entry in
        entry["kind"]?.stringValue == "overland"
          && entry["number"]?.integerValue.map { $0 == Int64(sink.id.number) } ?? (sink.id == sink.kind.id)
      }), case .object(var entry) = sinks[index]
    else { throw TrackerError("usage", "the sink is not in the file; name it there first", file: path) }
    func set(_ key: String, _ new: JSONValue?) {
      entry.removeAll { $0.key == key }
      if let new { entry.append(.init(key, new)) }
    }
    let applied = setup.applied(to: sink.endpoint)
    if setup.url != nil { set("url", .string(applied.url.absoluteString)) }
    if applied.token != sink.token { set("token", applied.token.map(JSONValue.string)) }
    if let name = setup.deviceID { set("device_id", .string(name)) }
    if let flag = setup.includesUniqueID { set("unique_id", .bool(flag)) }
    if setup.endsSignIn(of: sink.endpoint) { entry.removeAll { SetupCommand.signInKeys.contains($0.key) } }
    sinks[index] = .object(entry)
    members[position].value = .array(sinks)
    let hasSecrets = sinks.contains { sink in SetupCommand.secretKeys.contains { sink[$0] != nil } }
    var mode: Any = 0o600
    if !hasSecrets, let present = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] {
      mode = present
    }
    let fresh = path + ".new"
    guard
      FileManager.default.createFile(
        atPath: fresh, contents: Data((JSONValue.object(members).text(pretty: true) + "\n").utf8),
        attributes: [.posixPermissions: mode]),
      rename(fresh, path) == 0
    else { throw TrackerError("cannot-write", "the configuration cannot be written", file: path) }
  }
}
