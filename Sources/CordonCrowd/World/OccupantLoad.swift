package import CordonVenues

/// Occupant load factors: the floor area per person for which spaces are planned.
///
/// docs/reference/occupant-load.md lists the source of each factor.
package enum OccupantLoad {
  /// Returns the floor area per person in spaces of a kind, in square metres.
  package static func areaPerPerson(in kind: SpaceKind) -> Double {
    switch kind {
    case .auditorium, .prayerRoom: 0.65
    case .meetingRoom, .restaurant, .kitchen, .waitingArea, .lobby, .platform, .terrace: 1.4
    case .classroom: 1.9
    case .restroom, .outdoor: 2
    case .exhibition: 2.8
    case .laboratory, .library, .sports: 4.6
    case .shop: 5.6
    case .office: 6
    case .medical: 9.3
    case .ward: 11.1
    case .parking: 18.6
    case .service, .storage: 27.9
    case .room, .area, .unknown: 5
    case .corridor, .stairs, .elevator, .escalator, .ramp, .movingWalkway, .openToBelow, .inaccessible: 2
    }
  }

  /// Returns the number of people for which a floor area has room, at least 1; a fraction counts as one person.
  /// - Parameters:
  ///   - area: the floor area, in square metres.
  ///   - kind: the kind of the space.
  package static func people(on area: Double, in kind: SpaceKind) -> Int {
    max(Int(min((area / areaPerPerson(in: kind) - 1e-9).rounded(.up), 1e6)), 1)
  }
}
