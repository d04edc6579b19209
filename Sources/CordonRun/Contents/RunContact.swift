public import CordonContacts

/// A contact, with what the venue's map adds to it.
public struct RunContact: Hashable, Sendable {
  /// Whether it happened, or was observed.
  public var source: RunSource
  /// Who, when, how near; `first` and `second` are numbers of people.
  public var contact: Contact
  /// The number of the space that the first was in, or ``ObservedLocation/noSpace``.
  public var firstSpace: Int32
  /// The number of the space that the second was in, or ``ObservedLocation/noSpace``.
  public var secondSpace: Int32
  /// The share of the contact's time, 0 ... 1, during which a wall stood between the two; `nil` when not determined.
  public var wallShare: Double?

  /// Takes the values as they are.
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

/// How many were in a place during one bin of time: people when the source is truth, devices when it is observation.
public struct RunOccupancy: Hashable, Sendable {
  /// Whose presence is counted.
  public var source: RunSource
  /// `FloorOrdinal.thousandths`, or `Segment.unknownFloor`.
  public var floor: Int32
  /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
  public var space: Int32
  /// Start of the bin, milliseconds since 1970, UTC.
  public var binStart: Int64
  /// Presence summed over the bin, divided by the bin's width.
  public var mean: Double
  /// The most at one time.
  public var peak: Int32

  /// Takes the values as they are.
  public init(source: RunSource, floor: Int32, space: Int32, binStart: Int64, mean: Double, peak: Int32) {
    self.source = source
    self.floor = floor
    self.space = space
    self.binStart = binStart
    self.mean = mean
    self.peak = peak
  }
}
