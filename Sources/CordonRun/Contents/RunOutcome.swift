/// What a run comes to, beyond single contacts: how full, how long, who through which door, how well observed.
public struct RunOutcome: Hashable, Sendable {
  /// One row for each floor and space that somebody was in, by source.
  public var places: [Place] = []
  /// Occupancy over repetitions of the run with other random numbers; empty for a single run.
  public var ensemble: [EnsembleBin] = []
  /// Who passed which opening.
  public var flows: [Flow] = []
  /// Distributions of durations and degrees.
  public var distributions: [Bin] = []
  /// How well contacts are observed, by thresholds of distance and duration.
  public var thresholds: [Threshold] = []
  /// Who waited where: elevators, desks.
  public var queues: [Queue] = []
  /// Further single figures; names use `a-z 0-9 _` and carry their unit.
  public var figures: [Figure] = []

  /// Nothing.
  public init() {}

  /// A floor or space over the whole run.
  public struct Place: Hashable, Sendable {
    /// Whose presence is counted.
    public var source: RunSource
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
    public var space: Int32
    /// Mean presence over the run.
    public var mean: Double
    /// 95 % quantile over the bins of time.
    public var p95: Double
    /// The most at one time.
    public var peak: Int32
    /// Start of the bin in which that was, milliseconds since 1970.
    public var peakTime: Int64
    /// The most that may be there, if there is a rule.
    public var capacity: Int?
    /// Minutes of bins in which more were there.
    public var minutesOverCapacity: Double?
    /// Square metres a person at the peak; `nil` where nobody was or the area is not known.
    public var areaPerPerson: Double?
    /// Times that somebody came to stay; from truth only.
    public var stays: Int?
    /// Median length of a stay, seconds.
    public var medianDwell: Double?
    /// 95 % quantile of it.
    public var p95Dwell: Double?

    /// Takes the values as they are.
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

    /// Fruin's level of service for people who stand or queue, from `A` (1.21 square metres a person or more) to `F`
    /// (below 0.19), at the peak.
    public var levelOfService: String? {
      areaPerPerson.map { area in
        area >= 1.21 ? "A" : area >= 0.93 ? "B" : area >= 0.65 ? "C" : area >= 0.28 ? "D" : area >= 0.19 ? "E" : "F"
      }
    }
  }

  /// People in a place in one bin of time, over repetitions.
  public struct EnsembleBin: Hashable, Sendable {
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// The number of the space, or ``ObservedLocation/noSpace``.
    public var space: Int32
    /// Start of the bin, milliseconds since 1970.
    public var binStart: Int64
    /// Mean over repetitions of the mean presence.
    public var mean: Double
    /// 5 % quantile over repetitions.
    public var p05: Double
    /// 50 % quantile.
    public var p50: Double
    /// 95 % quantile.
    public var p95: Double
    /// The largest peak.
    public var peak: Int32

    /// Takes the values as they are.
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

  /// People through an opening in one bin of time.
  public struct Flow: Hashable, Sendable {
    /// The map's identifier of the opening.
    public var opening: String
    /// `FloorOrdinal.thousandths`.
    public var floor: Int32
    /// Start of the bin, milliseconds since 1970.
    public var binStart: Int64
    /// From the left of its line to the right, looking from its first point to its second.
    public var forward: Int
    /// The other way.
    public var backward: Int

    /// Takes the values as they are.
    public init(opening: String, floor: Int32, binStart: Int64, forward: Int, backward: Int) {
      self.opening = opening
      self.floor = floor
      self.binStart = binStart
      self.forward = forward
      self.backward = backward
    }
  }

  /// How often a value lies within bounds.
  public struct Bin: Hashable, Sendable {
    /// What is counted: `contact_duration_s`, `pair_total_s`, `degree`, `stay_s`, `battery_percent`.
    public var what: String
    /// Of truth or of observation.
    public var source: RunSource
    /// Included.
    public var lower: Double
    /// Excluded; infinite for the last.
    public var upper: Double
    /// How often.
    public var count: Int

    /// Takes the values as they are.
    public init(what: String, source: RunSource, lower: Double, upper: Double, count: Int) {
      self.what = what
      self.source = source
      self.lower = lower
      self.upper = upper
      self.count = count
    }
  }

  /// Observed against true contacts of pairs, for one threshold of distance and one of duration.
  public struct Threshold: Hashable, Sendable {
    /// Metres.
    public var distance: Double
    /// Seconds that a pair must be together in all.
    public var duration: Double
    /// Pairs that reach it in truth.
    public var truePairs: Int
    /// Pairs that reach it in observation.
    public var observedPairs: Int
    /// Pairs that reach it in both.
    public var commonPairs: Int
    /// Mean of observed less true time over pairs that reach it in truth, seconds; `nil` without pairs.
    public var meanError: Double?
    /// Mean of the absolute difference.
    public var meanAbsoluteError: Double?

    /// Takes the values as they are.
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

    /// The share of the observed pairs that are true; `nil` at 0/0.
    public var precision: Double? { observedPairs > 0 ? Double(commonPairs) / Double(observedPairs) : nil }
    /// The share of the true pairs that are observed; `nil` at 0/0.
    public var recall: Double? { truePairs > 0 ? Double(commonPairs) / Double(truePairs) : nil }
  }

  /// Waiting at one place over the run.
  public struct Queue: Hashable, Sendable {
    /// `elevator`, `desk` ...
    public var kind: String
    /// The map's identifier.
    public var place: String
    /// How many waited.
    public var served: Int
    /// Mean number of people waiting.
    public var meanLength: Double
    /// The most.
    public var longest: Int
    /// Mean wait, seconds.
    public var meanWait: Double
    /// 95 % quantile of the wait, seconds.
    public var p95Wait: Double

    /// Takes the values as they are.
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

  /// A figure.
  public struct Figure: Hashable, Sendable {
    /// `battery_percent_mean`.
    public var name: String
    /// `nil` for a share of nothing.
    public var value: Double?

    /// A name and a value.
    public init(_ name: String, _ value: Double?) {
      self.name = name
      self.value = value
    }
  }
}
