import CordonCore

extension WireError: CordonError {
  /// The action that the sender can take.
  package var remedy: String { "Correct the message at that byte, and send it again." }
}
