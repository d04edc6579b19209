package import CordonContacts

/// A contact with the spaces and walls around it.
package struct RunContact: Hashable, Sendable {
  /// The record of the run that the contact belongs to.
  package var source: RunSource
  /// The contact; `first` and `second` are numbers of people.
  package var contact: Contact
  /// The number of the first person's space, or ``ObservedLocation/noSpace``.
  package var firstSpace: Int32
  /// The number of the second person's space, or ``ObservedLocation/noSpace``.
  package var secondSpace: Int32
  /// The share of the contact's time with a wall between the two, 0 ... 1; `nil` if it was not determined.
  package var wallShare: Double?

  /// Creates a contact from its parts.
  package init(
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
package struct RunOccupancy: Hashable, Sendable {
  /// The record of the run that the count belongs to.
  package var source: RunSource
  /// `FloorOrdinal.thousandths`, or `Segment.unknownFloor`.
  package var floor: Int32
  /// The number of the space, or ``ObservedLocation/noSpace`` for the whole floor.
  package var space: Int32
  /// The start of the bin in milliseconds since 1970, UTC.
  package var binStart: Int64
  /// The mean number over the bin: the sum of all presence, divided by the width of the bin.
  package var mean: Double
  /// The maximum at one time.
  package var peak: Int32

  /// Creates a row from its parts.
  package init(source: RunSource, floor: Int32, space: Int32, binStart: Int64, mean: Double, peak: Int32) {
    self.source = source
    self.floor = floor
    self.space = space
    self.binStart = binStart
    self.mean = mean
    self.peak = peak
  }
}
