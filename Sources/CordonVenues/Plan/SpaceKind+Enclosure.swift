extension SpaceKind {
  /// Whether walls are to be expected round a space of this kind, when the map does not draw any.
  ///
  /// Rooms have walls; halls, platforms and areas run into each other.
  var isEnclosed: Bool {
    switch self {
    case .corridor, .lobby, .waitingArea, .platform, .parking, .terrace, .outdoor, .ramp, .movingWalkway, .escalator,
      .openToBelow, .area, .unknown:
      false
    case .room, .office, .meetingRoom, .classroom, .laboratory, .library, .auditorium, .shop, .restaurant, .kitchen,
      .restroom, .prayerRoom, .medical, .ward, .storage, .service, .exhibition, .sports, .stairs, .elevator,
      .inaccessible:
      true
    }
  }
}
