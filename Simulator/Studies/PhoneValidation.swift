import CordonCore

/// Holds the error models of phones against measured quantiles: within 15 % of each.
public enum PhoneValidation {
  private static let feng = "Feng 2024, ranges in an office and a lecture theatre"
  private static let yu = "Yu, ranges of a walking phone in a car park"
  private static let faragher = "Faragher and Harle 2015"
  private static let kjaergaard = "Kjærgaard et al. 2010"
  private static let zandbergen = "Zandbergen 2009"

  /// Draws the errors of many devices and compares. A second or two.
  /// - Parameters:
  ///   - devices: how many phones.
  ///   - fixes: how many fixes of each, a minute apart.
  ///   - seed: decides the errors.
  public static func cases(seed: UInt64 = 1, devices: Int = 2_000, fixes: Int = 50) -> [ValidationCase] {
    var cases: [ValidationCase] = []
    func add(_ preset: PhonePreset, _ figure: String, _ value: Double, _ reference: Double, _ source: String) {
      let (a, b) = (reference * 0.85, reference * 1.15)
      cases.append(
        ValidationCase(
          subject: preset.rawValue, figure: figure, value: (value * 1e4).rounded() / 1e4, reference: reference,
          band: min(a, b)...max(a, b), source: source))
    }
    func errors(_ preset: PhonePreset) -> Errors { Errors(preset.model, seed: seed, devices: devices, fixes: fixes) }
    let sight = errors(.rttSight)
    add(.rttSight, "standard deviation along a line, m", sight.along.deviation, 0.9, feng)
    add(.rttSight, "95 % quantile along a line, m", sight.along.quantile(0.95), 1.6, feng)
    let walls = errors(.rttBehindWalls)
    add(.rttBehindWalls, "mean along the push, m", walls.along.mean, 0.9, feng)
    add(.rttBehindWalls, "standard deviation along the push, m", walls.along.deviation, 1.1, feng)
    add(.rttBehindWalls, "95 % quantile along the push, m", walls.along.quantile(0.95), 3.1, feng)
    let walking = errors(.rttWalking)
    add(.rttWalking, "mean along the push, m", walking.along.mean, 0.84, yu)
    add(.rttWalking, "standard deviation along the push, m", walking.along.deviation, 1.80, yu)
    add(.rttWalking, "median of the absolute value, m", walking.along.absolute.quantile(0.5), 1.13, yu)
    add(.rttWalking, "95 % quantile along the push, m", walking.along.quantile(0.95), 3.8, yu)
    add(.rttWalking, "99 % quantile along the push, m", walking.along.quantile(0.99), 7.8, yu)
    add(.ble, "95 % quantile of the distance, m", errors(.ble).distance.quantile(0.95), 2.6, faragher)
    add(.bleSparse, "95 % quantile of the distance, m", errors(.bleSparse).distance.quantile(0.95), 4.8, faragher)
    add(.wifi, "95 % quantile of the distance, m", errors(.wifi).distance.quantile(0.95), 8.5, faragher)
    add(.gpsNear, "root mean square distance, m", errors(.gpsNear).distance.rootMeanSquare, 5, kjaergaard)
    add(.gps, "root mean square distance, m", errors(.gps).distance.rootMeanSquare, 10, kjaergaard)
    add(.network, "median of the distance, m", errors(.network).distance.quantile(0.5), 74, zandbergen)
    return cases
  }

  /// Errors of many fixes.
  private struct Errors {
    /// Along the direction in which the model pushes; along x where it does not.
    var along: Sample
    /// From the true place.
    var distance: Sample

    init(_ model: PositionErrorModel, seed: UInt64, devices: Int, fixes: Int) {
      var along: [Double] = []
      var distance: [Double] = []
      for device in 0..<devices {
        var error = PositionError(model: model, seed: seed, replica: 0, device: device)
        for fix in 0..<fixes {
          let sample = error.sample(fix: fix, at: Instant(milliseconds: Int64(fix) * 60_000))
          let (x, y) = (sample.offset.x, sample.offset.y)
          along.append(x * sample.away.x + y * sample.away.y)
          distance.append((x * x + y * y).squareRoot())
        }
      }
      self.along = Sample(along)
      self.distance = Sample(distance)
    }
  }
}
