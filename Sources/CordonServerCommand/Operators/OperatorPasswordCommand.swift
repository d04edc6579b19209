import ArgumentParser
import CordonConsole
import CordonCore
import CordonIngest
import CordonOperators
import CordonServer
import Foundation

/// The command `cordon-server operator password`.
struct OperatorPasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password", abstract: "Give an operator a new password, and print it, once.",
    discussion: """
      The operator signs in with it and chooses another one. Give --sign-in-name for an operator who has none yet.
      """)

  @OptionGroup var folder: DataOption
  @OptionGroup var config: ConfigOption
  @Argument(help: "The pseudonym of the operator.") var id: String
  @Option(help: ArgumentHelp("The name that the operator types to sign in.", valueName: "text"))
  var signInName: String?
  @Flag(help: "Also end the one-time codes, as when the phone is lost.") var withoutCodes = false

  func run() throws {
    let folder = try folder.folder()
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    let configuration = try config.settings()
    let settings = configuration.server.sessions
    let stores = try configuration.operatorStores(folder)
    let accounts = try OperatorSessions(
      settings: settings, accounts: stores.accounts, store: stores.sessions, random: .secure())
    guard let account = accounts.list.first(where: { $0.id == id }) else { throw ValidationError("no operator \(id)") }
    guard let name = signInName ?? account.signInName else {
      throw ValidationError("the operator has no name to sign in with; give --sign-in-name")
    }
    let password = accounts.newSecret()
    guard let hash = PasswordHash(of: password, cost: settings.cost, salt: accounts.newSalt())?.text else {
      throw ValidationError("a password needs 64 MiB of memory to be hashed")
    }
    do throws(Problem) {
      if name != account.signInName {
        let entry = AccountChange(
          name: account.name, signInName: name, everywhere: account.everywhere, roles: account.roles,
          isDisabled: account.isDisabled)
        _ = try accounts.change(id, to: entry, by: "command", now: now)
      }
      try accounts.setPassword(hash, of: id, keeping: nil, by: "command", now: now)
      if withoutCodes { try accounts.removeCodes(id, by: "command", now: now) }
    } catch {
      throw ValidationError(error.detail)
    }
    try StandardOutput.write(lines: "password \(password)\n")
  }
}
