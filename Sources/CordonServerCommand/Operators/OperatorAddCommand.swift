import ArgumentParser
import CordonConsole
import CordonCore
import CordonIngest
import CordonOperators
import CordonServer
import Foundation

/// The command `cordon-server operator add`.
struct OperatorAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an operator, and print the key or password, once.",
    discussion: """
      Without --sign-in-name the operator gets a key for the API. With it they get a first password for signing \
      in with a browser. The name is stored encrypted; elsewhere only the pseudonym appears.
      """)

  @OptionGroup var folder: DataOption
  @OptionGroup var config: ConfigOption
  @Option(help: "The operator's name.") var name: String
  @OptionGroup var roles: RoleOptions
  @Option(help: ArgumentHelp("The name that the operator types to sign in.", valueName: "text"))
  var signInName: String?

  func run() throws {
    let (everywhere, venues) = try roles.values()
    let folder = try folder.createdFolder()
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    let configuration = try config.settings()
    let settings = configuration.server.sessions
    let stores = try configuration.operatorStores(folder)
    let accounts = try OperatorSessions(
      settings: settings, accounts: stores.accounts, store: stores.sessions, random: .secure())
    let entry = AccountChange(name: name, signInName: signInName, everywhere: everywhere, roles: venues)
    let secret = accounts.newSecret()
    let password =
      signInName == nil ? nil : PasswordHash(of: secret, cost: settings.cost, salt: accounts.newSalt())?.text
    let account: OperatorAccount
    do throws(Problem) {
      account = try accounts.add(
        entry, password: password, key: signInName == nil ? secret : nil, by: "command", now: now)
    } catch {
      throw ValidationError(error.detail)
    }
    do throws(OutputError) {
      let label = signInName == nil ? "key     " : "password"
      try StandardOutput.write(lines: "operator \(account.id)\n\(label) \(secret)\n")
    } catch {
      // The secret is shown once: without it the operator would be of no use.
      try stores.accounts.changeAccounts { list in list.removeAll { $0.id == account.id } }
      throw error
    }
  }
}

/// The roles of an operator.
struct RoleOptions: ParsableArguments {
  private static let names = Operator.Role.allCases.map(\.rawValue).joined(separator: ", ")

  @Option(help: "The role: metrics, viewer, contact-tracer, operator or admin.") var role: String?
  @Option(help: ArgumentHelp("A venue of --role; repeat it for more. (default: all venues)", valueName: "id"))
  var venue: [String] = []
  @Option(help: ArgumentHelp("Another role at one venue; repeat it for more.", valueName: "id=role"))
  var roleAt: [String] = []

  /// Returns the role at all venues, and those at single ones.
  func values() throws -> (everywhere: Operator.Role?, venues: [VenueID: Operator.Role]) {
    var venues: [VenueID: Operator.Role] = [:]
    for text in roleAt {
      guard let mark = text.lastIndex(of: "="), let id = VenueID(String(text[..<mark])),
        let role = Operator.Role(rawValue: String(text[text.index(after: mark)...]))
      else { throw ValidationError("--role-at: '\(text)' is not an identifier, '=' and one of \(Self.names)") }
      venues[id] = role
    }
    guard let text = role else {
      guard !venues.isEmpty else { throw ValidationError("--role is required, or --role-at") }
      guard venue.isEmpty else { throw ValidationError("--venue needs --role") }
      return (nil, venues)
    }
    guard let role = Operator.Role(rawValue: text) else {
      throw ValidationError("--role: '\(text)' is not one of \(Self.names)")
    }
    for text in venue {
      guard let id = VenueID(text) else { throw ValidationError("--venue: '\(text)' is not an identifier of a venue") }
      venues[id] = max(role, venues[id] ?? role)
    }
    return (venue.isEmpty ? role : nil, venues)
  }
}
