import CordonCommandLine
import Foundation

/// An executable beside this one, which links what `cordon` does without, such as cryptography.
struct SiblingProgram {
  /// The name of its file and product.
  let name: String
  /// The code of the error when it cannot be started.
  let code: String

  /// Starts the program in place of this one: the process becomes it, with its signals, its output and its exit status.
  /// - Throws: `CommandError` when it is not built or cannot be started.
  func become(_ arguments: [String]) throws -> Never {
    let path = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(name).path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw CommandError(
        "\(name) is not built; run: swift build -c release --product \(name)", code: code, file: path)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    // An ignored signal stays ignored in the new program.
    signal(SIGPIPE, SIG_DFL)
    execv(path, words)
    throw CommandError(
      "cannot be started: \(String(cString: strerror(errno)))", code: code, status: .internal, file: path)
  }
}
