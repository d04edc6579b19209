/// A sink's answer about one location of a batch.
public enum RowStatus: Hashable, Sendable {
  /// It is kept now.
  case stored
  /// It had been kept before; that is as good as stored.
  case known
  /// It will never be kept; the reason is for people.
  case refused(reason: String)
  /// Not now; send it again.
  case retry

  /// Whether the sink has the location.
  public var isKept: Bool { self == .stored || self == .known }
}
