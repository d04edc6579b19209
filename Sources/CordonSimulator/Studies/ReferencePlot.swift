import CordonCore

/// A plot of a model's result with measured reference curves.
package struct ReferencePlot: Hashable, Sendable {
  /// A short name for scripts, such as `ble`.
  package var id: String
  /// A title for readers.
  package var title: String
  /// The quantity on the horizontal axis, with its unit.
  package var xName: String
  /// The quantity on the vertical axis, with its unit.
  package var yName: String
  /// Whether both axes are logarithmic; all values are then greater than zero.
  package var isLogarithmic: Bool
  /// The model's curve.
  package var model: [MovementStudy.Point]
  /// The curves that were measured, or that follow from measured figures.
  package var references: [MovementStudy.Series]
  /// Measured figures, with the bands in which the model's figures must lie.
  package var marks: [Mark]

  /// A measured figure on the plot.
  package struct Mark: Hashable, Sendable {
    /// The name of the figure, such as `95 % quantile`.
    package var name: String
    /// The measured value, on the horizontal axis.
    package var x: Double
    /// The position of the mark on the vertical axis.
    package var y: Double
    /// The accepted values, on the horizontal axis.
    package var band: ClosedRange<Double>

    /// Creates a mark from its parts.
    package init(name: String, x: Double, y: Double, band: ClosedRange<Double>) {
      self.name = name
      self.x = x
      self.y = y
      self.band = band
    }
  }

  /// Creates a plot from its parts.
  /// - Parameters:
  ///   - id: a short name for scripts.
  ///   - title: a title for readers.
  ///   - xName: the quantity on the horizontal axis, with its unit.
  ///   - yName: the quantity on the vertical axis, with its unit.
  ///   - isLogarithmic: whether both axes are logarithmic.
  ///   - model: the model's curve.
  ///   - references: the reference curves.
  ///   - marks: single measured figures.
  package init(
    _ id: String, _ title: String, xName: String, yName: String, isLogarithmic: Bool = false,
    model: [MovementStudy.Point], references: [MovementStudy.Series], marks: [Mark] = []
  ) {
    self.id = id
    self.title = title
    self.xName = xName
    self.yName = yName
    self.isLogarithmic = isLogarithmic
    self.model = model
    self.references = references
    self.marks = marks
  }
}

extension ReferencePlot {
  /// Returns the cumulative distribution of a normal distribution, from three deviations below the mean to four above
  /// it.
  static func normal(mean: Double, deviation: Double) -> [MovementStudy.Point] {
    // The integral has no closed form, so the function uses Simpson's rule.
    func density(_ z: Double) -> Double { PortableMath.exp(-z * z / 2) / (2 * Double.pi).squareRoot() }
    let width = 0.1
    var below = 0.00135
    var points = [MovementStudy.Point(x: mean - 3 * deviation, y: below)]
    for step in 1...70 {
      let z = -3 + Double(step) * width
      below += width / 6 * (density(z - width) + 4 * density(z - width / 2) + density(z))
      points.append(MovementStudy.Point(x: mean + z * deviation, y: min(below, 1)))
    }
    return points
  }

  /// Returns the cumulative distribution of distances whose east and north errors are independent and normal, with
  /// equal variance.
  /// - Parameter meanSquare: the mean square of the distance, in square metres.
  static func circular(meanSquare: Double) -> [MovementStudy.Point] {
    let root = meanSquare.squareRoot()
    return (0...60).map { step in
      let distance = root * Double(step) * 0.05
      return MovementStudy.Point(x: distance, y: 1 - PortableMath.exp(-distance * distance / meanSquare))
    }
  }

  /// Returns the empirical cumulative distribution of a sample, at its quantiles.
  static func curve(of sample: Sample) -> [MovementStudy.Point] {
    let shares = [0.005] + (1...99).map { Double($0) / 100 } + [0.995]
    return shares.map { MovementStudy.Point(x: sample.quantile($0), y: $0) }.filter { $0.x.isFinite }
  }
}
