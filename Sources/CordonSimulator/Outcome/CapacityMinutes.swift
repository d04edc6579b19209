import CordonContacts
import CordonCore
import CordonCrowd
import CordonRun
import CordonVenues

/// The minutes in which spaces held more people than their limit, summed over spaces: because of people who stayed, and
/// only because of people who passed through.
struct CapacityMinutes {
  /// Minutes in which more people stayed than the limit allows.
  let staying: Double
  /// Minutes in which more people were there, but not more stayed.
  let passing: Double

  /// Counts the bins of the true occupancy.
  ///
  /// Complexity: O(*n* log *n* + *m*) for *n* stays and *m* bins.
  /// - Parameters:
  ///   - occupancy: the true occupancy in bins of the length `bin`.
  ///   - stays: the stays of all people.
  ///   - limits: the maximum number of people in a space, by its number in `places`.
  init(
    occupancy: [RunOccupancy], stays: some Sequence<Stay>, limits: [Int32: Int], bin: TimeSpan, world: World,
    places: RunPlaces
  ) {
    let length = max(bin.milliseconds, 1)
    var changes: [Int32: [(time: Int64, count: Int)]] = [:]
    for stay in stays where stay.start < stay.end {
      guard let space = stay.space.map({ places.number(of: world.plan.spaces[$0].id) }), limits[space] != nil else {
        continue
      }
      changes[space, default: []] += [(stay.start.milliseconds, 1), (stay.end.milliseconds, -1)]
    }
    var over: Set<Bin> = []
    for (space, list) in changes {
      var now = 0
      var since: Int64 = 0
      let limit = limits[space] ?? .max
      // At equal times, people leave before others come.
      for change in list.sorted(by: { ($0.time, $0.count) < ($1.time, $1.count) }) {
        if now > limit, change.time > since {
          for number in (since / length)...((change.time - 1) / length) {
            over.insert(Bin(space: space, number: number))
          }
        }
        now += change.count
        since = change.time
      }
    }
    let full = occupancy.filter { row in limits[row.space].map { Int(row.peak) > $0 } ?? false }
    staying = Double(over.count) * bin.seconds / 60
    passing =
      Double(full.count { !over.contains(Bin(space: $0.space, number: $0.binStart / length)) }) * bin.seconds / 60
  }

  private struct Bin: Hashable {
    var space: Int32
    var number: Int64
  }
}
