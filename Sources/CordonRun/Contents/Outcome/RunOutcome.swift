package import CordonCore

/// The results of a run beyond single contacts: occupancy, dwell, door flows, queues and the quality of observation.
package struct RunOutcome: Hashable, Sendable {
  /// One row for each floor and space with any presence, by source.
  package var places: [Place] = []
  /// The occupancy over replicas of the run with other random numbers; empty for a single run.
  package var ensemble: [EnsembleBin] = []
  /// The figures of the groups of spaces, by source and group.
  package var groups: [Group] = []
  /// The occupancy of the groups of spaces, by source, group and time.
  package var groupBins: [GroupBin] = []
  /// The occupancy of the groups over replicas; `space` is the number of the group. Empty for a single run.
  package var groupEnsemble: [EnsembleBin] = []
  /// The figures of places over replicas, by subject and name; empty for a single run.
  package var replicaFigures: [ReplicaFigure] = []
  /// The flows through openings.
  package var flows: [Flow] = []
  /// Distributions of durations and degrees.
  package var distributions: [Bin] = []
  /// The quality of observed contacts, by thresholds of distance and duration.
  package var thresholds: [Threshold] = []
  /// The queues at elevators and desks.
  package var queues: [Queue] = []
  /// Further single figures. Names use `a-z 0-9 _` and contain their unit.
  package var figures: [Figure] = []

  /// Creates an empty outcome.
  package init() {}

  /// A floor or space over the whole run.
  package struct Place: Hashable, Sendable {
    /// The record of the run that the figures belong to.
    package var source: RunSource
    /// `FloorOrdinal.thousandths`.
    package var floor: Int32
    /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
    package var space: Int32
    /// The mean presence over the run.
    package var mean: Double
    /// The 95 % quantile over the time bins.
    package var p95: Double
    /// The maximum at one time.
    package var peak: Int32
    /// The start of the bin with the peak, in milliseconds since 1970.
    package var peakTime: Int64
    /// The permitted maximum, if there is a rule.
    package var capacity: Int?
    /// The total length in minutes of the bins above the capacity.
    package var minutesOverCapacity: Double?
    /// The part of ``minutesOverCapacity`` in which more people stayed than the capacity; from truth only.
    package var minutesOverCapacityStaying: Double?
    /// The area in square metres per person at the peak; `nil` without presence or with an unknown area.
    package var areaPerPerson: Double?
    /// The number of stays; from truth only.
    package var stays: Int?
    /// The median dwell in seconds.
    package var medianDwell: Double?
    /// The 95 % quantile of the dwell in seconds.
    package var p95Dwell: Double?
    /// The number of times that somebody came in, with those who only walked through; `nil` if it is unknown.
    package var visits: Int?
    /// The mean time in seconds between coming in and going out; `nil` without visits.
    package var meanVisit: Double?
    /// The minutes of bins at each level of service, `A` first; `nil` for a floor.
    package var levelMinutes: LevelMinutes?

    /// Creates a row from its parts.
    package init(
      source: RunSource, floor: Int32, space: Int32, mean: Double, p95: Double, peak: Int32, peakTime: Int64,
      capacity: Int? = nil, minutesOverCapacity: Double? = nil, minutesOverCapacityStaying: Double? = nil,
      areaPerPerson: Double? = nil, stays: Int? = nil, medianDwell: Double? = nil, p95Dwell: Double? = nil,
      visits: Int? = nil, meanVisit: Double? = nil, levelMinutes: LevelMinutes? = nil
    ) {
      self.source = source
      self.floor = floor
      self.space = space
      self.mean = mean
      self.p95 = p95
      self.peak = peak
      self.peakTime = peakTime
      self.capacity = capacity
      self.minutesOverCapacity = minutesOverCapacity
      self.minutesOverCapacityStaying = minutesOverCapacityStaying
      self.areaPerPerson = areaPerPerson
      self.stays = stays
      self.medianDwell = medianDwell
      self.p95Dwell = p95Dwell
      self.visits = visits
      self.meanVisit = meanVisit
      self.levelMinutes = levelMinutes
    }

    /// The part of ``minutesOverCapacity`` in which only people who passed through exceeded the capacity; from truth only.
    package var minutesOverCapacityPassing: Double? {
      minutesOverCapacityStaying.flatMap { staying in minutesOverCapacity.map { $0 - staying } }
    }

    /// Fruin's level of service for people who stand or queue, at the peak.
    package var levelOfService: String? { areaPerPerson.map { LevelOfService(areaPerPerson: $0).rawValue } }
  }

  /// The number of people in a place in one time bin, over replicas.
  package struct EnsembleBin: Hashable, Sendable {
    /// `FloorOrdinal.thousandths`.
    package var floor: Int32
    /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
    package var space: Int32
    /// The start of the bin in milliseconds since 1970.
    package var binStart: Int64
    /// The mean over the replicas of the mean presence.
    package var mean: Double
    /// The 5 % quantile over the replicas.
    package var p05: Double
    /// The 50 % quantile over the replicas.
    package var p50: Double
    /// The 95 % quantile over the replicas.
    package var p95: Double
    /// The highest peak of all replicas.
    package var peak: Int32

    /// Creates a bin from its parts.
    package init(
      floor: Int32, space: Int32, binStart: Int64, mean: Double, p05: Double, p50: Double, p95: Double, peak: Int32
    ) {
      self.floor = floor
      self.space = space
      self.binStart = binStart
      self.mean = mean
      self.p05 = p05
      self.p50 = p50
      self.p95 = p95
      self.peak = peak
    }
  }

  /// The number of people through an opening in one time bin.
  package struct Flow: Hashable, Sendable {
    /// The width of a bin.
    package static let width = TimeSpan.minutes(15)

    /// The identifier of the opening in the source.
    package var opening: String
    /// `FloorOrdinal.thousandths`.
    package var floor: Int32
    /// The start of the bin in milliseconds since 1970.
    package var binStart: Int64
    /// The passages from the left of the opening's line to the right, seen from its first point to its second.
    package var forward: Int
    /// The passages in the other direction.
    package var backward: Int

    /// Creates a flow from its parts.
    package init(opening: String, floor: Int32, binStart: Int64, forward: Int, backward: Int) {
      self.opening = opening
      self.floor = floor
      self.binStart = binStart
      self.forward = forward
      self.backward = backward
    }
  }

  /// One bin of a distribution.
  package struct Bin: Hashable, Sendable {
    /// The quantity: `contact_duration_s`, `pair_total_s`, `degree`, `stay_s`, `battery_percent`.
    package var what: String
    /// The record of the run that the bin belongs to.
    package var source: RunSource
    /// The lower bound, included.
    package var lower: Double
    /// The upper bound, excluded; infinite for the last bin.
    package var upper: Double
    /// The number of values in the bin.
    package var count: Int

    /// Creates a bin from its parts.
    package init(what: String, source: RunSource, lower: Double, upper: Double, count: Int) {
      self.what = what
      self.source = source
      self.lower = lower
      self.upper = upper
      self.count = count
    }
  }

  /// A comparison of observed and true contacts of pairs, for one threshold of distance and one of duration.
  package struct Threshold: Hashable, Sendable {
    /// The threshold of distance in metres.
    package var distance: Double
    /// The threshold of the total contact time of a pair, in seconds.
    package var duration: Double
    /// The number of pairs above the threshold in truth.
    package var truePairs: Int
    /// The number of pairs above the threshold in observation.
    package var observedPairs: Int
    /// The number of pairs above the threshold in both.
    package var commonPairs: Int
    /// The mean difference of observed and true time in seconds, over pairs above the threshold in truth; `nil` without
    /// such pairs.
    package var meanError: Double?
    /// The mean of the absolute difference in seconds, over the same pairs.
    package var meanAbsoluteError: Double?

    /// Creates a threshold from its parts.
    package init(
      distance: Double, duration: Double, truePairs: Int, observedPairs: Int, commonPairs: Int, meanError: Double?,
      meanAbsoluteError: Double?
    ) {
      self.distance = distance
      self.duration = duration
      self.truePairs = truePairs
      self.observedPairs = observedPairs
      self.commonPairs = commonPairs
      self.meanError = meanError
      self.meanAbsoluteError = meanAbsoluteError
    }

    /// The share of the observed pairs that are true; `nil` without observed pairs.
    package var precision: Double? { observedPairs > 0 ? Double(commonPairs) / Double(observedPairs) : nil }
    /// The share of the true pairs that are observed; `nil` without true pairs.
    package var recall: Double? { truePairs > 0 ? Double(commonPairs) / Double(truePairs) : nil }
  }

  /// The queue of one place over the run.
  package struct Queue: Hashable, Sendable {
    /// The kind of place: `elevator`, `desk` ...
    package var kind: String
    /// The identifier of the place in the source.
    package var place: String
    /// The number of people who waited.
    package var served: Int
    /// The mean number of people waiting.
    package var meanLength: Double
    /// The maximum number of people waiting.
    package var longest: Int
    /// The mean wait in seconds.
    package var meanWait: Double
    /// The 95 % quantile of the wait in seconds.
    package var p95Wait: Double
    /// The display name of the place; may be empty.
    package var name = ""
    /// The number of the space in which people wait, or ``ObservedLocation/noSpace``.
    package var space = ObservedLocation.noSpace

    /// Creates a queue from its parts.
    package init(
      kind: String, place: String, served: Int, meanLength: Double, longest: Int, meanWait: Double, p95Wait: Double
    ) {
      self.kind = kind
      self.place = place
      self.served = served
      self.meanLength = meanLength
      self.longest = longest
      self.meanWait = meanWait
      self.p95Wait = p95Wait
    }
  }

  /// A named figure.
  package struct Figure: Hashable, Sendable {
    /// The name with its unit, for example `battery_percent_mean`.
    package var name: String
    /// The value; `nil` for a share with the denominator zero.
    package var value: Double?

    /// Creates a figure from its parts.
    package init(_ name: String, _ value: Double?) {
      self.name = name
      self.value = value
    }
  }
}
