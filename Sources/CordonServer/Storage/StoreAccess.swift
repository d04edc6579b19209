package import CordonIngest

/// How a server opens its store: for the writer, and for those who only read beside it.
package struct StoreAccess: Sendable {
  /// Those who read, each with a store of their own.
  package enum Readers: Hashable, Sendable {
    /// Persons who ask for their own data.
    case persons
    /// Operators.
    case operators
  }

  /// Whether the store lies in the data folder, and fills its disk.
  package var isInFolder: Bool
  /// Opens the store to write. The parameter is the maximum size of its log between two checkpoints, bytes; `nil` for the default.
  package var writer: @Sendable (_ logBytes: Int?) throws -> any PositionStore
  /// Opens the store to read.
  package var reader: @Sendable (Readers) throws -> any PositionStore
  /// Checks the store within a time limit.
  package var check: @Sendable (_ limit: Duration) throws -> SQLitePositionStore.Soundness

  /// Takes the functions as they are.
  package init(
    isInFolder: Bool, writer: @escaping @Sendable (_ logBytes: Int?) throws -> any PositionStore,
    reader: @escaping @Sendable (Readers) throws -> any PositionStore,
    check: @escaping @Sendable (_ limit: Duration) throws -> SQLitePositionStore.Soundness
  ) {
    self.isInFolder = isInFolder
    self.writer = writer
    self.reader = reader
    self.check = check
  }

  /// The file `cordon.sqlite` of a data folder.
  package static func file(of folder: DataFolder) -> StoreAccess {
    @Sendable func reader() throws -> SQLitePositionStore {
      var options = SQLitePositionStore.Options()
      options.isReadOnly = true
      return try SQLitePositionStore(path: folder.storePath, options: options)
    }
    return StoreAccess(
      isInFolder: true,
      writer: { logBytes in
        let store = try folder.openStore()
        if let logBytes { try store.limitLog(bytes: logBytes) }
        return store
      }, reader: { _ in try reader() }, check: { limit in try reader().check(for: limit) })
  }
}
