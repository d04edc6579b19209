public import CordonContacts

/// A contact with the spaces and walls around it.
public struct RunContact: Hashable, Sendable {
  /// The record of the run that the contact belongs to.
  public var source: RunSource
  /// The contact; `first` and `second` are numbers of people.
  public var contact: Contact
  /// The number of the first person's space, or ``ObservedLocation/noSpace``.
  public var firstSpace: Int32
  /// The number of the second person's space, or ``ObservedLocation/noSpace``.
  public var secondSpace: Int32
  /// The share of the contact's time with a wall between the two, 0 ... 1; `nil` if it was not determined.
  public var wallShare: Double?

  /// Creates a contact from its parts.
  public init(
    source: RunSource, contact: Contact, firstSpace: Int32 = ObservedLocation.noSpace,
    secondSpace: Int32 = ObservedLocation.noSpace, wallShare: Double? = nil
  ) {
    self.source = source
    self.contact = contact
    self.firstSpace = firstSpace
    self.secondSpace = secondSpace
    self.wallShare = wallShare
  }
}

/// The number of people or devices in a place during one time bin.
///
/// The truth counts people, the observation counts devices.
public struct RunOccupancy: Hashable, Sendable {
  /// The record of the run that the count belongs to.
  public var source: RunSource
  /// `FloorOrdinal.thousandths`, or `Segment.unknownFloor`.
  public var floor: Int32
  /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
  public var space: Int32
  /// The start of the bin in milliseconds since 1970, UTC.
  public var binStart: Int64
  /// The mean number over the bin: the sum of all presence, divided by the width of the bin.
  public var mean: Double
  /// The maximum at one time.
  public var peak: Int32

  /// Creates a row from its parts.
  public init(source: RunSource, floor: Int32, space: Int32, binStart: Int64, mean: Double, peak: Int32) {
    self.source = source
    self.floor = floor
    self.space = space
    self.binStart = binStart
    self.mean = mean
    self.peak = peak
  }
}
