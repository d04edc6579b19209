import CordonCore

/// How wrong a phone's positions are: what a positioning system is to a simulation.
///
/// The error of one axis is the sum of a constant of the device and a first-order Gauss-Markov
/// process (correlated in time), now and then replaced by an outlier. Floors are reported late,
/// wrong or not at all with stated probabilities. The reported accuracy is an honest radius at 68 %
/// of the sum, with some spread of its own.
public struct PositionErrorModel: Hashable, Sendable {
  /// Standard deviation of the correlated part, metres per axis.
  public var sigma: Double
  /// Correlation time of that part, seconds.
  public var correlationTime: Double
  /// Standard deviation over devices of the constant part, metres per axis.
  public var biasSigma: Double
  /// Probability that a fix is an outlier.
  public var outlierProbability: Double
  /// Standard deviation of an outlier, metres per axis.
  public var outlierSigma: Double
  /// Probability that a fix carries no floor.
  public var unknownFloorProbability: Double
  /// Probability that a fix carries a neighbouring floor instead of its own.
  public var wrongFloorProbability: Double
  /// Standard deviation of the logarithm of the reported accuracy.
  public var accuracySpread: Double

  /// Takes the values as they are; negative ones count as 0.
  public init(
    sigma: Double, correlationTime: Double, biasSigma: Double, outlierProbability: Double, outlierSigma: Double,
    unknownFloorProbability: Double, wrongFloorProbability: Double, accuracySpread: Double = 0.15
  ) {
    self.sigma = max(sigma, 0)
    self.correlationTime = max(correlationTime, 0)
    self.biasSigma = max(biasSigma, 0)
    self.outlierProbability = max(outlierProbability, 0)
    self.outlierSigma = max(outlierSigma, 0)
    self.unknownFloorProbability = max(unknownFloorProbability, 0)
    self.wrongFloorProbability = max(wrongFloorProbability, 0)
    self.accuracySpread = max(accuracySpread, 0)
  }

  /// The radius that holds 68 % of the errors other than outliers, metres.
  public var accuracy: Double {
    (sigma * sigma + biasSigma * biasSigma).squareRoot() * 1.5096
  }
}

/// Named error models.
public enum PhonePreset: String, Hashable, Sendable, CaseIterable {
  /// No error at all: what contacts would be if phones were perfect.
  case perfect
  /// Calibrated Wi-Fi round-trip-time ranging with access points in sight: about a metre.
  case rtt
  /// Bluetooth fingerprints with a beacon per 30 square metres: 95 % within 2.6 m.
  case ble
  /// Wi-Fi signal strength fingerprints: 95 % within 8.5 m.
  case wifi
  /// Satellites through a roof: several metres, more outliers, no floor half of the time.
  case gps

  /// The model of the preset.
  ///
  /// Sources: ranging errors of Feng 2024 (line of sight, standard deviation 0.9 m); 95 %
  /// quantiles of Faragher and Harle 2015 for beacons and signal strength (a two-dimensional normal
  /// error has its 95 % quantile at 2.448 sigma); indoor satellite errors of Kjærgaard et al. 2010.
  public var model: PositionErrorModel {
    switch self {
    case .perfect:
      PositionErrorModel(
        sigma: 0, correlationTime: 1, biasSigma: 0, outlierProbability: 0, outlierSigma: 0, unknownFloorProbability: 0,
        wrongFloorProbability: 0, accuracySpread: 0)
    case .rtt:
      PositionErrorModel(
        sigma: 0.55, correlationTime: 20, biasSigma: 0.2, outlierProbability: 0.005, outlierSigma: 4,
        unknownFloorProbability: 0.01, wrongFloorProbability: 0.002)
    case .ble:
      PositionErrorModel(
        sigma: 1.0, correlationTime: 20, biasSigma: 0.35, outlierProbability: 0.01, outlierSigma: 6,
        unknownFloorProbability: 0.02, wrongFloorProbability: 0.005)
    case .wifi:
      PositionErrorModel(
        sigma: 3.2, correlationTime: 30, biasSigma: 1.35, outlierProbability: 0.02, outlierSigma: 15,
        unknownFloorProbability: 0.05, wrongFloorProbability: 0.03)
    case .gps:
      PositionErrorModel(
        sigma: 5, correlationTime: 60, biasSigma: 2, outlierProbability: 0.05, outlierSigma: 30,
        unknownFloorProbability: 0.5, wrongFloorProbability: 0.05)
    }
  }
}

