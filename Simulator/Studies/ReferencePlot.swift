import CordonCore

/// What a model gives, drawn over what was measured.
public struct ReferencePlot: Hashable, Sendable {
  /// A short name for scripts, such as `ble`.
  public var id: String
  /// What is looked at, for people.
  public var title: String
  /// What the horizontal axis shows, with its unit.
  public var xName: String
  /// What the vertical axis shows, with its unit.
  public var yName: String
  /// Whether both axes are logarithmic; all values are above zero then.
  public var isLogarithmic: Bool
  /// What the model gives.
  public var model: [MovementStudy.Point]
  /// Curves that were measured, or that follow from figures that were.
  public var references: [MovementStudy.Series]
  /// Single figures that were measured, with the band that the model's must lie in.
  public var marks: [Mark]

  /// A measured figure on the plot.
  public struct Mark: Hashable, Sendable {
    /// What it is: `95 % quantile`.
    public var name: String
    /// The measured value, on the horizontal axis.
    public var x: Double
    /// At what height it stands.
    public var y: Double
    /// What passes, on the horizontal axis.
    public var band: ClosedRange<Double>

    /// Takes the values as they are.
    public init(name: String, x: Double, y: Double, band: ClosedRange<Double>) {
      self.name = name
      self.x = x
      self.y = y
      self.band = band
    }
  }

  /// Takes the parts as they are.
  public init(
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
  /// The share of a normal distribution below each of some values, from three deviations below the mean to four above.
  static func normal(mean: Double, deviation: Double) -> [MovementStudy.Point] {
    // Summed up by Simpson's rule: there is no closed form.
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

  /// The share of distances below each of some values, when east and north errors are independent, normal and alike.
  /// - Parameter meanSquare: of the distance, square metres.
  static func circular(meanSquare: Double) -> [MovementStudy.Point] {
    let root = meanSquare.squareRoot()
    return (0...60).map { step in
      let distance = root * Double(step) * 0.05
      return MovementStudy.Point(x: distance, y: 1 - PortableMath.exp(-distance * distance / meanSquare))
    }
  }

  /// The share of a sample below its quantiles.
  static func curve(of sample: Sample) -> [MovementStudy.Point] {
    let shares = [0.005] + (1...99).map { Double($0) / 100 } + [0.995]
    return shares.map { MovementStudy.Point(x: sample.quantile($0), y: $0) }.filter { $0.x.isFinite }
  }
}
