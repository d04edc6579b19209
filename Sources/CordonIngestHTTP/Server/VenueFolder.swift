public import CordonIngest
internal import NIOConcurrencyHelpers

/// A folder of venue bundles that is read again and again: what cannot be read any more is served as it was before.
public final class VenueFolder: Sendable {
  private let path: String
  private let served = NIOLockedValueBox(VenueCatalog())

  /// A folder.
  public init(_ path: String) { self.path = path }

  /// Reads the folder. What was read of it last takes the place of bundles that are damaged.
  /// - Throws: a conflict when two bundles have one identifier; what was read before stays then.
  public func load() throws -> (catalog: VenueCatalog, refused: [VenueCatalog.Refused]) {
    try served.withLockedValue { served in
      let result = VenueCatalog.load(folder: path, keeping: served)
      if let conflict = result.catalog.conflicts.first { throw conflict }
      // A folder that cannot be read at all is a mistake, and no reason to forget what was in it.
      if !result.catalog.venues.isEmpty { served = result.catalog }
      return result
    }
  }
}
