public import CordonCore

extension StoreError: CordonError {
  /// The action that helps the app or the person.
  public var remedy: String {
    switch kind {
    case .full: "Make room on the disk."
    case .corrupt: "Check the path: the file is not a store, or it is damaged. Move it away to begin with an empty one."
    case .inUse: "Use one monitor for each file and share it, or end the process that has the file."
    case .superseded: "Release this store and open the file anew; use one monitor for each file."
    case .newerVersion: "Update the app: a newer version wrote the store."
    case .locked: "Unlock the device once after its start; a sealed store also needs its sealer."
    case .failed: "Check the path, the owner of the file and its disk."
    }
  }
}

extension SealingError: CordonError {
  /// The action that helps the app or the person.
  public var remedy: String {
    switch kind {
    case .locked: "Unlock the device once after its start."
    case .lostKey: "Begin with an empty store: nothing opens what that key sealed."
    case .damaged: "Take the file from a backup, or begin with an empty store."
    case .failed: "Check the key store and its permissions."
    }
  }
}
