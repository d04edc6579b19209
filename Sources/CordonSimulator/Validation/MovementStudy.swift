/// A test of a model without a known result: curves, and remarks on them.
public struct MovementStudy: Hashable, Sendable {
  /// A short name for scripts, such as `rimea-8`.
  public var id: String
  /// A title for readers.
  public var title: String
  /// The quantity on the horizontal axis, with its unit.
  public var xName: String
  /// The quantity on the vertical axis, with its unit.
  public var yName: String
  /// The curves.
  public var series: [Series]
  /// Observations on the curves, one sentence each.
  public var remarks: [String]

  /// One curve.
  public struct Series: Hashable, Sendable {
    /// The name of the curve.
    public var name: String
    /// The points of the curve, ordered by x.
    public var points: [Point]

    /// Creates a curve from its parts.
    public init(name: String, points: [Point]) {
      self.name = name
      self.points = points
    }
  }

  /// A point of a curve.
  public struct Point: Hashable, Sendable {
    /// The horizontal value.
    public var x: Double
    /// The vertical value; infinity if it was never reached.
    public var y: Double

    /// Creates a point from its coordinates.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Creates a study from its parts.
  public init(
    _ id: String, _ title: String, xName: String, yName: String, series: [Series], remarks: [String]
  ) {
    self.id = id
    self.title = title
    self.xName = xName
    self.yName = yName
    self.series = series
    self.remarks = remarks
  }
}
