internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The end of the process that started this one.
///
/// A process that is killed cannot end its children. It gives each child the reading end of a pipe and keeps the writing end, which
/// the system closes with it. The environment variable ``variable`` names the descriptor of the reading end.
package enum Lifeline {
  /// The name of the environment variable.
  package static let variable = "CORDON_LIFELINE"

  /// Ends this process when the pipe ends: its unfinished files are removed. Nothing happens without a pipe of that name.
  package static func watch(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    guard let pipe = descriptor(environment) else { return }
    Thread.detachNewThread {
      waitForEnd(of: pipe)
      Interruption.endProcess()
    }
  }

  /// Returns the descriptor that the environment names, when it is a pipe. Programs that are started later do not inherit it.
  static func descriptor(_ environment: [String: String]) -> Int32? {
    guard let pipe = environment[variable].flatMap({ Int32($0) }), pipe > 2 else { return nil }
    var status = stat()
    guard fstat(pipe, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    _ = fcntl(pipe, F_SETFD, FD_CLOEXEC)
    return pipe
  }

  /// Returns when all writing ends of a pipe are closed. Bytes have no meaning.
  static func waitForEnd(of pipe: Int32) {
    var byte: UInt8 = 0
    while true {
      let count = read(pipe, &byte, 1)
      if count == 0 || count < 0 && errno != EINTR { return }
    }
  }
}
