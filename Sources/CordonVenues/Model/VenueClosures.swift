public import CordonCore

/// The parts of a venue that are closed at present, although the map is unchanged. Nothing is assumed in place of a
/// closed part.
public struct VenueClosures: Hashable, Sendable {
  /// Identifiers of closed openings.
  public var openings: Set<String> = []
  /// Identifiers of closed connections.
  public var connections: Set<String> = []
  /// Closed kinds of connections, including those that were derived from stacked spaces.
  public var connectionKinds: Set<Connection.Kind> = []
  /// Closed spaces. A smaller space inside a closed one stays open.
  public var spaces: Set<SpaceID> = []

  /// Creates closures without a closed part.
  public init() {}

  /// Whether nothing is closed.
  public var isEmpty: Bool {
    openings.isEmpty && connections.isEmpty && connectionKinds.isEmpty && spaces.isEmpty
  }
}
