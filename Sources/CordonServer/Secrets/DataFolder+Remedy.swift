public import CordonCore

extension DataFolder.Fault: CordonError {
  /// The action that the operator can take.
  public var remedy: String { "Check the data folder: its path, its owner, and that no other server uses it." }
}
