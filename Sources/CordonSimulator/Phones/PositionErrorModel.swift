import CordonCore

/// The positioning error of a phone.
///
/// The error on each axis is the sum of three parts: a constant of the device, a first-order Gauss-Markov process
/// (correlated in time) and an optional push in a slowly turning direction. An outlier sometimes replaces the sum.
/// Floors are wrong or missing with given probabilities. The reported accuracy is the radius at 68 % of the sum, with a
/// random spread.
public struct PositionErrorModel: Hashable, Sendable {
  /// Standard deviation of the correlated part, in metres per axis.
  public var sigma: Double
  /// Correlation time of the correlated part, in seconds.
  public var correlationTime: Double
  /// Standard deviation of the constant part over devices, in metres per axis.
  public var biasSigma: Double
  /// Probability that a fix is an outlier, 0 ... 1.
  public var outlierProbability: Double
  /// Standard deviation of an outlier, in metres per axis.
  public var outlierSigma: Double
  /// Probability that a fix has no floor, 0 ... 1.
  public var unknownFloorProbability: Double
  /// Probability that a fix has a neighbouring floor instead of its own, 0 ... 1.
  public var wrongFloorProbability: Double
  /// Standard deviation of the logarithm of the reported accuracy.
  public var accuracySpread: Double
  /// Mean displacement in a direction that turns slowly, in metres. It models ranges that are always too long, such as
  /// those measured round a corner.
  public var push = 0.0
  /// Displacement of an outlier in that direction, in metres.
  public var outlierPush = 0.0

  /// Creates a model from its parameters; negative ones count as 0.
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

  /// The radius that contains 68 % of the errors without outliers, in metres.
  public var accuracy: Double {
    (sigma * sigma + biasSigma * biasSigma + push * push / 2).squareRoot() * PositionErrorModel.radiusFactor
  }
}

/// Named error models.
public enum PhonePreset: String, Hashable, Sendable, CaseIterable {
  /// No error: the contacts that perfect phones would observe.
  case perfect
  /// Ultra-wideband anchors in one hall: 68 % within 0.39 m, with the delay of the tag's filter removed.
  case uwb
  /// Positions from several calibrated Wi-Fi round-trip-time ranges in line of sight: an error of about a metre.
  case rtt
  /// An error along any line like that of one calibrated range with the access point in sight.
  case rttSight = "rtt-los"
  /// An error like that of a range through walls: too long by almost a metre.
  case rttBehindWalls = "rtt-nlos"
  /// An error like that of the ranges of a phone that is carried among cars and people.
  case rttWalking = "rtt-walking"
  /// Bluetooth fingerprints with a beacon per 30 square metres: 95 % within 2.6 m.
  case ble
  /// Bluetooth fingerprints with a beacon per 100 square metres: 95 % within 4.8 m.
  case bleSparse = "ble-sparse"
  /// Wi-Fi signal strength fingerprints: 95 % within 8.5 m.
  case wifi
  /// Satellites near windows or under a light roof: about 5 m (root mean square), and often no floor.
  case gpsNear = "gps-near"
  /// Satellites through a roof: several metres, more outliers, and no floor for half of the fixes.
  case gps
  /// Positions from Wi-Fi and cell towers alone: a median error of 74 m.
  case network

