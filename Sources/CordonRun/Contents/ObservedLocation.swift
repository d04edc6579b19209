import CordonContacts
public import CordonCore

/// A location as the sink received it, with names replaced by numbers: a `CordonCore.Location` in 72 bytes.
public struct ObservedLocation: Hashable, Sendable {
  /// The identity of the fix.
  public var fix: FixID
  /// Degrees.
  public var coordinate: Coordinate
  /// Radius at 68 %, metres.
  public var accuracy: Double
  /// Milliseconds since 1970, UTC.
  public var time: Int64
  /// Until when the device was known to rest there, milliseconds since 1970, UTC; equal to `time` when it is not.
  public var stillUntil: Int64
  /// The number of the person who carries the device.
  public var person: Int32
  /// `FloorOrdinal.thousandths`, or `Segment.unknownFloor`.
  public var floor: Int32
  /// The number of the space, or ``noSpace``.
  public var space: Int32

  /// The number that stands for no space, or one not known.
  public static let noSpace: Int32 = -1

  /// Takes the values as they are.
  public init(
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

  /// The location of the device of a person; the caller looks up the two numbers.
  public init(_ location: Location, person: Int32, space: Int32) {
    self.init(
      fix: location.id, person: person, time: location.time.milliseconds, coordinate: location.coordinate,
      accuracy: location.accuracy, floor: location.floor?.thousandths ?? Segment.unknownFloor,
      stillUntil: max(location.stillUntil ?? location.time, location.time).milliseconds, space: space)
  }
}
