public import CordonCore

extension DataFolder.Fault: CordonError {
  /// What the operator can do.
  public var remedy: String { "Check the data folder: its path, its owner, and that no other server uses it." }
}
