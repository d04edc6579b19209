import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSupport
import CordonTracking

/// The command `cordon-track withdraw`.
struct WithdrawCommand: ControlSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Withdraw the consent: stop recording, delete the store's rows, ask the server to erase.",
    discussion: "Waits for the server's confirmation. Without it, every later run asks again.")

  @Flag(help: "Withdraw only the consent for places outside of venues, and delete the rows from there.")
  var everywhere = false

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  var command: ControlCommand { everywhere ? .retractEverywhere : .withdraw }
  var patience: TimeSpan { .seconds(20) }

  func run() async throws {
    let configuration = try options.load()
    // The trip in progress and those that wait for a receiver may have places that are withdrawn now.
    let store = try configuration.storePath()
    TripFile.remove(store: store)
    TripOutbox(store: store).removeAll()
    try await configuration.carryOut(command, within: patience).print("withdraw", asJSON: output.json)
  }
}
