internal import CordonContacts
internal import CordonCore
internal import CordonGeometry

extension IngestSettings {
  /// Whether contacts are found from a position with this radius, millimetres.
  func isNearEnough(_ accuracy: Int64) -> Bool { Double(accuracy) <= contactAccuracy * 1_000 }

  var finder: ContactFinder { ContactFinder(distance: contactDistance) }
}

/// A stored position as the contact engine takes it.
///
/// Of several positions of a device and moment the engine keeps the one with the smallest radius, else the one that came
/// first. The order of arrival is not stored, so the identity breaks ties here: the radius is rounded to its first
/// three bits, and the rest of the number is taken from the identity. So the same positions give the same
/// contacts in any order of arrival.
func contactPoint(
  device: Int64, id: FixID, longitude: Int32, latitude: Int32, accuracy: Int64, floor: Int32?, stillUntil: Int64?,
  frame: LocalFrame
) -> ContactStream.Point {
  let place = frame.projectRounded(
    Coordinate(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7))
  let radius = Float(accuracy + 1)
  let rank = Float(bitPattern: radius.bitPattern & ~0x000f_ffff | UInt32(truncatingIfNeeded: id.low) & 0x000f_ffff)
  return ContactStream.Point(
    TrackPoint(
      device: Int32(truncatingIfNeeded: device), floor: floor ?? Segment.unknownFloor, time: id.time.milliseconds,
      x: place.x, y: place.y),
    accuracy: rank, stillUntil: stillUntil ?? .min)
}

func contactPoint(_ row: StoredPosition, frame: LocalFrame) -> ContactStream.Point {
  contactPoint(
    device: row.device, id: row.id, longitude: row.longitude, latitude: row.latitude, accuracy: row.accuracy,
    floor: row.floor, stillUntil: row.stillUntil, frame: frame)
}

func contactPoint(_ row: NewPosition, device: Int64, frame: LocalFrame) -> ContactStream.Point {
  contactPoint(
    device: device, id: row.id, longitude: row.longitude, latitude: row.latitude, accuracy: row.accuracy,
    floor: row.floor, stillUntil: row.stillUntil, frame: frame)
}
