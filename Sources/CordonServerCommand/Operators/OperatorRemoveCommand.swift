import ArgumentParser
import CordonOperators
import CordonServer

/// The command `cordon-server operator remove`.
struct OperatorRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove an operator.")

  @OptionGroup var folder: DataOption
  @OptionGroup var config: ConfigOption
  @Argument(help: "The pseudonym of the operator.") var id: String

  func run() throws {
    let stores = try config.settings().operatorStores(try folder.folder())
    let wasThere = try stores.accounts.changeAccounts { list in
      let count = list.count
      list.removeAll { $0.id == id }
      return list.count < count
    }
    guard wasThere else { throw ValidationError("no operator \(id)") }
  }
}
