import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonServer
import CordonStudies
import CordonSupport

/// The command `cordon-server study release`.
struct StudyReleaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: "Release a payout whose transaction can never be mined.",
    discussion: """
      Another transaction of the paying account used the nonce of the payout. The chain must prove it: enough blocks \
      confirm that the nonce is used, and there is no receipt of the payout's transaction. Otherwise nothing changes.

      The next run of rewards reserves the credits again and pays them. Look first at what the other transaction did: \
      with --paid the payout is settled instead.
      """)

  @OptionGroup var options: StudyOptions
  @OptionGroup var study: StudyArgument
  @Argument(help: "The number of the payout.") var payout: Int64
  @Option(help: "The reason, for the audit log.") var reason: String
  @Flag(help: "Settle the payout: the other transaction paid it.") var paid = false
  @OptionGroup(title: "Output") var output: JSONOption

  func validate() throws {
    guard (3...500).contains(reason.count) else { throw ValidationError("--reason: 3 to 500 characters") }
  }

  func run() async throws {
    guard let payments = try options.settings().payments() else {
      throw CommandError("the settings name no provider of payments", code: "no-provider")
    }
    let proof = try await options.service().release(
      payout, of: try study.code(), payments, isPaid: paid, by: "command", reason: reason, now: StudyCommand.now)
    try output.report(
      [
        "schema": "cordon.study-release/1", "payout": .integer(payout), "state": .string(paid ? "settled" : "released"),
        "proof": .string(proof),
      ], "payout \(payout) \(paid ? "settled" : "released"): \(proof)\n")
  }
}
