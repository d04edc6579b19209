import ArgumentParser
import CordonConsole
import CordonCore
import CordonOperators
import CordonServer
import CordonSupport

/// The command `cordon-server operator list`.
struct OperatorListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the operators with their names.")

  @OptionGroup var folder: DataOption
  @OptionGroup var config: ConfigOption

  func run() throws {
    for account in try config.settings().operatorStores(try folder.folder()).accounts.accounts() {
      var roles = account.everywhere.map { ["\($0.rawValue)  all venues"] } ?? []
      for role in Set(account.roles.values).sorted() {
        let venues = account.roles.filter { $0.value == role }.keys.map(\.rawValue).sorted()
        roles.append("\(role.rawValue)  \(venues.joined(separator: ","))")
      }
      // A name is one line, whatever it contains.
      let line = "\(account.id)  \(roles.joined(separator: "  "))  \(account.name)".escapedForTerminal()
      try StandardOutput.write(lines: line + (account.isDisabled ? "  (locked)" : "") + "\n")
    }
  }
}
