import ArgumentParser
import CordonServer

/// The command `cordon-server rebuild-log`.
struct RebuildLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild-log",
    abstract: "Rebuild a lost or damaged log of decisions from the store.",
    discussion: """
      Only for the store that ran last: an earlier copy lacks the decisions made after it. The former log is kept as \
      decisions.sqlite.before-rebuild.
      """)

  @OptionGroup var folder: DataOption

  func run() throws {
    let folder = try folder.folder()
    let lock = try folder.lock()
    defer { lock.release() }
    try folder.rebuildLog()
  }
}
