import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonMonitoring
import CordonSignIn
import CordonSupport
import CordonTracking

/// The command `cordon-track status`.
struct StatusCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the status, and remedies for what is wrong.")

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { .status }

  func run() async throws {
    let configuration = try options.load()
    var reply = try await configuration.carryOut(command, within: patience)
    for sink in configuration.sinks where sink.signIn != nil {
      guard let session = try configuration.session(of: sink) else { continue }
      let isSignedIn = await session.isSignedIn
      reply.add(signIn: sink.id.number, isSignedIn: isSignedIn, until: await session.expiry)
    }
    try reply.print("status", asJSON: output.json, trip: try TripFile.read(store: configuration.storePath()))
  }
}
