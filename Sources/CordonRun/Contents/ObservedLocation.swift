import CordonContacts
package import CordonCore

/// A location as the sink received it, with numbers in place of names: a `CordonCore.Location` in 72 bytes.
package struct ObservedLocation: Hashable, Sendable {
  /// The identifier of the fix.
  package var fix: FixID
  /// The position in degrees.
  package var coordinate: Coordinate
  /// The 68 % error radius in metres.
  package var accuracy: Double
  /// The time of the fix in milliseconds since 1970, UTC.
  package var time: Int64
  /// The end of the known rest of the device at that position, in milliseconds since 1970, UTC. Equal to `time` if the
  /// device is not known to rest.
  package var stillUntil: Int64
  /// The number of the person with the device.
  package var person: Int32
  /// `FloorOrdinal.thousandths`, or `Segment.unknownFloor`.
  package var floor: Int32
  /// The number of the space, or ``noSpace``.
  package var space: Int32

  /// The number for a position outside any space, or an unknown space.
  package static let noSpace: Int32 = -1

  /// Creates a location from its parts.
  package init(
    fix: FixID, person: Int32, time: Int64, coordinate: Coordinate, accuracy: Double, floor: Int32,
    stillUntil: Int64, space: Int32
  ) {
    self.fix = fix
    self.person = person
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.floor = floor
    self.stillUntil = stillUntil
    self.space = space
  }

  /// Creates a location from a reported one and the numbers of its person and its space.
  package init(_ location: Location, person: Int32, space: Int32) {
    self.init(
      fix: location.id, person: person, time: location.time.milliseconds, coordinate: location.coordinate,
      accuracy: location.accuracy, floor: location.floor?.thousandths ?? Segment.unknownFloor,
      stillUntil: max(location.stillUntil ?? location.time, location.time).milliseconds, space: space)
  }
}
