import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonIngest
import CordonPostgres
import CordonServer
import CordonSupport
import Foundation

/// The command `cordon-server webhook`.
struct WebhookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhook", abstract: "List, repeat and test the messages to receivers of events.",
    discussion: "The server may run meanwhile. While it is stopped, messages wait for its next start.",
    subcommands: [WebhookListCommand.self, WebhookResendCommand.self, WebhookTestCommand.self])

  /// The present time.
  static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

  /// Opens the queue of a folder, which must exist, and that of the database of the settings. Numbers of messages are different in
  /// both.
  static func queues(_ folder: DataOption, _ config: ConfigOption) throws -> [any WebhookQueue] {
    let (folder, settings) = (try folder.folder(), try config.settings())
    guard settings.store != nil || !folder.isOfDatabase else {
      throw CommandError(
        "messages of this server are in a database; name it with --config or CORDON_STORE", code: "no-database",
        file: folder.path)
    }
    var queues: [any WebhookQueue] = []
    if FileManager.default.fileExists(atPath: folder.webhookPath) {
      queues.append(try SQLiteWebhookQueue(path: folder.webhookPath))
    }
    if let store = settings.store { queues.append(PostgresWebhookQueue(store, server: "command")) }
    guard !queues.isEmpty else {
      throw CommandError(
        "no messages; the server makes the file when it has receivers", code: "not-found", file: folder.webhookPath)
    }
    return queues
  }
}

/// The command `cordon-server webhook list`.
struct WebhookListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the messages that were given up (dead letters).",
    discussion: "Each line has number, time, kind, receiver and reason. The path of a receiver is not shown.")

  @OptionGroup var folder: DataOption
  @OptionGroup var config: ConfigOption
  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    var (waiting, dead) = (0, 0)
    var letters: [WebhookDelivery] = []
    for queue in try WebhookCommand.queues(folder, config) {
      let counts = try queue.counts()
      (waiting, dead) = (waiting + counts.waiting, dead + counts.dead)
      letters += try queue.deadLetters(after: 0, limit: WebhookLimits.maximumDead)
    }
    let objects = letters.map { letter -> JSONValue in
      [
        "number": .integer(letter.number), "id": .string(letter.id), "type": .string(letter.kind),
        "receiver": .string(Self.origin(of: letter)), "time": .string(letter.created.rfc3339),
        "attempts": .integer(Int64(letter.attempts)), "reason": JSONValue(letter.reason),
      ]
    }
    var text = "waiting \(waiting), dead \(dead)\n"
    for letter in letters {
      text += "\(letter.number)  \(letter.created.rfc3339)  \(letter.kind)  \(Self.origin(of: letter))  "
      text += (letter.reason ?? "") + "\n"
    }
    try output.report(
      [
        "schema": "cordon.webhook-list/1", "waiting": .integer(Int64(waiting)), "dead": .integer(Int64(dead)),
        "letters": .array(objects),
      ], text)
  }

  private static func origin(of letter: WebhookDelivery) -> String {
    (try? OutboundAddress(letter.receiver))?.origin ?? ""
  }
}

/// The command `cordon-server webhook resend`.
struct WebhookResendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resend", abstract: "Send dead letters again.",
    discussion: "Their identifiers stay the same, so that a receiver recognises what it has already.")

  @OptionGroup var folder: DataOption
  @OptionGroup var config: ConfigOption
  @Flag(help: "Send all dead letters.") var all = false
  @Argument(help: "The numbers of dead letters.") var numbers: [Int64] = []

  func validate() throws {
    guard all != !numbers.isEmpty else { throw ValidationError("give the numbers of dead letters, or --all") }
  }

  func run() throws {
    let now = WebhookCommand.now
    let count = try WebhookCommand.queues(folder, config).map { try $0.resend(all ? nil : numbers, now: now) }
      .reduce(0, +)
    guard all || count == Set(numbers).count else {
      throw CommandError(
        "\(Set(numbers).count - count) of the numbers are not those of dead letters", code: "not-found")
    }
    try StandardOutput.write(lines: "\(count) due again\n")
  }
}

/// The command `cordon-server webhook test`.
struct WebhookTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Queue a test event for all receivers of the settings.",
    discussion: "A running server sends it within a second. Its type is cordon.webhook.test.")

  @OptionGroup var folder: DataOption
  @Option(help: ArgumentHelp("A file of settings, `name = value` lines.", valueName: "file")) var config: String?

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let webhooks = settings.server.webhooks
    guard !webhooks.receivers.isEmpty else { throw CommandError("the settings name no receiver (webhook-urls)") }
    let id = try WebhookCommand.queueTest(in: try folder.folder(), webhooks, now: WebhookCommand.now)
    try StandardOutput.write(lines: "queued \(id) for \(Counted.of(webhooks.receivers.count, "receiver"))\n")
  }
}

extension WebhookCommand {
  /// Queues a test event for all receivers; returns its identifier.
  static func queueTest(in folder: DataFolder, _ settings: WebhookSettings, now: Instant) throws -> String {
    let queue = try SQLiteWebhookQueue(path: folder.webhookPath)
    let id = QueuedEvent.randomIdentifier()
    let event = WebhookEvent(.test, time: now)
    try queue.add(
      [QueuedEvent(id: id, kind: event.kind.rawValue, body: event.body(id: id, source: settings.source))],
      to: settings.receivers.map(\.description), marks: [], now: now)
    return id
  }
}
