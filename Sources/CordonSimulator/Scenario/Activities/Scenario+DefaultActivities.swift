import CordonCore
import CordonCrowd
import CordonVenues

extension Scenario {
  /// Returns the activities of a scenario that defines none: a stay in each kind of space, for a duration that is
  /// typical of it.
  static func defaultActivities(in world: World) -> [Activity] {
    let kinds = Set(world.destinations.map(\.kind))
    return SpaceKind.allCases.filter(kinds.contains).map { kind in
      let dwell = kind.dwell
      var activity = Activity(
        name: kind.rawValue,
        duration: DurationRule(
          .logNormal(median: dwell.median * 60, spread: dwell.spread), minimum: .seconds(30), maximum: .hours(10)))
      activity.kinds = [kind]
      let places = world.destinations.filter { $0.kind == kind }
      activity.weight = places.reduce(0) { $0 + $1.popularity }
      return activity
    }
  }
}
