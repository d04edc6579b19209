/// The dilution of exhaled air with the distance: a jet during the exhalation, then a puff.
///
/// The two-stage model of Jia et al. 2022 (Building and Environment 219, 109166): a round jet whose radius grows by 0.18
/// per metre up to the point that it reaches in one exhalation of 2 s, then a puff that grows by 0.2. Dilution is the
/// ratio of the concentration at the mouth to the mean over the cross-section of the jet.
package struct ExpiratoryJet: Hashable, Sendable {
  private static let jetSpread = 0.18
  private static let puffSpread = 0.2
  private static let penetration = 2.4
  private static let pi = 3.141592653589793
  private let mouth: Double
  private let origin: Double
  private let transition: Double

  /// Creates the jet of a person who breathes out half of the time.
  /// - Parameters:
  ///   - breathing: the breathing rate in cubic metres per hour, above 0.
  ///   - mouth: the diameter of the opening of the mouth in metres.
  package init(breathing: Double, mouth: Double = 0.02) {
    let flow = 2 * breathing / 3_600
    let speed = flow / (Self.pi * mouth * mouth / 4)
    origin = mouth / 2 / Self.jetSpread
    let delay =
      Self.pi.squareRoot() * mouth * mouth * mouth
      / (8 * Self.jetSpread * Self.jetSpread * Self.penetration * Self.penetration * flow)
    transition =
      Self.penetration * (flow * speed).squareRoot().squareRoot() * (2 + delay).squareRoot() - origin
    self.mouth = mouth
  }

  /// Returns the dilution at a distance from the mouth in metres: 1 at 0, and growing.
  package func dilution(at distance: Double) -> Double {
    let near = 2 * Self.jetSpread / mouth
    guard distance > transition else { return near * (max(0, distance) + origin) }
    let growth = 1 + Self.puffSpread * (distance - transition) / (Self.jetSpread * (transition + origin))
    return near * (transition + origin) * growth * growth * growth
  }

  /// Returns the quanta that a person inhales per hour from the jet of an infectious person.
  /// - Parameters:
  ///   - source: the quanta that the infectious person exhales per hour, behind a mask.
  ///   - breathing: the breathing rate of the infectious person in cubic metres per hour.
  ///   - inhaled: the unfiltered air that the other inhales, in cubic metres per hour.
  ///   - distance: the distance in metres.
  ///   - facing: the share of the time in which the other is in the jet, 0 to 1.
  package static func inhaledQuanta(
    source: Double, breathing: Double, inhaled: Double, distance: Double, facing: Double
  ) -> Double {
    guard breathing > 0 else { return 0 }
    return source / breathing / ExpiratoryJet(breathing: breathing).dilution(at: distance) * inhaled * facing
  }
}
