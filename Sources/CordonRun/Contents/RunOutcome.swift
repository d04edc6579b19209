/// The results of a run beyond single contacts: occupancy, dwell, door flows, queues and the quality of observation.
public struct RunOutcome: Hashable, Sendable {
  /// One row for each floor and space with any presence, by source.
  public var places: [Place] = []
  /// The occupancy over replicas of the run with other random numbers; empty for a single run.
  public var ensemble: [EnsembleBin] = []
  /// The flows through openings.
  public var flows: [Flow] = []
  /// Distributions of durations and degrees.
  public var distributions: [Bin] = []
  /// The quality of observed contacts, by thresholds of distance and duration.
  public var thresholds: [Threshold] = []
  /// The queues at elevators and desks.
  public var queues: [Queue] = []
  /// Further single figures. Names use `a-z 0-9 _` and contain their unit.
  public var figures: [Figure] = []

  /// Creates an empty outcome.
  public init() {}

  /// A floor or space over the whole run.
  public struct Place: Hashable, Sendable {
    /// The record of the run that the figures belong to.
    public var source: RunSource
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
    public var space: Int32
    /// The mean presence over the run.
    public var mean: Double
    /// The 95 % quantile over the time bins.
    public var p95: Double
    /// The maximum at one time.
    public var peak: Int32
    /// The start of the bin with the peak, in milliseconds since 1970.
    public var peakTime: Int64
    /// The permitted maximum, if there is a rule.
    public var capacity: Int?
    /// The total length in minutes of the bins above the capacity.
    public var minutesOverCapacity: Double?
    /// The area in square metres per person at the peak; `nil` without presence or with an unknown area.
    public var areaPerPerson: Double?
    /// The number of stays; from truth only.
    public var stays: Int?
    /// The median dwell in seconds.
    public var medianDwell: Double?
    /// The 95 % quantile of the dwell in seconds.
    public var p95Dwell: Double?

    /// Creates a row from its parts.
    public init(
      source: RunSource, floor: Int32, space: Int32, mean: Double, p95: Double, peak: Int32, peakTime: Int64,
      capacity: Int? = nil, minutesOverCapacity: Double? = nil, areaPerPerson: Double? = nil, stays: Int? = nil,
      medianDwell: Double? = nil, p95Dwell: Double? = nil
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
      self.areaPerPerson = areaPerPerson
      self.stays = stays
      self.medianDwell = medianDwell
      self.p95Dwell = p95Dwell
    }

    /// Fruin's level of service for people who stand or queue, at the peak.
    ///
    /// The levels run from `A` (1.21 square metres per person or more) to `F` (below 0.19).
    public var levelOfService: String? {
      areaPerPerson.map { area in
        area >= 1.21 ? "A" : area >= 0.93 ? "B" : area >= 0.65 ? "C" : area >= 0.28 ? "D" : area >= 0.19 ? "E" : "F"
      }
    }
  }

  /// The number of people in a place in one time bin, over replicas.
  public struct EnsembleBin: Hashable, Sendable {
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
    public var space: Int32
    /// The start of the bin in milliseconds since 1970.
    public var binStart: Int64
    /// The mean over the replicas of the mean presence.
    public var mean: Double
    /// The 5 % quantile over the replicas.
    public var p05: Double
    /// The 50 % quantile over the replicas.
    public var p50: Double
    /// The 95 % quantile over the replicas.
    public var p95: Double
    /// The highest peak of all replicas.
    public var peak: Int32

    /// Creates a bin from its parts.
    public init(
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
  public struct Flow: Hashable, Sendable {
    /// The identifier of the opening in the source.
    public var opening: String
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// The start of the bin in milliseconds since 1970.
    public var binStart: Int64
    /// The passages from the left of the opening's line to the right, seen from its first point to its second.
    public var forward: Int
    /// The passages in the other direction.
    public var backward: Int

    /// Creates a flow from its parts.
    public init(opening: String, floor: Int32, binStart: Int64, forward: Int, backward: Int) {
      self.opening = opening
      self.floor = floor
      self.binStart = binStart
      self.forward = forward
      self.backward = backward
    }
  }

  /// One bin of a distribution.
  public struct Bin: Hashable, Sendable {
    /// The quantity: `contact_duration_s`, `pair_total_s`, `degree`, `stay_s`, `battery_percent`.
    public var what: String
    /// The record of the run that the bin belongs to.
    public var source: RunSource
    /// The lower bound, included.
    public var lower: Double
    /// The upper bound, excluded; infinite for the last bin.
    public var upper: Double
    /// The number of values in the bin.
    public var count: Int

    /// Creates a bin from its parts.
    public init(what: String, source: RunSource, lower: Double, upper: Double, count: Int) {
      self.what = what
      self.source = source
      self.lower = lower
      self.upper = upper
      self.count = count
    }
  }

  /// A comparison of observed and true contacts of pairs, for one threshold of distance and one of duration.
  public struct Threshold: Hashable, Sendable {
    /// The threshold of distance in metres.
    public var distance: Double
    /// The threshold of the total contact time of a pair, in seconds.
    public var duration: Double
    /// The number of pairs above the threshold in truth.
    public var truePairs: Int
    /// The number of pairs above the threshold in observation.
    public var observedPairs: Int
    /// The number of pairs above the threshold in both.
    public var commonPairs: Int
    /// The mean difference of observed and true time in seconds, over pairs above the threshold in truth; `nil` without
    /// such pairs.
    public var meanError: Double?
    /// The mean of the absolute difference in seconds, over the same pairs.
    public var meanAbsoluteError: Double?

    /// Creates a threshold from its parts.
    public init(
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
    public var precision: Double? { observedPairs > 0 ? Double(commonPairs) / Double(observedPairs) : nil }
    /// The share of the true pairs that are observed; `nil` without true pairs.
    public var recall: Double? { truePairs > 0 ? Double(commonPairs) / Double(truePairs) : nil }
  }

  /// The queue of one place over the run.
  public struct Queue: Hashable, Sendable {
    /// The kind of place: `elevator`, `desk` ...
    public var kind: String
    /// The identifier of the place in the source.
    public var place: String
    /// The number of people who waited.
    public var served: Int
    /// The mean number of people waiting.
    public var meanLength: Double
    /// The maximum number of people waiting.
    public var longest: Int
    /// The mean wait in seconds.
    public var meanWait: Double
    /// The 95 % quantile of the wait in seconds.
    public var p95Wait: Double

    /// Creates a queue from its parts.
    public init(
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
  public struct Figure: Hashable, Sendable {
    /// The name with its unit, for example `battery_percent_mean`.
    public var name: String
    /// The value; `nil` for a share with the denominator zero.
    public var value: Double?

    /// Creates a figure from its parts.
    public init(_ name: String, _ value: Double?) {
      self.name = name
      self.value = value
    }
  }
}
