public import CordonCore
public import CordonGeometry

/// The rules that determine the level of recording in each space of a venue.
///
/// The same policy is packed for phones and used on the server, so that both agree.
public struct RecordingPolicy: Hashable, Sendable {
  /// Kinds of spaces in which nothing is recorded. By default restrooms and prayer rooms.
  public var unrecordedKinds: Set<SpaceKind>
  /// Kinds of spaces in which only the floor is recorded. By default none.
  public var coarseKinds: Set<SpaceKind>
  /// Spaces in which nothing is recorded, regardless of their kind.
  public var unrecordedSpaces: Set<SpaceID>
  /// Spaces in which only the floor is recorded, regardless of their kind.
  public var coarseSpaces: Set<SpaceID>

  /// Creates a policy. In a space or kind that is in two lists, nothing is recorded.
  public init(
    unrecordedKinds: Set<SpaceKind> = [.restroom, .prayerRoom], coarseKinds: Set<SpaceKind> = [],
    unrecordedSpaces: Set<SpaceID> = [], coarseSpaces: Set<SpaceID> = []
  ) {
    self.unrecordedKinds = unrecordedKinds
    self.coarseKinds = coarseKinds
    self.unrecordedSpaces = unrecordedSpaces
    self.coarseSpaces = coarseSpaces
  }

  /// Returns the level of recording in a space. A rule for the space takes precedence over one for its kind.
  public func recording(of space: Space) -> GateVerdict.Recording {
    if unrecordedSpaces.contains(space.id) { return .unrecorded }
    if coarseSpaces.contains(space.id) { return .coarse }
    if unrecordedKinds.contains(space.kind) { return .unrecorded }
    return coarseKinds.contains(space.kind) ? .coarse : .full
  }
}
