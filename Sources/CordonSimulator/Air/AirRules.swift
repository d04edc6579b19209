import CordonAir
package import CordonCore

/// The air of a scenario: ventilation, doors, masks, emission and index cases.
package struct AirRules: Hashable, Sendable {
  /// The outdoor carbon dioxide in parts per million.
  package var outdoorCO2 = AirDefaults.outdoorCO2
  /// The height of ceilings in metres.
  package var ceiling = AirValues(AirDefaults.ceiling)
  /// The outdoor air changes per hour.
  package var airChanges = AirValues(AirDefaults.airChanges)
  /// The equivalent air changes per hour of filters in recirculated air.
  package var filtration = AirValues(0)
  /// The decay of infectious aerosol per hour.
  package var decay = AirDefaults.decay
  /// The deposition of infectious aerosol per hour.
  package var deposition = AirDefaults.deposition
  /// The doors.
  package var doors = Doors()
  /// The masks; `nil` without any.
  package var masks: Masks?
  /// The emission of activities.
  package var activities: [Emission] = []
  /// The number of infectious people among those who come.
  package var indexCases = 1
  /// The populations of the infectious people; empty for all.
  package var indexPopulations: [Policies.Target] = []
  /// The share of the others who cannot be infected, 0 to 1.
  package var immune = 0.0
  /// The distance of the short range in metres.
  package var shortRange = 2.0
  /// The share of the time within that distance in which a person is in the other's breath, 0 to 1.
  package var facing = 0.25
  /// The width of a bin of the results.
  package var bin = TimeSpan.minutes(5)

  /// Creates the default rules.
  package init() {}

  /// The exchange of air through doors.
  package struct Doors: Hashable, Sendable {
    /// The share of the time during which doors are open, 0 to 1.
    package var open = AirValues(0)
    /// The height of a door in metres.
    package var height = 2.0
    /// The difference of the temperatures of two rooms in kelvin.
    package var temperatureDifference = 1.0
  }

  /// Masks.
  package struct Masks: Hashable, Sendable {
    /// The share of exhaled quanta that a mask keeps back, 0 to 1.
    package var exhaled: Double
    /// The share of inhaled quanta that a mask keeps back, 0 to 1.
    package var inhaled: Double
    /// The share of the people who wear one, 0 to 1.
    package var share: Double
    /// The populations that wear one; empty for all.
    package var populations: [Policies.Target]
  }

  /// The emission of one activity.
  package struct Emission: Hashable, Sendable {
    /// `seated`, `standing`, `walking`, or an activity of the scenario.
    package var target: Policies.Target
    /// Carbon dioxide in litres per second; `nil` for that of the posture.
    package var co2: Double?
    /// The breathing rate in cubic metres per hour.
    package var breathing: Double?
    /// The quanta that an infectious person exhales per hour.
    package var quanta: Double?
    /// Whether masks are worn.
    package var hasMasks: Bool
  }
}

/// A number for every space or door: a default, and values for identifiers, names, kinds and patterns.
package struct AirValues: Hashable, Sendable {
  /// The value where no other applies.
  package var standard: Double
  /// The other values, in the order of the file.
  package var entries: [Entry] = []

  /// The value of the spaces or doors that a text means.
  package struct Entry: Hashable, Sendable {
    /// An identifier, name, kind or pattern.
    package var target: Policies.Target
    /// The value.
    package var value: Double
  }

  /// Creates one value for all.
  package init(_ standard: Double) { self.standard = standard }
}
