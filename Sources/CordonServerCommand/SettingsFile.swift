import CordonCollection
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonIngest
import CordonOperators
import CordonPostgres
import CordonServer
import CordonSupport
import Foundation

/// Everything that can be set: the settings of the server, and where it finds its files.
struct CommandSettings {
  var server = IngestServer.Settings()
  /// The folder of positions, keys and operators.
  var data: String?
  /// The folder of venue bundles.
  var venues: String?
  /// The database of the store; `nil` for the file in the data folder.
  var store: PostgresAddress?
  /// The database that operators' queries read; `nil` for that of the store.
  var standby: PostgresAddress?
  /// The maximum time of a statement of the database, seconds.
  var statementSeconds = 15
  /// Whether columns that say where somebody was are encrypted in the database.
  var isSealed = false
  /// The certificate chain, and its key.
  var certificate: String?
  var key: String?

  /// Whether a file of these settings must not be readable by all users.
  var hasSecrets: Bool {
    server.ingest.published != nil || !server.webhooks.secrets.isEmpty || server.mqtt.password != nil
      || server.traces.field != nil || store != nil || server.openID?.clientSecret != nil
      || server.studies.paymentToken != nil
  }
}

/// The settings by name, from a file and the environment; each with its meaning and its default.
enum SettingsFile {
  typealias Entry = ConfigurationKey<CommandSettings>

  /// The range of retentions and lifetimes. A number without a unit is one of seconds, so that `14` for 14 days is refused.
  private static let retention = TimeSpan.hours(1)...TimeSpan.days(36_500)
  private static let span = TimeSpan.milliseconds(1)...TimeSpan.days(36_500)
  private static let metres = 1e-3...1_000.0

  static var reader: ConfigurationReader<CommandSettings> { ConfigurationReader(entries) }

  private static var entries: [Entry] {
    files + network + limits + storage + contacts + published + sessions + provider + webhooks + alerts + mqtt
      + traces + studies
  }

  private static var files: [Entry] {
    [
      .text("data", "folder of positions, keys and operators", \.data),
      .text("venues", "folder of venue bundles", \.venues),
      .text("certificate", "certificate chain, PEM", \.certificate),
      .text("key", "the certificate's key, PEM", \.key),
    ]
  }

  private static var network: [Entry] {
    [
      Entry("host", "address to listen on", shown: { $0.server.host }) { $0.server.host = $1 },
      .integer("port", "port to listen on, 0 for any free one", \.server.port, 0...65_535),
      .integer(
        "maximum-connections", "connections at once; later ones wait", \.server.maximumConnections, 1...1_000_000),
      .integer("idle-seconds", "maximum idle time of a connection", \.server.idleSeconds, 1...3_600),
      .integer("request-seconds", "maximum time to receive a request", \.server.requestSeconds, 1...600),
      .flag(
        "behind-proxy", "a proxy in front of the server ends TLS and sends X-Forwarded-For", \.server.isBehindProxy),
      Entry(
        "trusted-proxies", "addresses of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8",
        shown: { $0.server.trustedProxies.map(\.description).joined(separator: ", ") }
      ) { settings, text throws(ConfigurationError) in
        do throws(NetworkRange.Unreadable) {
          settings.server.trustedProxies = try NetworkRange.list(text)
        } catch {
          throw ConfigurationError("'\(error.text)' is not an address or a prefix, such as 192.0.2.7 or 10.0.0.0/8")
        }
      },
      .flag("log-requests", "log every request, not only failures", \.server.logsRequests),
      .flag("forms", "serve forms, their records and their pages", \.server.servesForms),
      .flag("console", "serve the pages of the operators' console", \.server.servesConsole),
      .integer(
        "disk-reserve", "MiB of the disk reserved for erasures and withdrawals, 0 for none", \.server.reserveBytes,
        0...100_000, unit: 1 << 20),
      .integer(
        "check-seconds", "maximum time of the check of the store at the start", \.server.checkSeconds, 0...86_400),
    ]
  }

  private static var limits: [Entry] {
    [
      .integer("maximum-rows", "rows of a batch", \.server.ingest.maximumRows, 1...10_000),
      .integer("maximum-bytes", "bytes of a body as received", \.server.ingest.maximumBytes, 1_000...1_000_000_000),
      .integer(
        "maximum-unpacked-bytes", "bytes of an unpacked body", \.server.ingest.maximumUnpackedBytes,
        1_000...1_000_000_000),
      .integer("query-seconds", "maximum time of a query", \.server.querySeconds, 1...3_600),
      .integer(
        "maximum-query-rows", "positions that one query reads", \.server.ingest.maximumQueryRows, 1_000...1_000_000_000),
      .integer("rows-per-hour", "rows of a device in an hour", \.server.ingest.rowsPerHour, 1...1_000_000_000),
      .integer(
        "failures-per-minute", "failed attempts of an address for one name; ten times as many for all names",
        \.server.ingest.failuresPerMinute, 1...1_000_000),
      .integer(
        "smallest-count", "viewers see multiples of it that change only after at least as many arrivals or departures",
        \.server.ingest.smallestCell, 3...1_000),
      .number(
        "smallest-space", "smaller spaces are hidden from viewers, square metres", \.server.ingest.smallestSpace, metres
      ),
    ]
  }

