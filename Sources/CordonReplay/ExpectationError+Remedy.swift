public import CordonCore

extension ExpectationError: CordonError {
  /// What to do about the file.
  public var remedy: String {
    "Correct the file of expectations at that line; docs/reference/replay.md lists the keys."
  }
}
