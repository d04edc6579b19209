/// Defaults of the model of air, with their sources.
package enum AirDefaults {
  /// The outdoor concentration of carbon dioxide in parts per million: the round value of the years around 2023.
  package static let outdoorCO2 = 420.0
  /// The decay of infectious aerosol per hour: that of the estimator of Jimenez and Peng, as shipped with ArchABM.
  package static let decay = 0.62
  /// The deposition on surfaces per hour: that of the same estimator.
  package static let deposition = 0.3
  /// The height of a ceiling in metres where nobody states it.
  package static let ceiling = 2.7
  /// The outdoor air changes per hour where nobody states them: those of the offices shipped with ArchABM.
  package static let airChanges = 1.5
}

/// The physiology of a person during an activity.
package struct AirActivity: Hashable, Sendable {
  /// The exhaled carbon dioxide in litres per second.
  package var co2: Double
  /// The breathing rate in cubic metres per hour.
  package var breathing: Double
  /// The quanta that an infectious person exhales per hour, without a mask.
  package var quanta: Double

  /// Creates an activity from its parts.
  package init(co2: Double, breathing: Double, quanta: Double) {
    self.co2 = co2
    self.breathing = breathing
    self.quanta = quanta
  }

  /// Seated office work: the values of the estimator of Jimenez and Peng for an office, as shipped with ArchABM.
  package static let seated = AirActivity(co2: 0.005, breathing: 0.52, quanta: 25)
  /// Standing, 1.4 met: carbon dioxide in proportion to the metabolic rate (Persily and de Jonge 2017), quanta in
  /// proportion to the breathing rate.
  package static let standing = AirActivity(co2: 0.0058, breathing: 0.54, quanta: 26)
  /// Walking, 2 met; the breathing rate is that of light exercise (Buonanno et al. 2020).
  package static let walking = AirActivity(co2: 0.0083, breathing: 1.38, quanta: 66)

  /// Returns the load of a person with a mask.
  /// - Parameters:
  ///   - isInfectious: whether the person exhales quanta.
  ///   - exhaled: the share of quanta that a mask keeps from the air, 0 to 1.
  ///   - inhaled: the share of quanta that a mask keeps from the wearer, 0 to 1.
  package func load(isInfectious: Bool, exhaled: Double = 0, inhaled: Double = 0) -> AirLoad {
    AirLoad(
      co2: co2 * 3.6, quanta: isInfectious ? quanta * (1 - exhaled) : 0, inhaled: breathing * (1 - inhaled))
  }
}
