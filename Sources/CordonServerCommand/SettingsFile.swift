import CordonCommandLine
import CordonCore
import CordonIngest
import CordonServer
import CordonSupport
import Foundation

/// Everything that can be set: what a server is given, and where it finds its files.
struct CommandSettings {
  var server = IngestServer.Settings()
  /// The folder for positions, keys and operators.
  var data: String?
  /// The folder of venue bundles.
  var venues: String?
  /// The certificate chain, and its key.
  var certificate: String?
  var key: String?
}

/// Settings by name, from a file, the environment and arguments; each with its meaning and its default.
struct SettingsFile {
  struct Entry {
    var name: String
    var help: String
    /// Whether its value is not for a terminal.
    var isSecret = false
    /// `nil` when it is not set.
    var shown: (CommandSettings) -> String?
    var set: (inout CommandSettings, String) throws -> Void

    /// The line of a file that sets it to its value; a comment where it is not set, or secret.
    func line(_ settings: CommandSettings) -> String {
      guard let value = shown(settings) else { return "# \(name) =" }
      return isSecret ? "# \(name) is set, and is not shown" : "\(name) = \(value)"
    }
  }

  private static func span(
    _ name: String, _ help: String, _ path: WritableKeyPath<IngestSettings, TimeSpan>
  ) -> Entry {
    Entry(name: name, help: help, shown: { $0.server.ingest[keyPath: path].description }) { settings, text in
      guard let value = TimeSpan(parsing: text), value > .zero else {
        throw CommandError("\(name): '\(text)' is not a duration, such as 14d or 1h")
      }
      settings.server.ingest[keyPath: path] = value
    }
  }

