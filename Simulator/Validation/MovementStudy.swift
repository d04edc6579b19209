/// A question to a model that has no right answer, only one worth knowing: curves with what is to be seen in them.
public struct MovementStudy: Hashable, Sendable {
  /// A short name for scripts: `rimea-8`.
  public var id: String
  /// What is looked at, for people.
  public var title: String
  /// What the horizontal axis shows, with its unit.
  public var xName: String
  /// What the vertical axis shows, with its unit.
  public var yName: String
  /// The curves.
  public var series: [Series]
  /// What is to be seen, in sentences.
  public var remarks: [String]

  /// One curve.
  public struct Series: Hashable, Sendable {
    /// What it shows.
    public var name: String
    /// Its points, by x.
    public var points: [Point]

    /// Takes the values as they are.
    public init(name: String, points: [Point]) {
      self.name = name
      self.points = points
    }
  }

  /// A point of a curve.
  public struct Point: Hashable, Sendable {
    /// The horizontal value.
    public var x: Double
    /// The vertical value; infinite when it was never reached.
    public var y: Double

    /// Takes the values as they are.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Takes the values as they are.
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
