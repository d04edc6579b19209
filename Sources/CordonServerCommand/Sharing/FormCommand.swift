import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonSharing
import CordonSupport
import NIOCore
import NIOPosix

/// The command `cordon-server form`.
struct FormCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "form",
    abstract: "Share records of a form between two devices on a LAN.",
    discussion: """
      No server runs: one device shares, the other one receives. 'cordon form share' and 'cordon form receive' are the same \
      commands.
      """,
    subcommands: [FormShareCommand.self, FormReceiveCommand.self])
}

/// The files that both devices need.
struct SharedForm: ParsableArguments {
  @Argument(help: ArgumentHelp("The document of the form, JSON.", valueName: "form"))
  var form: String
}

/// An address with a port: `192.0.2.7:4711`, `[fd00::2]:4711`, `clinic.local:4711`.
struct HostAndPort: DescribedArgument, Hashable {
  let host: String
  let port: Int

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
      (1...65_535).contains(port)
    else { return nil }
    var host = String(argument[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { return nil }
    (self.host, self.port) = (host, port)
  }

  static var valueName: String { "host:port" }
  static var forms: String { "an address with a port: 192.0.2.7:4711, [fd00::2]:4711 or clinic.local:4711" }
}

extension CommandError {
  /// An error of a connection, without anything that was sent on it.
  init(connection error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as any CommandErrorConvertible: self = error.commandError
    case is ChannelError, is NIOConnectionError, is IOError:
      self.init("the connection failed, or the other device ended it; nothing was stored", code: "connection")
    default:
      let reason = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ").prefix(200)
      self.init("the connection failed: \(reason)", code: "connection")
    }
  }
}
