import ArgumentParser
import Cordon
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonMonitoring
import CordonSignIn
import CordonSupport
import CordonTracking
import Foundation

/// The command `cordon-track sign-in`.
struct SignInCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Sign in at the provider of a sink (OpenID Connect).",
    discussion: """
      Without an option it shows an address for a browser on this machine. The tokens are sealed beside the store; a running \
      tracker uses them at once. Example:

        cordon-track sign-in --device-code -c tracker.json
      """)

  /// The way to sign in.
  struct Way: ParsableArguments {
    @Flag(help: "Show a code to enter on another device.")
    var deviceCode = false

    @Option(help: ArgumentHelp("The link or the code of an invitation.", valueName: "link"))
    var invitation: String?

    @Option(
      name: .customLong("sink-number"),
      help: ArgumentHelp("The number of the sink. (default: the only one)", valueName: "number"))
    var sink: UInt8?
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Sign-in") var way: Way

  func validate() throws {
    if way.deviceCode, way.invitation != nil {
      throw ValidationError("--device-code and --invitation exclude each other")
    }
  }

  func run() async throws {
    let configuration = try options.load()
    let sink = try configuration.sink(way.sink, "a sign-in") { $0.signIn != nil }
    guard let session = try configuration.session(of: sink), let settings = sink.signIn else { return }
    do {
      if let link = way.invitation {
        try await session.signIn(invitation: try Invitation(link))
      } else if way.deviceCode {
        try await session.signIn(deviceCode: { code in
          Printer.note("cordon-track: open \(code.completePage ?? code.page) and enter \(code.userCode)")
        })
      } else {
        try await browse(session, settings)
      }
    } catch let error as SignInError {
      throw TrackerError("sign-in", "\(error.description). \(error.remedy)")
    }
    let end = await session.expiry.map { "; its token is renewed before \($0.rfc3339)" } ?? ""
    try Printer.write(lines: "Signed in at \(settings.issuer.absoluteString)\(end)\n")
  }

  private func browse(_ session: SignInSession, _ settings: SignInMachine.Configuration) async throws {
    #if os(Linux)
      guard let redirect = settings.redirect else { throw SignInError.unsupported("a sign-in without a redirect") }
      let listener = try LoopbackRedirect(redirect)
      try await session.signIn(browser: { page in
        Printer.note("cordon-track: open \(page.absoluteString)")
        return try await listener.wait(for: page)
      })
    #else
      throw SignInError.unsupported("sign-in in a browser on this system; use --device-code")
    #endif
  }
}

/// The command `cordon-track sign-out`.
struct SignOutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out", abstract: "Delete the tokens of a sink, and ask the provider to revoke them.",
    discussion: "The queue stays, and waits for the next sign-in.")

  /// The sink.
  struct Way: ParsableArguments {
    @Option(
      name: .customLong("sink-number"),
      help: ArgumentHelp("The number of the sink. (default: the only one)", valueName: "number"))
    var sink: UInt8?
  }

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Sign-in") var way: Way

  func run() async throws {
    let configuration = try options.load()
    let sink = try configuration.sink(way.sink, "a sign-in") { $0.signIn != nil }
    try await configuration.session(of: sink)?.signOut()
    try Printer.write(lines: "Signed out\n")
  }
}
