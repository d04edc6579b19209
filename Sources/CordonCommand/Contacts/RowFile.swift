import Foundation

/// A text file that is written row by row and appears under its name when it is whole; `-` is standard output.
final class RowFile {
  private let path: String
  private let temporary: String
  private let file: UnsafeMutablePointer<FILE>
  private var isOpen = true

  /// Begins a file.
  init(path: String) throws {
    self.path = path
    let url = URL(fileURLWithPath: path)
    temporary =
      url.deletingLastPathComponent().appendingPathComponent(
        ".\(url.lastPathComponent).\(getpid()).partial"
      ).path
    guard let opened = path == "-" ? fdopen(dup(1), "w") : fopen(temporary, "w") else {
      throw Failure(String(cString: strerror(errno)), code: "cannot-write", file: path)
    }
    file = opened
    setvbuf(file, nil, _IOFBF, 1 << 18)
  }

  deinit {
    guard isOpen else { return }
    fclose(file)
    if path != "-" { unlink(temporary) }
  }

  /// Adds text.
  func write(_ text: String) throws {
    var text = text
    let isWritten = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) == $0.count }
    guard isWritten else { return try fail() }
  }

  /// Ends the file and gives it its name.
  func finish() throws {
    isOpen = false
    guard fclose(file) == 0 else {
      if path != "-" { unlink(temporary) }
      return try fail()
    }
    if path != "-", rename(temporary, path) != 0 { try fail() }
  }

  private func fail() throws {
    // A reader of standard output that goes away is no error.
    if path == "-", errno == EPIPE { return }
    throw Failure(String(cString: strerror(errno)), code: "cannot-write", file: path)
  }
}
