public import CordonCore

extension WireError: CordonError {
  /// What the sender can do.
  public var remedy: String { "Correct the message at that byte, and send it again." }
}