  private static func number(
    _ name: String, _ help: String, _ path: WritableKeyPath<IngestServer.Settings, Int>, _ range: ClosedRange<Int>
  ) -> Entry {
    Entry(name: name, help: help, shown: { String($0.server[keyPath: path]) }) { settings, text in
      guard let value = Int(text), range.contains(value) else {
        throw CommandError("\(name): \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
      }
      settings.server[keyPath: path] = value
    }
  }

  private static func megabytes(
    _ name: String, _ help: String, _ path: WritableKeyPath<IngestServer.Settings, Int>
  ) -> Entry {
    Entry(name: name, help: help, shown: { String($0.server[keyPath: path] >> 20) }) { settings, text in
      guard let value = Int(text), (0...100_000).contains(value) else {
        throw CommandError("\(name): 0 to 100000 MiB, not \"\(text)\"")
      }
      settings.server[keyPath: path] = value << 20
    }
  }

  private static func metres(
    _ name: String, _ help: String, _ path: WritableKeyPath<IngestSettings, Double>
  ) -> Entry {
    Entry(name: name, help: help, shown: { String($0.server.ingest[keyPath: path]) }) { settings, text in
      guard let value = Double(text), value > 0, value <= 1_000 else {
        throw CommandError("\(name): metres, more than 0 and at most 1000, not \"\(text)\"")
      }
      settings.server.ingest[keyPath: path] = value
    }
  }

  private static func flag(
    _ name: String, _ help: String, _ path: WritableKeyPath<IngestServer.Settings, Bool>
  ) -> Entry {
    Entry(name: name, help: help, shown: { $0.server[keyPath: path] ? "yes" : "no" }) { settings, text in
      guard let value = ["yes": true, "no": false][text] else {
        throw CommandError("\(name): yes or no, not \"\(text)\"")
      }
      settings.server[keyPath: path] = value
    }
  }

  private static func path(
    _ name: String, _ help: String, _ path: WritableKeyPath<CommandSettings, String?>
  ) -> Entry {
    Entry(name: name, help: help, shown: { $0[keyPath: path] }) { settings, text in
      guard !text.isEmpty else { throw CommandError("\(name): a path is needed") }
      settings[keyPath: path] = text
    }
  }

  static var entries: [Entry] {
    [
      path("data", "folder for positions, keys and operators", \.data),
      path("venues", "folder of venue bundles", \.venues),
      path("certificate", "certificate chain, PEM", \.certificate),
      path("key", "the certificate's key, PEM", \.key),
      Entry(name: "host", help: "address to listen at", shown: { $0.server.host }) { $0.server.host = $1 },
      number("port", "port to listen at, 0 for any free one", \.port, 0...65_535),
      number("maximum-connections", "connections at once; later ones wait", \.maximumConnections, 1...1_000_000),
      number("idle-seconds", "how long a connection may be idle", \.idleSeconds, 1...3_600),
      number("request-seconds", "how long a request may take to come", \.requestSeconds, 1...600),
      flag("behind-proxy", "a proxy in front of the server speaks TLS and sends X-Forwarded-For", \.isBehindProxy),
      Entry(
        name: "trusted-proxies", help: "addresses of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8",
        shown: { $0.server.trustedProxies.map(\.description).joined(separator: ", ") }
      ) { settings, text in
        do throws(NetworkRange.Unreadable) {
          settings.server.trustedProxies = try NetworkRange.list(text)
        } catch {
          throw CommandError(
            "trusted-proxies: addresses or prefixes such as 192.0.2.7 and 10.0.0.0/8 are needed, not \"\(error.text)\"")
        }
      },
      flag("log-requests", "log every request, not only those that fail", \.logsRequests),
      megabytes("disk-reserve", "MiB of the disk held for erasures and withdrawals, 0 for none", \.reserveBytes),
      number("check-seconds", "for how long the store is checked at the start", \.checkSeconds, 0...86_400),
      number("maximum-rows", "rows of a batch", \.ingest.maximumRows, 1...10_000),
      number("maximum-bytes", "bytes of a body as it comes", \.ingest.maximumBytes, 1_000...1_000_000_000),
      number(
        "maximum-unpacked-bytes", "bytes of a body when unpacked", \.ingest.maximumUnpackedBytes, 1_000...1_000_000_000),
      number("query-seconds", "how long one query may work, seconds", \.querySeconds, 1...3_600),
      number(
        "maximum-query-rows", "positions that one query looks through", \.ingest.maximumQueryRows,
        1_000...1_000_000_000),
      number("rows-per-hour", "rows of a device in an hour", \.ingest.rowsPerHour, 1...1_000_000_000),
      number(
        "failures-per-minute", "failed attempts of an address for one name; ten times as many for all names",
        \.ingest.failuresPerMinute, 1...1_000_000),
      number(
        "smallest-count", "viewers see multiples of it, which change only when so many devices came or went",
        \.ingest.smallestCell, 3...1_000),
      metres("smallest-space", "spaces of less are hidden from viewers, square metres", \.smallestSpace),
      span("token-lifetime", "how long a device token lasts", \.tokenLifetime),
      span("position-retention", "how long positions are kept", \.positionRetention),
      span("contact-retention", "how long contacts are kept", \.contactRetention),
      span("device-retention", "how long a silent device is known that has nothing left", \.deviceRetention),
      span("audit-retention", "how long it is kept who looked", \.auditRetention),
      flag("keep-battery", "keep the battery's charge that Overland and OwnTracks tell", \.ingest.keepsBattery),
      flag("contacts", "find contacts as positions arrive", \.ingest.findsContacts),
      metres("contact-distance", "contact distance, metres", \.contactDistance),
      metres("contact-accuracy", "largest radius that contacts are found from, metres", \.contactAccuracy),
      span("contact-gap", "longest time between two positions that are joined", \.contactGap),
      span("contact-horizon", "for how long positions stay in memory for contacts", \.contactHorizon),
      Entry(
        name: "published-user",
        help: "serves the published ingest API beside /v1; weaker, see docs/reference/server.md",
        shown: { $0.server.ingest.published?.user }
      ) { settings, text in settings.server.ingest.changePublished { $0.user = text } },
      Entry(
        name: "published-password", help: "its password, 16 characters or more", isSecret: true,
        shown: { $0.server.ingest.published.flatMap { $0.password.isEmpty ? nil : $0.password } }
      ) { settings, text in
        guard text.count >= 16 else { throw CommandError("published-password: 16 characters or more") }
        settings.server.ingest.changePublished { $0.password = text }
      },
      Entry(
        name: "published-accuracy", help: "largest accuracy radius that it stores, metres",
        shown: { $0.server.ingest.published.map { String($0.accuracyThreshold) } }
      ) { settings, text in
        guard let value = Double(text), value > 0, value <= 10_000 else {
          throw CommandError("published-accuracy: metres, more than 0 and at most 10000, not \"\(text)\"")
        }
        settings.server.ingest.changePublished { $0.accuracyThreshold = value }
      },
    ]
  }

  private static func unknown(_ name: String) -> String {
    let guess = Suggestion.nearest(to: name, in: entries.map(\.name)).map { "did you mean \($0)?" }
    return "no setting \"\(name.prefix(64))\"; \(guess ?? "`cordon-server settings` lists them")"
  }

  private static func variable(_ entry: Entry) -> String {
    "CORDON_" + entry.name.uppercased().replacing("-", with: "_")
  }

  /// What stands in the environment as if it were a setting, and is close to one but none. Other programs have names that
  /// begin so too: what is not close is not told.
  static func misspelled(in environment: [String: String]) -> [String] {
    let names = entries.map(variable)
    return environment.keys.filter { $0.hasPrefix("CORDON_") && !names.contains($0) }.sorted().compactMap { name in
      Suggestion.nearest(to: String(name.dropFirst(7)), in: names.map { String($0.dropFirst(7)) }).map {
        "environment \(name): no setting; did you mean CORDON_\($0)?"
      }
    }
  }

  /// The environment without the variables that Kubernetes makes of services: that of a service with the name `cordon` has
  /// `CORDON_PORT=tcp://10.0.0.1:8089`.
  static func withoutServiceLinks(_ environment: [String: String]) -> [String: String] {
    environment.filter { _, value in !["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) } }
  }

  /// The defaults, changed by a file and by the environment.
  static func read(file: String?, environment: [String: String]) throws -> CommandSettings {
    var settings = CommandSettings()
    if let file {
      guard let data = FileManager.default.contents(atPath: file), let text = String(data: data, encoding: .utf8) else {
        throw CommandError("\(file): cannot be read")
      }
      var seen: [String: Int] = [:]
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = line.trimmingCharacters(in: .whitespaces)
        if line.isEmpty || line.hasPrefix("#") { continue }
        let pair = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard pair.count == 2 else {
          throw CommandError("\(file):\(number + 1): a line is `name = value`, or begins with #")
        }
        guard let entry = entries.first(where: { $0.name == pair[0] }) else {
          throw CommandError("\(file):\(number + 1): \(unknown(pair[0]))")
        }
        if let first = seen.updateValue(number + 1, forKey: entry.name) {
          throw CommandError("\(file):\(number + 1): \(entry.name) is set in line \(first) already")
        }
        do {
          try entry.set(&settings, pair[1])
        } catch {
          throw CommandError("\(file):\(number + 1): \(error)")
        }
      }
    }
    let environment = withoutServiceLinks(environment)
    if let complaint = misspelled(in: environment).first { throw CommandError(complaint) }
    for entry in entries {
      let name = variable(entry)
      guard let text = environment[name] else { continue }
      do {
        try entry.set(&settings, text)
      } catch {
        throw CommandError("environment \(name): \(error)")
      }
    }
    if let published = settings.server.ingest.published, published.user.isEmpty || published.password.isEmpty {
      throw CommandError("published-user and published-password belong together")
    }
    return settings
  }
}

extension IngestSettings {
  /// Its parts are set one by one, in any order.
  fileprivate mutating func changePublished(_ change: (inout Published) -> Void) {
    var changed = published ?? Published(user: "", password: "")
    change(&changed)
    published = changed
  }
}
