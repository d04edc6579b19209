import ArgumentParser

/// The command `cordon form share`.
struct FormShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Share records of a form with one device on the LAN, without a server.",
    discussion: """
      Example:

        cordon form share screening.json records.jsonl

      Runs 'cordon-server form share', because cordon-server links TLS; the arguments pass to it unchanged. 'cordon form \
      share --help' lists its options, once it is built.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Arguments of 'cordon-server form share'.")
  var arguments: [String] = []

  func run() throws {
    try SiblingProgram(name: "cordon-server", code: "no-server").become(["form", "share"] + arguments)
  }
}

/// The command `cordon form receive`.
struct FormReceiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receive",
    abstract: "Receive records of a form from a device on the LAN.",
    discussion: """
      Example:

        cordon form receive screening.json -o records.jsonl

      Runs 'cordon-server form receive', because cordon-server links TLS; the arguments pass to it unchanged. 'cordon form \
      receive --help' lists its options, once it is built.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Arguments of 'cordon-server form receive'.")
  var arguments: [String] = []

  func run() throws {
    try SiblingProgram(name: "cordon-server", code: "no-server").become(["form", "receive"] + arguments)
  }
}
