public import CordonCore
public import CordonGeometry

/// The rules that determine the level of recording in each space of a venue.
///
/// The same policy is packed for phones and used on the server, so that both agree.
public struct RecordingPolicy: Hashable, Sendable {
  /// Kinds of spaces in which nothing is recorded. By default restrooms and prayer rooms.
  public var unrecordedKinds: Set<SpaceKind>
  /// Kinds of spaces in which only the floor is recorded. By default none.
  public var floorOnlyKinds: Set<SpaceKind>
  /// Spaces in which nothing is recorded, regardless of their kind.
  public var unrecordedSpaces: Set<SpaceID>
  /// Spaces in which only the floor is recorded, regardless of their kind.
  public var floorOnlySpaces: Set<SpaceID>

  /// Creates a policy. In a space or kind that is in two lists, nothing is recorded.
  public init(
    unrecordedKinds: Set<SpaceKind> = [.restroom, .prayerRoom], floorOnlyKinds: Set<SpaceKind> = [],
    unrecordedSpaces: Set<SpaceID> = [], floorOnlySpaces: Set<SpaceID> = []
  ) {
    self.unrecordedKinds = unrecordedKinds
    self.floorOnlyKinds = floorOnlyKinds
    self.unrecordedSpaces = unrecordedSpaces
    self.floorOnlySpaces = floorOnlySpaces
  }

  /// Returns the level of recording in a space.
  ///
  /// A rule for the space takes precedence over one for its kind. Of a rule here and one of the venue's overlay, the one
  /// that records less applies. So it is with the kinds of a space whose kind the overlay changes.
  public func recording(of space: Space) -> GateVerdict.Recording {
    if unrecordedSpaces.contains(space.id) || space.recording == .unrecorded { return .unrecorded }
    if floorOnlySpaces.contains(space.id) || space.recording == .floorOnly { return .floorOnly }
    let kinds: Set = [space.kind, space.mappedKind ?? space.kind]
    if !unrecordedKinds.isDisjoint(with: kinds) { return .unrecorded }
    return floorOnlyKinds.isDisjoint(with: kinds) ? .full : .floorOnly
  }
}
