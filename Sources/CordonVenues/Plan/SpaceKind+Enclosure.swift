extension SpaceKind {
  /// Whether walls are expected round a space of this kind if the map has none.
  ///
  /// Rooms have walls; halls, platforms and areas do not.
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