  private static var storage: [Entry] {
    [
      database("store", "database of the store, postgresql://...; the file in the data folder by default", \.store),
      database("store-standby", "read-only copy of the database, for operators' queries", \.standby),
      .integer("store-seconds", "maximum time of a statement of the database", \.statementSeconds, 3...3_600),
      .flag("sealed-columns", "encrypt places in the database under a key for each device", \.isSealed),
      .duration("token-lifetime", "lifetime of a device token", \.server.ingest.tokenLifetime, span),
      .duration(
        "position-retention", "retention of positions, at least 1h", \.server.ingest.positionRetention, retention),
      .duration("contact-retention", "retention of contacts, at least 1h", \.server.ingest.contactRetention, retention),
      .duration(
        "device-retention", "retention of a silent device without data, at least 1h", \.server.ingest.deviceRetention,
        retention),
      .duration(
        "case-retention", "retention of closed cases and ended notices, at least 1h", \.server.ingest.caseRetention,
        retention),
      .duration(
        "form-retention", "retention of records of forms that nobody changed, at least 1h",
        \.server.forms.retention, retention),
      .duration(
        "audit-retention", "retention of the audit log, at least 1h", \.server.ingest.auditRetention, retention),
      .flag("keep-battery", "keep the battery charge of Overland and OwnTracks", \.server.ingest.keepsBattery),
    ]
  }

  /// The URL of a database, which may hold a password.
  private static func database(
    _ name: String, _ help: String, _ path: WritableKeyPath<CommandSettings, PostgresAddress?>
  ) -> Entry {
    Entry(name, help, isSecret: true, shown: { $0[keyPath: path] == nil ? nil : "" }) {
      settings, text throws(ConfigurationError) in
      do throws(PostgresAddress.Unreadable) {
        settings[keyPath: path] = try PostgresAddress(text)
      } catch {
        throw ConfigurationError(error.description)
      }
    }
  }

  private static var contacts: [Entry] {
    [
      .flag("contacts", "find contacts as positions arrive", \.server.ingest.findsContacts),
      .number("contact-distance", "contact distance, metres", \.server.ingest.contactDistance, metres),
      .number(
        "contact-accuracy", "maximum accuracy radius of positions of contacts, metres", \.server.ingest.contactAccuracy,
        metres),
      .duration("contact-gap", "maximum time between two joined positions", \.server.ingest.contactGap, span),
      .duration(
        "contact-horizon", "time that positions stay in memory for contacts", \.server.ingest.contactHorizon, span),
    ]
  }

  private static var published: [Entry] {
    [
      Entry(
        "published-user", "serves the published ingest API beside /v1; weaker, see docs/reference/server.md",
        shown: { $0.server.ingest.published?.user }
      ) { settings, text in settings.server.ingest.changePublished { $0.user = text } },
      Entry(
        "published-password", "its password, 16 characters or more", isSecret: true,
        shown: { $0.server.ingest.published.flatMap { $0.password.isEmpty ? nil : $0.password } }
      ) { settings, text throws(ConfigurationError) in
        guard text.count >= 16 else { throw ConfigurationError("16 characters or more are required") }
        settings.server.ingest.changePublished { $0.password = text }
      },
      Entry(
        "published-accuracy", "maximum accuracy radius that it stores, metres",
        shown: { $0.server.ingest.published.map { String($0.accuracyThreshold) } }
      ) { settings, text throws(ConfigurationError) in
        let value = try Entry.number(text, 1e-3...10_000)
        settings.server.ingest.changePublished { $0.accuracyThreshold = value }
      },
    ]
  }

  private static var sessions: [Entry] {
    let short = TimeSpan.minutes(1)...TimeSpan.days(1)
    return [
      .flag("passwords", "operators may sign in with a password of this server", \.server.sessions.allowsPasswords),
      Entry(
        "password-memory", "MiB of memory that hashing a password takes, a power of 2",
        shown: { String((128 * $0.server.sessions.cost.blockSize << $0.server.sessions.cost.logarithm) >> 20) }
      ) { settings, text throws(ConfigurationError) in
        guard let size = Int(text), (1...256).contains(size), size & (size - 1) == 0 else {
          throw ConfigurationError("'\(text)' is not a power of 2 from 1 to 256")
        }
        settings.server.sessions.cost.logarithm = 10 + size.trailingZeroBitCount
      },
      .duration("session-idle", "a session ends after this time without a page", \.server.sessions.idle, short),
      .duration(
        "session-lifetime", "a session ends this time after signing in", \.server.sessions.lifetime,
        TimeSpan.minutes(1)...TimeSpan.days(7)),
      .duration(
        "session-confirmation", "time for which an entered password permits erasures and changes of accounts",
        \.server.sessions.confirmation, short),
    ]
  }

