/// Spaces that are counted together, such as a department.
package struct RunGroup: Hashable, Sendable {
  /// The name; unique in a run.
  package var name: String
  /// The numbers of the spaces, in ascending order. A space may be in several groups.
  package var spaces: [Int32]
  /// The permitted maximum of all spaces together, if the scenario states it.
  package var capacity: Int?

  /// Creates a group from its parts.
  package init(name: String, spaces: [Int32], capacity: Int? = nil) {
    self.name = name
    self.spaces = spaces
    self.capacity = capacity
  }
}

extension RunVenue {
  /// Returns the area of the spaces of a group in square metres.
  package func area(of group: RunGroup) -> Double {
    group.spaces.reduce(0) { $0 + spaces[Int($1)].area }
  }

  /// Returns the names of the groups that a space is in.
  package func groups(ofSpace number: Int) -> [String] {
    groups.filter { $0.spaces.contains(Int32(number)) }.map(\.name)
  }
}

extension RunOutcome {
  /// A group of spaces over the whole run.
  package struct Group: Hashable, Sendable {
    /// The number of the group in ``RunVenue/groups``.
    package var number: Int
    /// The figures of presence; floor and space are unknown. Someone who goes from one space of the group to another stays.
    package var presence: Place
    /// The number of arrivals at queues in the spaces of the group; `nil` if queues are unknown.
    package var waits: Int?
    /// The mean wait in seconds; `nil` without waits.
    package var meanWait: Double?
    /// The 95 % quantile of the wait in seconds; `nil` without waits.
    package var p95Wait: Double?

    /// Creates a group from its parts.
    package init(
      number: Int, presence: Place, waits: Int? = nil, meanWait: Double? = nil, p95Wait: Double? = nil
    ) {
      self.number = number
      self.presence = presence
      self.waits = waits
      self.meanWait = meanWait
      self.p95Wait = p95Wait
    }
  }

  /// The number of people in a group of spaces in one time bin.
  package struct GroupBin: Hashable, Sendable {
    /// The record of the run that the count belongs to.
    package var source: RunSource
    /// The number of the group in ``RunVenue/groups``.
    package var group: Int
    /// The start of the bin in milliseconds since 1970.
    package var binStart: Int64
    /// The mean presence.
    package var mean: Double
    /// The maximum at one time.
    package var peak: Int32

    /// Creates a bin from its parts.
    package init(source: RunSource, group: Int, binStart: Int64, mean: Double, peak: Int32) {
      self.source = source
      self.group = group
      self.binStart = binStart
      self.mean = mean
      self.peak = peak
    }
  }

  /// A figure of a place over the replicas of a run.
  package struct ReplicaFigure: Hashable, Sendable {
    /// The subject of the figure.
    package enum Subject: Hashable, Sendable {
      /// A floor, by `FloorOrdinal.thousandths`.
      case floor(Int32)
      /// A space, by number.
      case space(Int32)
      /// A group, by number.
      case group(Int)
    }

    /// A figure that replicas are compared in.
    package enum Name: String, Hashable, Sendable, CaseIterable {
      /// The mean presence.
      case mean
      /// The 95 % quantile over the time bins.
      case p95
      /// The maximum at one time.
      case peak
      /// The minutes above the capacity.
      case minutesOverCapacity = "minutes_over_capacity"
      /// The minutes of these in which people who stayed were above the capacity.
      case minutesOverCapacityStaying = "minutes_over_capacity_staying"
      /// The minutes of these in which only people who passed through made the difference.
      case minutesOverCapacityPassing = "minutes_over_capacity_passing"
      /// The number of times that somebody came in.
      case visits
      /// The mean time of a visit in seconds.
      case meanVisit = "mean_visit_s"
      /// The mean wait in seconds, in groups.
      case meanWait = "mean_wait_s"
    }

    /// The place.
    package var subject: Subject
    /// The figure.
    package var name: Name
    /// The number of replicas that have the figure.
    package var replicas: Int
    /// The mean over the replicas.
    package var mean: Double
    /// The lower end of the 95 % confidence interval of the mean.
    package var low: Double
    /// The upper end of that interval.
    package var high: Double
    /// The 5 % quantile over the replicas.
    package var p05: Double
    /// The 95 % quantile over the replicas.
    package var p95: Double

    /// Creates a figure from its parts.
    package init(
      subject: Subject, name: Name, replicas: Int, mean: Double, low: Double, high: Double, p05: Double, p95: Double
    ) {
      self.subject = subject
      self.name = name
      self.replicas = replicas
      self.mean = mean
      self.low = low
      self.high = high
      self.p05 = p05
      self.p95 = p95
    }
  }
}
