import CordonConsole
import CordonSharing
import Foundation

/// The questions of a sharing to its person, on standard error; the answers are lines of standard input.
enum SharePrompt {
  /// Shows the code of this device, and reads that of the other one. The text is empty at the end of standard input.
  static func code(of other: String, own: ShareCode) async -> String {
    StandardOutput.note("code of this device: \(own)\nType the code that the \(other) shows: ")
    return await withCheckedContinuation { continuation in
      // Reading blocks its thread until the person types.
      Thread.detachNewThread { continuation.resume(returning: readLine() ?? "") }
    }
  }
}
