import ArgumentParser
import CordonCommandLine
import Foundation

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
    guard let path = TrackCommand.tracker else {
      throw CommandError(
        "cordon-track is not built; run: swift build -c release --product cordon-track", code: "no-tracker",
        file: TrackCommand.neighbour.path)
    }
    // The process becomes the tracker: its signals, its output and its exit status.
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    // An ignored signal stays ignored in the new program.
    signal(SIGPIPE, SIG_DFL)
    execv(path, words)
    throw CommandError(
      "cannot be started: \(String(cString: strerror(errno)))", code: "no-tracker", status: .internal, file: path)
  }

  /// The tracker beside this executable.
  private static var neighbour: URL {
    (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("cordon-track")
  }

  private static var tracker: String? {
    let path = neighbour.path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }
}
