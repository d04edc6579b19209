import CordonRun

/// The minutes in which places held more people than their limit, by reason.
enum CapacityMinutes {
  /// The minutes of all spaces together.
  struct Total: Hashable {
    /// Minutes in which more people stayed than the limit allows.
    var staying = 0.0
    /// Minutes in which more people were there, but not more stayed.
    var passing = 0.0
  }

  /// Returns the sums over the spaces of a run; floors do not count.
  static func total(_ places: [RunOutcome.Place]) -> Total {
    var total = Total()
    for row in places where row.source == .truth && row.space != ObservedLocation.noSpace {
      total.staying += row.minutesOverCapacityStaying ?? 0
      total.passing += row.minutesOverCapacityPassing ?? 0
    }
    return total
  }

  /// Returns the numbers of the bins in which more people stay in a place at one time than its limit allows.
  ///
  /// Complexity: O(*n* log *n* + *m*) for *n* stays and *m* bins.
  /// - Parameters:
  ///   - stays: the stays in the place, in any order.
  ///   - limit: the maximum number of people.
  ///   - width: the width of a bin, in milliseconds.
  static func bins(of stays: some Sequence<StayLength>, above limit: Int, width: Int64) -> Set<Int64> {
    let width = max(width, 1)
    var changes: [(time: Int64, count: Int)] = []
    for stay in stays where stay.start < stay.end { changes += [(stay.start, 1), (stay.end, -1)] }
    // At equal times, people leave before others come.
    changes.sort { ($0.time, $0.count) < ($1.time, $1.count) }
    var bins: Set<Int64> = []
    var (now, since) = (0, Int64(0))
    for change in changes {
      if now > limit, change.time > since { bins.formUnion((since / width)...((change.time - 1) / width)) }
      now += change.count
      since = change.time
    }
    return bins
  }
}
