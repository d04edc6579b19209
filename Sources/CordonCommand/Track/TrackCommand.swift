import ArgumentParser

/// The command `cordon track`.
struct TrackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Track this machine with gpsd while it is in a venue.",
    discussion: """
      Example:

        cordon track --venue office.cvp --store track.sqlite \\
          --sink cordon=https://cordon.example.org --dry-run

      Runs cordon-track, a separate executable because it links cryptography; the arguments after 'track' pass to it \
      unchanged. 'cordon track --help' lists its commands, once it is built: make track.
      """)

  @Argument(parsing: .captureForPassthrough, help: "Arguments of cordon-track.")
  var arguments: [String] = []

  func run() throws {
    try SiblingProgram(name: "cordon-track", code: "no-tracker").become(arguments)
  }
}
