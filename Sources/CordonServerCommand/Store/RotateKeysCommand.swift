import ArgumentParser
import CordonConsole
import CordonServer

/// The command `cordon-server rotate-keys`.
struct RotateKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-keys", abstract: "Sign device tokens with a new key from the next reload on.",
    discussion: """
      The former key stays valid, so that no token becomes invalid. Run the command again an hour later to drop it.
      """)

  @OptionGroup var folder: DataOption

  func run() throws { try StandardOutput.write(lines: "key \(try folder.folder().rotateKeys())\n") }
}
