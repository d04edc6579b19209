/// A sink's answer about one location of a batch.
public enum RowStatus: Hashable, Sendable {
  /// The sink stored the location.
  case stored
  /// The sink had stored the location before; equivalent to ``stored``.
  case known
  /// The sink will never store the location; the reason is for people.
  case refused(reason: String)
  /// The sink did not store the location now; send it again.
  case retry

  /// Whether the sink has the location.
  public var isKept: Bool { self == .stored || self == .known }
}
