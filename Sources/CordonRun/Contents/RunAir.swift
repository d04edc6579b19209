package import CordonCore

/// The air of a run: carbon dioxide, quanta and risks. Only runs with the key `air` have it.
package struct RunAir: Hashable, Sendable {
  /// The width of a bin.
  package var bin: TimeSpan
  /// The outdoor carbon dioxide in parts per million.
  package var outdoorCO2: Double
  /// The distance of the short range in metres.
  package var shortRange: Double
  /// The spaces, by number.
  package var spaces: [Space]
  /// The bins in which the air differs from that outdoors, by space and time.
  package var bins: [Bin]
  /// The people, by number.
  package var people: [Person]

  /// Creates the air of a run.
  package init(
    bin: TimeSpan, outdoorCO2: Double, shortRange: Double, spaces: [Space], bins: [Bin], people: [Person]
  ) {
    self.bin = bin
    self.outdoorCO2 = outdoorCO2
    self.shortRange = shortRange
    self.spaces = spaces
    self.bins = bins
    self.people = people
  }

  /// A space over the whole run.
  package struct Space: Hashable, Sendable {
    /// The volume in cubic metres.
    package var volume: Double
    /// The outdoor air changes per hour.
    package var airChanges: Double
    /// The equivalent air changes per hour of filters.
    package var filtration: Double
    /// The mean carbon dioxide while people were present, weighted by their number; `nil` without people.
    package var meanCO2: Double?
    /// The maximum carbon dioxide.
    package var peakCO2: Double
    /// The mean quanta per cubic metre over the run.
    package var meanQuanta: Double
    /// The maximum quanta per cubic metre, at the ends of bins.
    package var peakQuanta: Double

    /// Creates a space from its parts.
    package init(
      volume: Double, airChanges: Double, filtration: Double, meanCO2: Double?, peakCO2: Double, meanQuanta: Double,
      peakQuanta: Double
    ) {
      self.volume = volume
      self.airChanges = airChanges
      self.filtration = filtration
      self.meanCO2 = meanCO2
      self.peakCO2 = peakCO2
      self.meanQuanta = meanQuanta
      self.peakQuanta = peakQuanta
    }
  }

  /// The air of a space in one bin.
  package struct Bin: Hashable, Sendable {
    /// The number of the space.
    package var space: Int32
    /// The start in milliseconds since 1970.
    package var start: Int64
    /// The mean number of people.
    package var people: Double
    /// The mean number of infectious people.
    package var infectious: Double
    /// The mean carbon dioxide in parts per million.
    package var co2: Double
    /// The carbon dioxide at the end.
    package var co2AtEnd: Double
    /// The mean quanta per cubic metre.
    package var quanta: Double
    /// The quanta per cubic metre at the end.
    package var quantaAtEnd: Double

    /// Creates a bin from its parts.
    package init(
      space: Int32, start: Int64, people: Double, infectious: Double, co2: Double, co2AtEnd: Double, quanta: Double,
      quantaAtEnd: Double
    ) {
      self.space = space
      self.start = start
      self.people = people
      self.infectious = infectious
      self.co2 = co2
      self.co2AtEnd = co2AtEnd
      self.quanta = quanta
      self.quantaAtEnd = quantaAtEnd
    }
  }

  /// Whether a person infects others, or can be infected.
  package enum Health: String, Hashable, Sendable {
    case infectious, susceptible, immune
  }

  /// The exposure of a person over the whole run.
  package struct Person: Hashable, Sendable {
    /// Whether the person infects others, or can be infected.
    package var health: Health
    /// Whether the person has a mask.
    package var wearsMask: Bool
    /// The time in spaces in seconds.
    package var seconds: Double
    /// The mean carbon dioxide over that time; `nil` without any.
    package var meanCO2: Double?
    /// The quanta inhaled from the mixed air.
    package var quanta: Double
    /// The quanta inhaled from the breath of infectious people nearby.
    package var nearbyQuanta: Double
    /// The risk by the mixed air, 0 to 1.
    package var longRangeRisk: Double
    /// The risk by people nearby, 0 to 1.
    package var shortRangeRisk: Double
    /// The risk by either, 0 to 1.
    package var risk: Double
    /// The time with at least one other within the distance, in seconds.
    package var exposedSeconds: Double
    /// The sum over the others of that time, in seconds.
    package var exposedPersonSeconds: Double
    /// The maximum number of others within the distance at one time.
    package var maximumOthers: Int

    /// Creates a person from its parts.
    package init(
      health: Health, wearsMask: Bool, seconds: Double, meanCO2: Double?, quanta: Double, nearbyQuanta: Double,
      longRangeRisk: Double, shortRangeRisk: Double, risk: Double, exposedSeconds: Double, exposedPersonSeconds: Double,
      maximumOthers: Int
    ) {
      self.health = health
      self.wearsMask = wearsMask
      self.seconds = seconds
      self.meanCO2 = meanCO2
      self.quanta = quanta
      self.nearbyQuanta = nearbyQuanta
      self.longRangeRisk = longRangeRisk
      self.shortRangeRisk = shortRangeRisk
      self.risk = risk
      self.exposedSeconds = exposedSeconds
      self.exposedPersonSeconds = exposedPersonSeconds
      self.maximumOthers = maximumOthers
    }
  }
}
