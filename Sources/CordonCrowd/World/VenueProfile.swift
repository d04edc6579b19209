package import CordonVenues

/// The purpose of a venue, which determines arrivals and visits.
package enum VenueProfile: String, Hashable, Sendable, CaseIterable {
  case office, school, mall, museum, hospital, station, generic

  /// Returns the profile that the areas of the kinds of space suggest.
  package static func guess(from spaces: some Sequence<PlanSpace>) -> VenueProfile {
    var areas: [SpaceKind: Double] = [:]
    for space in spaces { areas[space.kind, default: 0] += space.area }
    func share(_ kinds: SpaceKind...) -> Double {
      let all = areas.values.sorted().reduce(0, +)
      return all > 0 ? kinds.reduce(0) { $0 + (areas[$1] ?? 0) } / all : 0
    }
    if share(.platform) > 0.05 { return .station }
    if share(.ward, .medical) > 0.1 { return .hospital }
    if share(.exhibition) > 0.2 { return .museum }
    if share(.classroom, .auditorium) > 0.15 { return .school }
    if share(.shop) > 0.15 { return .mall }
    if share(.office, .meetingRoom) > 0.1 { return .office }
    return .generic
  }

  /// The distribution of arrivals over the run: relative rates in ten equal parts of its duration.
  package var arrivalRates: [Double] {
    switch self {
    case .office, .school: [5, 4, 2, 1, 1, 1, 0.5, 0.5, 0.2, 0]
    case .hospital: [3, 3, 2, 2, 2, 1.5, 1, 1, 0.5, 0]
    case .station: [2, 3, 3, 2, 2, 2, 3, 3, 2, 1]
    case .mall, .museum, .generic: [3, 3, 3, 2, 2, 2, 2, 1, 1, 0]
    }
  }

  /// The mean duration of a visit, in minutes.
  package var meanVisit: Double {
    switch self {
    case .office, .school: 300
    case .hospital: 90
    case .museum: 75
    case .mall: 60
    case .generic: 60
    case .station: 18
    }
  }

  /// The probability that a person returns to their first destination, at each choice of the next one.
  package var homeShare: Double {
    switch self {
    case .office: 0.6
    case .school: 0.5
    case .hospital: 0.4
    case .generic: 0.25
    case .mall, .museum, .station: 0
    }
  }
}

extension SpaceKind {
  /// Whether people stay in spaces of this kind instead of only passing through.
  var isVisited: Bool {
    switch self {
    case .corridor, .stairs, .elevator, .escalator, .ramp, .movingWalkway, .openToBelow, .inaccessible, .storage:
      false
    default: true
    }
  }

  /// The attraction of a space of this kind, relative to others of equal area.
  var attraction: Double {
    switch self {
    case .office, .classroom, .ward: 3
    case .meetingRoom, .laboratory, .library, .exhibition, .shop, .restaurant, .platform, .auditorium: 2.5
    case .medical, .sports, .waitingArea: 2
    case .room, .kitchen, .unknown: 1
    case .restroom, .lobby, .area: 0.8
    case .terrace, .prayerRoom: 0.4
    case .service, .parking, .outdoor: 0.15
    default: 0.3
    }
  }

  /// The dwell time: the median in minutes, and the standard deviation of its logarithm.
  package var dwell: (median: Double, spread: Double) {
    switch self {
    case .office, .laboratory: (30, 0.6)
    case .meetingRoom: (35, 0.4)
    case .classroom, .auditorium: (42, 0.25)
    case .library: (25, 0.7)
    case .restaurant: (22, 0.4)
    case .ward: (25, 0.6)
    case .medical: (12, 0.5)
    case .sports: (35, 0.4)
    case .exhibition: (5, 0.8)
    case .shop: (7, 0.8)
    case .platform, .waitingArea: (8, 0.6)
    case .restroom: (4, 0.35)
    case .kitchen: (6, 0.5)
    case .prayerRoom: (10, 0.4)
    case .lobby, .area, .terrace, .outdoor: (4, 0.8)
    case .parking, .service: (3, 0.5)
    default: (12, 0.8)
    }
  }
}
