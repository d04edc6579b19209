public import CordonCore
public import CordonGeometry

/// Which spaces of a venue are recorded, and how closely.
///
/// The same policy is packed for the phone and used on the server, so that both agree.
public struct RecordingPolicy: Hashable, Sendable {
  /// Kinds of spaces of which nothing is kept. Restrooms and prayer rooms by default.
  public var unrecordedKinds: Set<SpaceKind>
  /// Kinds of spaces of which only the floor is kept. None by default.
  public var coarseKinds: Set<SpaceKind>
  /// Single spaces of which nothing is kept, whatever their kind.
  public var unrecordedSpaces: Set<SpaceID>
  /// Single spaces of which only the floor is kept, whatever their kind.
  public var coarseSpaces: Set<SpaceID>

  /// A policy; what is in two lists is kept the less.
  public init(
    unrecordedKinds: Set<SpaceKind> = [.restroom, .prayerRoom], coarseKinds: Set<SpaceKind> = [],
    unrecordedSpaces: Set<SpaceID> = [], coarseSpaces: Set<SpaceID> = []
  ) {
    self.unrecordedKinds = unrecordedKinds
    self.coarseKinds = coarseKinds
    self.unrecordedSpaces = unrecordedSpaces
    self.coarseSpaces = coarseSpaces
  }

  /// How much of a fix in a space may be kept. A single space named in a list counts before its kind.
  public func recording(of space: Space) -> GateVerdict.Recording {
    if unrecordedSpaces.contains(space.id) { return .unrecorded }
    if coarseSpaces.contains(space.id) { return .coarse }
    if unrecordedKinds.contains(space.kind) { return .unrecorded }
    return coarseKinds.contains(space.kind) ? .coarse : .full
  }
}
