public import CordonCore

/// What of a venue is shut for the time being, while the map stays what it is: what was mapped is not replaced by
/// something assumed.
public struct VenueClosures: Hashable, Sendable {
  /// Identifiers of openings that nobody goes through.
  public var openings: Set<String> = []
  /// Identifiers of connections that nobody uses.
  public var connections: Set<String> = []
  /// Kinds of connection that nobody uses, those that were taken from spaces above one another among them.
  public var connectionKinds: Set<Connection.Kind> = []
  /// Spaces that nobody is in or walks through. A smaller space inside one of them stays open.
  public var spaces: Set<SpaceID> = []

  /// Nothing is shut.
  public init() {}

  /// Whether nothing is shut.
  public var isEmpty: Bool {
    openings.isEmpty && connections.isEmpty && connectionKinds.isEmpty && spaces.isEmpty
  }
}
