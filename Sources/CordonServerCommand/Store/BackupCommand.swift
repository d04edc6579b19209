import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonIngest
import CordonServer
import Foundation

/// The command `cordon-server backup`.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the store to a file, and check the copy.",
    discussion: """
      The server may run meanwhile. The copy includes the log of decisions: erasures, withdrawals, revocations and \
      accesses. With --decisions it holds that log alone; copy it to another machine often, so that a restore knows all \
      decisions. Keys and operators are in neither: store keys.json, operators.sealed and operators.key apart. Data erased \
      from the store stay in backups: keep backups no longer than positions.
      """)

  @OptionGroup var folder: DataOption

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; it must not exist.", valueName: "file"))
  var output: String

  @Flag(help: "Copy the log of decisions alone.")
  var decisions = false

  func run() throws {
    // A link names the place of the copy; it is not replaced.
    let output = OutputFile.resolved(output)
    guard !FileManager.default.fileExists(atPath: output) else { throw ValidationError("\(output) exists already") }
    let folder = try folder.folder()
    try folder.checkNoRestoreIsPending()
    let temporary = output + ".part"
    try? FileManager.default.removeItem(atPath: temporary)
    if decisions {
      try folder.openLog().backUp(to: temporary)
    } else {
      var options = SQLitePositionStore.Options()
      options.isReadOnly = true
      let store = try SQLitePositionStore(path: folder.storePath, options: options)
      try store.backUp(to: temporary, log: folder.openLog())
    }
    guard rename(temporary, output) == 0 else {
      throw CommandError("cannot be written", code: "cannot-write", file: output)
    }
  }
}
