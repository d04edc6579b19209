/// A test of a model without a known result: curves, and remarks on them.
package struct MovementStudy: Hashable, Sendable {
  /// A short name for scripts, such as `rimea-8`.
  package var id: String
  /// A title for readers.
  package var title: String
  /// The quantity on the horizontal axis, with its unit.
  package var xName: String
  /// The quantity on the vertical axis, with its unit.
  package var yName: String
  /// The curves.
  package var series: [Series]
  /// Observations on the curves, one sentence each.
  package var remarks: [String]

  /// One curve.
  package struct Series: Hashable, Sendable {
    /// The name of the curve.
    package var name: String
    /// The points of the curve, ordered by x.
    package var points: [Point]

    /// Creates a curve from its parts.
    package init(name: String, points: [Point]) {
      self.name = name
      self.points = points
    }
  }

  /// A point of a curve.
  package struct Point: Hashable, Sendable {
    /// The horizontal value.
    package var x: Double
    /// The vertical value; infinity if it was never reached.
    package var y: Double

    /// Creates a point from its coordinates.
    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Creates a study from its parts.
  package init(
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
