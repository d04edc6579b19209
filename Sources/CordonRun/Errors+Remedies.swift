public import CordonCore

extension RunContentsError: CordonError {
  /// The action that resolves the error.
  package var remedy: String { "Correct that part before writing; nothing was written." }
}

extension RunFolderError: CordonError {
  /// The action that resolves the error.
  public var remedy: String {
    switch code {
    case .exists: "Choose another folder, or replace the run with --force."
    case .notReplaceable: "Choose another folder: this one holds files that are not a run's."
    case .cannotWrite: "Check the permissions and the free space of the disk."
    case .notFound: "Check the path."
    case .notARun: "Name a folder that a run wrote."
    case .tooNew: "Update Cordon."
    case .damaged: "Make the run again, or take it from a backup."
    }
  }
}
