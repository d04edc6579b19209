import Foundation

extension ContactInput {
  /// Refuses to write over a file that is read.
  func refuseAsOutput(_ outputs: String?...) throws {
    let inputs = [path, path + "/run.sqlite", venuePath].compactMap { $0.flatMap(FileIdentity.init) }
    for case let output? in outputs where output != "-" {
      guard let identity = FileIdentity(output), inputs.contains(identity) else { continue }
      throw Failure("is what is read; give another name to write to", code: "usage", file: output)
    }
  }
}

/// Which file a path leads to, whatever it is called.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// `nil` when there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
