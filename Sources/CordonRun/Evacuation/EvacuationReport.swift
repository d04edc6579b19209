package import CordonContacts
package import CordonCore

/// The result of an evacuation: figures over all replicas, and the first replica in detail.
///
/// Times are seconds after the start of the evacuation.
package struct EvacuationReport: Sendable {
  /// A title for readers: the name of the scenario or venue.
  package var title: String
  /// The venue as it was drawn, with its floors and spaces.
  package var venue: RunVenue
  /// The coordinate of the plane point (0, 0).
  package var origin: Coordinate
  /// The start of the evacuation.
  package var start: Instant
  /// The rules and assumptions, as names and values for readers.
  package var parameters: [Parameter]
  /// Remarks about people and map, one sentence each.
  package var notes: [String]
  /// The names of the populations and of the groups of mobility; the first mobility is that of people without limits.
  package var populations: [String]
  package var mobilities: [String]
  /// The exits.
  package var exits: [Exit]
  /// The figures over all replicas.
  package var figures: [Figure]
  /// The replicas, each with its own random numbers.
  package var replicas: [EvacuationReplica]
  /// The points at which people waited, over all replicas, the longest wait first.
  package var passages: [PassageSummary]
  /// The path of every person of the first replica, sorted by person and time.
  package var segments: [Segment]
  /// Whether the run was interrupted before all replicas were finished.
  package var isPartial = false

  /// The length of an interval of curves, in seconds.
  package static let bin = 5.0

  /// A rule or assumption.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String

    /// Creates a parameter from its parts.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// An exit of the venue.
  package struct Exit: Hashable, Sendable {
    /// The identifier, the name for readers, and the ordinal of the floor.
    package var id: String
    package var name: String
    package var floor: FloorOrdinal
    /// The width in metres, and whether it is assumed.
    package var width: Double
    package var isAssumedWidth: Bool
    /// Whether people could not use the exit.
    package var isClosed: Bool

    /// Creates an exit from its parts.
    package init(
      id: String, name: String, floor: FloorOrdinal, width: Double, isAssumedWidth: Bool, isClosed: Bool = false
    ) {
      self.id = id
      self.name = name
      self.floor = floor
      self.width = width
      self.isAssumedWidth = isAssumedWidth
      self.isClosed = isClosed
    }
  }

  /// A figure over all replicas.
  package struct Figure: Hashable, Sendable {
    /// A stable name with its unit, such as `last_out_s`.
    package var name: String
    /// A title for readers.
    package var title: String
    /// The mean, minimum and maximum; NaN if no replica has a value.
    package var mean: Double
    package var minimum: Double
    package var maximum: Double
    /// Half the width of the 95 % confidence interval of the mean; infinity for one replica.
    package var margin: Double
    /// The number of replicas with a value.
    package var count: Int

    /// The ends of the confidence interval. No figure of an evacuation is negative, so the lower end is at least 0.
    package var low: Double { max(mean - margin, 0) }
    package var high: Double { mean + margin }

    /// Creates a figure from its parts.
    package init(
      name: String, title: String, mean: Double, minimum: Double, maximum: Double, margin: Double, count: Int
    ) {
      self.name = name
      self.title = title
      self.mean = mean
      self.minimum = minimum
      self.maximum = maximum
      self.margin = margin
      self.count = count
    }
  }

  /// A door, stairs or exit, over all replicas.
  package struct PassageSummary: Hashable, Sendable {
    /// The passage; its counts are those of the first replica with it.
    package var place: EvacuationReplica.Place
    /// The means over all replicas: people, waiting time of all of them in seconds, and the longest wait of a person.
    package var passed: Double
    package var waiting: Double
    package var longest: Double

    /// Creates a summary from its parts.
    package init(place: EvacuationReplica.Place, passed: Double, waiting: Double, longest: Double) {
      self.place = place
      self.passed = passed
      self.waiting = waiting
      self.longest = longest
    }
  }

  /// Creates a report from its parts.
  package init(
    title: String, venue: RunVenue, origin: Coordinate, start: Instant, parameters: [Parameter], notes: [String],
    populations: [String], mobilities: [String], exits: [Exit], figures: [Figure], replicas: [EvacuationReplica],
    passages: [PassageSummary], segments: [Segment]
  ) {
    self.title = title
    self.venue = venue
    self.origin = origin
    self.start = start
    self.parameters = parameters
    self.notes = notes
    self.populations = populations
    self.mobilities = mobilities
    self.exits = exits
    self.figures = figures
    self.replicas = replicas
    self.passages = passages
    self.segments = segments
  }

  /// Returns a figure by its name.
  package func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }
}