  /// The error model of the preset.
  ///
  /// Sources:
  /// - Feng 2024: ranging errors in sight (mean -0.2 m, standard deviation 0.9 m) and behind walls (mean 0.9 m,
  ///   standard deviation 1.1 m, 95 % quantile 3.1 m).
  /// - Yu: ranging errors of a walking phone in a car park (mean 0.84 m, standard deviation 1.8 m, median of the
  ///   absolute value 1.13 m, quantiles 3.8 m at 95 % and 7.8 m at 99 %).
  /// - Faragher and Harle 2015: 95 % quantiles of beacons and signal strength. A two-dimensional normal error has its
  ///   95 % quantile at 2.448 sigma.
  /// - Kjærgaard et al. 2010: indoor satellite errors.
  /// - Zandbergen 2009: the median of network positions.
  /// - University of Southern Denmark 2019 (doi 10.1145/3359427.3361909): a walking person's tag against a stereo camera
  ///   (quantiles 0.31 m at 50 %, 0.39 m at 68 %, 0.53 m at 95 %). The error of the camera is part of them.
  ///
  /// `rtt` follows from `rtt-los`: with five access points all round, a least-squares position leaves 0.9 * sqrt(2 / 5)
  /// m per axis. `PhoneValidation` checks the models against these figures.
  public var model: PositionErrorModel {
    switch self {
    case .perfect:
      PositionErrorModel(
        sigma: 0, correlationTime: 1, biasSigma: 0, outlierProbability: 0, outlierSigma: 0, unknownFloorProbability: 0,
        wrongFloorProbability: 0, accuracySpread: 0)
    case .uwb:
      PositionErrorModel(
        sigma: 0.2, correlationTime: 3, biasSigma: 0.12, outlierProbability: 0.005, outlierSigma: 0.8,
        unknownFloorProbability: 0.01, wrongFloorProbability: 0.002)
    case .rtt:
      PositionErrorModel(
        sigma: 0.55, correlationTime: 20, biasSigma: 0.2, outlierProbability: 0.005, outlierSigma: 4,
        unknownFloorProbability: 0.01, wrongFloorProbability: 0.002)
    case .rttSight:
      PositionErrorModel(
        sigma: 0.85, correlationTime: 20, biasSigma: 0.3, outlierProbability: 0, outlierSigma: 0,
        unknownFloorProbability: 0.01, wrongFloorProbability: 0.002)
    case .rttBehindWalls:
      PositionErrorModel(
        sigma: 1.0, correlationTime: 20, biasSigma: 0.35, outlierProbability: 0.02, outlierSigma: 1.8,
        unknownFloorProbability: 0.02, wrongFloorProbability: 0.005
      ).pushed(by: 0.88, outliers: 2.5)
    case .rttWalking:
      PositionErrorModel(
        sigma: 1.36, correlationTime: 15, biasSigma: 0.33, outlierProbability: 0.08, outlierSigma: 3,
        unknownFloorProbability: 0.02, wrongFloorProbability: 0.005
      ).pushed(by: 0.6, outliers: 4)
    case .ble:
      PositionErrorModel(
        sigma: 1.0, correlationTime: 20, biasSigma: 0.35, outlierProbability: 0.01, outlierSigma: 6,
        unknownFloorProbability: 0.02, wrongFloorProbability: 0.005)
    case .bleSparse:
      PositionErrorModel(
        sigma: 1.8, correlationTime: 25, biasSigma: 0.65, outlierProbability: 0.01, outlierSigma: 8,
        unknownFloorProbability: 0.03, wrongFloorProbability: 0.01)
    case .wifi:
      PositionErrorModel(
        sigma: 3.2, correlationTime: 30, biasSigma: 1.35, outlierProbability: 0.02, outlierSigma: 15,
        unknownFloorProbability: 0.05, wrongFloorProbability: 0.03)
    case .gpsNear:
      PositionErrorModel(
        sigma: 3.0, correlationTime: 60, biasSigma: 1.2, outlierProbability: 0.02, outlierSigma: 10,
        unknownFloorProbability: 0.4, wrongFloorProbability: 0.05)
    case .gps:
      PositionErrorModel(
        sigma: 5, correlationTime: 60, biasSigma: 2, outlierProbability: 0.05, outlierSigma: 22,
        unknownFloorProbability: 0.5, wrongFloorProbability: 0.05)
    case .network:
      PositionErrorModel(
        sigma: 55, correlationTime: 120, biasSigma: 30, outlierProbability: 0.05, outlierSigma: 200,
        unknownFloorProbability: 1, wrongFloorProbability: 0)
    }
  }
}