/// What purpose a stream of random numbers serves in phones; two must never share a number.
enum PhoneStream {
  static let device: UInt32 = 0x5001
  static let fix: UInt32 = 0x5002
  static let runtime: UInt32 = 0x5003
}

/// The error of one phone as time goes on. Times must not go back.
struct PositionError: Sendable {
  private let model: PositionErrorModel
  private let bias: PlaneOffset
  private let stream: RandomStream
  private var process: PlaneOffset
  private var last: Instant?

  struct PlaneOffset: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// One fix's worth of error.
  struct Sample: Sendable {
    var offset: PlaneOffset
    /// Radius at 68 %, metres.
    var accuracy: Double
    var floor: FloorReport
  }

  enum FloorReport: Sendable { case right, unknown, wrong(up: Bool) }

  init(model: PositionErrorModel, seed: UInt64, replica: UInt32, device: Int) {
    self.model = model
    var own = RandomStream(seed: seed, replica: replica, stream: PhoneStream.device, entity: UInt64(device))
    bias = PlaneOffset(x: model.biasSigma * own.nextNormal(), y: model.biasSigma * own.nextNormal())
    process = PlaneOffset(x: model.sigma * own.nextNormal(), y: model.sigma * own.nextNormal())
    stream = RandomStream(seed: seed, replica: replica, stream: PhoneStream.fix, entity: UInt64(device))
  }

  /// The error of the fix with the given running number at `time`.
  mutating func sample(fix number: Int, at time: Instant) -> Sample {
    var random = Cursor(stream: stream, start: UInt64(number) &* 6)
    if let last {
      let elapsed = max((time - last).seconds, 0)
      let keep = model.correlationTime > 0 ? PortableMath.exp(-elapsed / model.correlationTime) : 0
      let innovation = model.sigma * (1 - keep * keep).squareRoot()
      let (first, second) = random.nextNormalPair()
      process.x = keep * process.x + innovation * first
      process.y = keep * process.y + innovation * second
    } else {
      _ = random.nextNormalPair()
    }
    last = time
    var offset = PlaneOffset(x: bias.x + process.x, y: bias.y + process.y)
    let (wide, spread) = random.nextNormalPair()
    let (other, _) = random.nextNormalPair()
    if random.nextUnit() < model.outlierProbability {
      offset = PlaneOffset(x: model.outlierSigma * wide, y: model.outlierSigma * other)
    }
    let accuracy = max(model.accuracy, 0.05) * PortableMath.exp(model.accuracySpread * spread)
    let floorDraw = random.nextUnit()
    let floor: FloorReport
    if floorDraw < model.unknownFloorProbability {
      floor = .unknown
    } else if floorDraw < model.unknownFloorProbability + model.wrongFloorProbability {
      floor = .wrong(up: random.nextUnit() < 0.5)
    } else {
      floor = .right
    }
    return Sample(offset: offset, accuracy: (accuracy * 100).rounded() / 100, floor: floor)
  }
}

/// Reads a random stream from a place of its own, so that a fix has the same error whether or not
/// the fixes before it were asked for.
private struct Cursor {
  let stream: RandomStream
  var position: UInt64
  var spare: UInt64?

  init(stream: RandomStream, start: UInt64) {
    self.stream = stream
    position = start
  }

  mutating func nextUnit() -> Double {
    if let spare {
      self.spare = nil
      return Double(spare >> 11) * 0x1p-53
    }
    let pair = stream.block(at: position)
    position &+= 1
    spare = pair.1
    return Double(pair.0 >> 11) * 0x1p-53
  }

  mutating func nextNormalPair() -> (Double, Double) {
    let radius = (-2 * PortableMath.log(1 - nextUnit())).squareRoot()
    let (sine, cosine) = PortableMath.sincos(2 * Double.pi * nextUnit())
    return (radius * cosine, radius * sine)
  }
}
