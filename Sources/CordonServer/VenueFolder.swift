package import CordonIngest
internal import NIOConcurrencyHelpers

/// A folder of venue bundles that is reloaded repeatedly; unreadable bundles keep their last readable version.
public final class VenueFolder: Sendable {
  private let path: String
  private let served = NIOLockedValueBox(VenueCatalog())

  /// A folder.
  public init(_ path: String) { self.path = path }

  /// Reads the folder. The last readable version replaces a damaged bundle.
  /// - Throws: a conflict when two bundles have one identifier; the previous catalog then stays.
  package func load() throws -> (catalog: VenueCatalog, refused: [VenueCatalog.Refused]) {
    try served.withLockedValue { served in
      let result = VenueCatalog.load(folder: path, keeping: served)
      if let conflict = result.catalog.conflicts.first { throw conflict }
      // An unreadable folder is an error and must not discard the previous catalog.
      if !result.catalog.venues.isEmpty { served = result.catalog }
      return result
    }
  }
}

/// The folder of venue bundles has no venue that can be served.
package struct NoVenueFault: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "no venue that can be served" }
}