extension PositionErrorModel {
  func pushed(by push: Double, outliers: Double) -> PositionErrorModel {
    var model = self
    model.push = push
    model.outlierPush = outliers
    return model
  }
}

/// The purposes of the random numbers of phones; each purpose has a stream of its own.
enum PhoneStream {
  static let device: UInt32 = 0x5001
  static let fix: UInt32 = 0x5002
  static let runtime: UInt32 = 0x5003
  static let network: UInt32 = 0x5004
  static let fate: UInt32 = 0x5005
  static let delays: UInt32 = 0x5006
  static let skew: UInt32 = 0x5007
  static let push: UInt32 = 0x5008
}

/// The error of one phone over time. Times must not decrease.
struct PositionError: Sendable {
  private let model: PositionErrorModel
  private let bias: PlaneOffset
  private let stream: RandomStream
  private let pushStream: RandomStream
  private var process: PlaneOffset
  /// A vector that turns slowly; its direction is that of the displacement.
  private var wind: PlaneOffset
  private var last: Instant?

  struct PlaneOffset: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// The error of one fix.
  struct Sample: Sendable {
    var offset: PlaneOffset
    /// Radius at 68 %, in metres.
    var accuracy: Double
    var floor: FloorReport
    /// Unit vector in the direction of the displacement.
    var away = PlaneOffset(x: 1, y: 0)
  }

  enum FloorReport: Sendable { case right, unknown, wrong(up: Bool) }

  init(model: PositionErrorModel, seed: UInt64, replica: UInt32, device: Int) {
    self.model = model
    var own = RandomStream(seed: seed, replica: replica, stream: PhoneStream.device, entity: UInt64(device))
    bias = PlaneOffset(x: model.biasSigma * own.nextNormal(), y: model.biasSigma * own.nextNormal())
    process = PlaneOffset(x: model.sigma * own.nextNormal(), y: model.sigma * own.nextNormal())
    wind = PlaneOffset(x: own.nextNormal(), y: own.nextNormal())
    stream = RandomStream(seed: seed, replica: replica, stream: PhoneStream.fix, entity: UInt64(device))
    pushStream = RandomStream(seed: seed, replica: replica, stream: PhoneStream.push, entity: UInt64(device))
  }

  /// Returns the error of the fix with a given number at `time`.
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
    let away = model.push != 0 ? turn(fix: number, at: time) : PlaneOffset(x: 1, y: 0)
    last = time
    var offset = PlaneOffset(
      x: bias.x + process.x + model.push * away.x, y: bias.y + process.y + model.push * away.y)
    let (wide, spread) = random.nextNormalPair()
    let (other, _) = random.nextNormalPair()
    if random.nextUnit() < model.outlierProbability {
      offset = PlaneOffset(
        x: model.outlierSigma * wide + model.outlierPush * away.x,
        y: model.outlierSigma * other + model.outlierPush * away.y)
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
    return Sample(offset: offset, accuracy: (accuracy * 100).rounded() / 100, floor: floor, away: away)
  }

  /// Returns the direction of the displacement: that of a Gauss-Markov process with a correlation time of one minute.
  private mutating func turn(fix number: Int, at time: Instant) -> PlaneOffset {
    if let last {
      var random = Cursor(stream: pushStream, start: UInt64(number))
      let keep = PortableMath.exp(-max((time - last).seconds, 0) / 60)
      let innovation = (1 - keep * keep).squareRoot()
      let (first, second) = random.nextNormalPair()
      wind.x = keep * wind.x + innovation * first
      wind.y = keep * wind.y + innovation * second
    }
    let length = (wind.x * wind.x + wind.y * wind.y).squareRoot()
    return length > 1e-9 ? PlaneOffset(x: wind.x / length, y: wind.y / length) : PlaneOffset(x: 1, y: 0)
  }
}

/// A cursor over a random stream that starts at a given position.
///
/// The error of a fix therefore does not depend on the number of random values that earlier fixes used.
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