  private static var provider: [Entry] {
    func text(
      _ name: String, _ meaning: String, isSecret: Bool = false, _ path: WritableKeyPath<OpenIDSettings, String>
    ) -> Entry {
      Entry(
        name, meaning, isSecret: isSecret,
        shown: { $0.server.openID.flatMap { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path] } }
      ) { settings, text in settings.server.changeProvider { $0[keyPath: path] = text } }
    }
    return [
      text("openid-issuer", "issuer of the OpenID provider at which operators sign in", \.issuer),
      text("openid-client", "identifier of this server at the provider", \.clientID),
      Entry(
        "openid-secret", "secret of this server at the provider", isSecret: true,
        shown: { $0.server.openID?.clientSecret }
      ) { settings, text in settings.server.changeProvider { $0.clientSecret = text } },
      Entry(
        "openid-roles", "roles of groups, such as tracers=contact-tracer, desk=operator@north",
        shown: { $0.server.openID.map { $0.roles.map(\.text).joined(separator: ", ") } }
      ) { settings, text throws(ConfigurationError) in
        var roles: [OpenIDSettings.GroupRole] = []
        for part in text.split(separator: ",") {
          guard let role = OpenIDSettings.GroupRole(part.trimmingCharacters(in: .whitespaces)) else {
            throw ConfigurationError("'\(part)' is not GROUP=ROLE or GROUP=ROLE@VENUE")
          }
          roles.append(role)
        }
        settings.server.changeProvider { $0.roles = roles }
      },
      text("openid-groups", "claim that lists a person's groups", \.groupsClaim),
      Entry(
        "openid-scopes", "scopes to ask for, separated by spaces",
        shown: { $0.server.openID.map { $0.scopes.joined(separator: " ") } }
      ) { settings, text in
        settings.server.changeProvider { $0.scopes = text.split(separator: " ").map(String.init) }
      },
      Entry("openid-label", "name of the provider on the sign-in page", shown: { $0.server.openID?.label }) {
        settings, text in settings.server.changeProvider { $0.label = text }
      },
      text("public-address", "address at which browsers reach the server, such as https://cordon.example", \.address),
    ]
  }

  /// Returns the defaults, changed by a file and by the environment.
  static func read(file: String?, environment: [String: String]) throws -> CommandSettings {
    var settings = CommandSettings()
    if let file {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw CommandError(UnreadableFile.reason(file), code: "unreadable", file: file)
      }
      guard let text = String(data: data, encoding: .utf8) else {
        throw CommandError("is not UTF-8 text", code: "unreadable", file: file)
      }
      try reader.read(lines: text, file: file, into: &settings)
    }
    try reader.read(environment: environment, prefix: "CORDON_", ignored: "CORDON_TRACK_", into: &settings)
    if let published = settings.server.ingest.published, published.user.isEmpty || published.password.isEmpty {
      throw CommandError("published-user needs published-password, and published-password needs published-user")
    }
    if settings.isSealed, settings.store == nil { throw CommandError("sealed-columns needs store") }
    if settings.standby != nil, settings.store == nil { throw CommandError("store-standby needs store") }
    if let provider = settings.server.openID {
      let values = [
        ("openid-issuer", provider.issuer), ("openid-client", provider.clientID), ("public-address", provider.address),
        ("openid-roles", provider.roles.first?.text ?? ""),
      ]
      if let missing = values.first(where: { $0.1.isEmpty }) {
        throw CommandError("signing in at an OpenID provider also needs \(missing.0)")
      }
    }
    try checkWebhooks(settings.server.webhooks)
    try checkAlerts(settings.server.alerts)
    try checkMQTT(settings.server.mqtt)
    try checkStudies(settings.server.studies)
    return settings
  }
}

extension IngestServer.Settings {
  /// Changes the provider, whose parts are set one by one, in any order.
  fileprivate mutating func changeProvider(_ change: (inout OpenIDSettings) -> Void) {
    var changed = openID ?? OpenIDSettings(issuer: "", clientID: "", clientSecret: nil, address: "", roles: [])
    change(&changed)
    // An address is a prefix of others.
    while changed.address.hasSuffix("/") { changed.address.removeLast() }
    openID = changed
  }
}

extension IngestSettings {
  /// Changes the published API, whose parts are set one by one, in any order.
  fileprivate mutating func changePublished(_ change: (inout Published) -> Void) {
    var changed = published ?? Published(user: "", password: "")
    change(&changed)
    published = changed
  }
}
