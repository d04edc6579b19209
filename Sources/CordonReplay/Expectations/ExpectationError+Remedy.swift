import CordonCore

extension ExpectationError: CordonError {
  /// The action that resolves the error.
  package var remedy: String {
    "Correct the file of expectations at that line; docs/reference/replay.md lists the keys."
  }
}
