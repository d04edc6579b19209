import CordonContacts
import CordonCore
import CordonGeometry

/// An inconsistency between the parts of the contents. Nothing was written.
package struct RunContentsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part with the index in it, for example `locations[17]`.
  package var place: String
  /// A description of the inconsistency.
  package var message: String

  init(_ list: String, _ index: Int, _ message: String) {
    place = "\(list)[\(index)]"
    self.message = message
  }

  init(_ place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  /// The error on one line.
  package var description: String { "\(place): \(message)" }
}

extension RunContents {
  /// Checks that every number refers to something, that no interval ends before it starts, and that lengths are finite.
  func check() throws(RunContentsError) {
    try checkParameters()
    try checkVenue()
    try checkPeople()
    try checkTruth()
    try checkLocations()
    try checkContacts()
    try checkOccupancy()
    try checkOutcome()
    try checkAir()
    guard summary.accounting.isBalanced else {
      throw RunContentsError("summary.accounting", "the sums of fixes or of stored locations do not hold")
    }
  }

  private func checkAir() throws(RunContentsError) {
    guard let air else { return }
    guard air.spaces.count == venue.spaces.count, air.people.count == people.count else {
      throw RunContentsError("air", "the numbers of spaces or people differ from those of the run")
    }
    for (index, bin) in air.bins.enumerated() where !venue.spaces.indices.contains(Int(bin.space)) {
      throw RunContentsError("air.bins", index, "no space \(bin.space)")
    }
  }

  private func checkParameters() throws(RunContentsError) {
    guard parameters.frameOrigin.isValid else {
      throw RunContentsError("parameters.frameOrigin", "not a place on earth")
    }
    guard parameters.duration >= .zero, parameters.occupancyBin > .zero else {
      throw RunContentsError("parameters", "a duration is negative, or the occupancy bin is not positive")
    }
    var names = Set(RunParameters.reservedNames)
    for (index, other) in parameters.others.enumerated() {
      let isPlain =
        !other.name.isEmpty
        && other.name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
      guard isPlain else { throw RunContentsError("parameters.others", index, "a name is of a-z, 0-9 and _") }
      guard names.insert(other.name).inserted else {
        throw RunContentsError("parameters.others", index, "\(other.name) is there already")
      }
    }
  }

  private func checkVenue() throws(RunContentsError) {
    for (index, space) in venue.spaces.enumerated() where !venue.floors.indices.contains(space.floor) {
      throw RunContentsError("venue.spaces", index, "no floor \(space.floor)")
    }
    for (index, opening) in venue.openings.enumerated() {
      try checkSpace(opening.left, list: "venue.openings", index: index)
      try checkSpace(opening.right, list: "venue.openings", index: index)
    }
    for (index, group) in venue.groups.enumerated() {
      for space in group.spaces {
        guard space != ObservedLocation.noSpace else { throw RunContentsError("venue.groups", index, "no space -1") }
        try checkSpace(space, list: "venue.groups", index: index)
      }
    }
    for (index, floor) in venue.floors.enumerated() {
      for list in [floor.outline, floor.walls, floor.doors] where !RunContents.areFinite(list) {
        throw RunContentsError("venue.floors", index, "a coordinate is not finite")
      }
    }
    for (index, space) in venue.spaces.enumerated() where !RunContents.areFinite(space.rings) {
      throw RunContentsError("venue.spaces", index, "a coordinate is not finite")
    }
  }

  private func checkPeople() throws(RunContentsError) {
    var devices: Set<DeviceID> = []
    for (index, person) in people.enumerated() {
      guard let device = person.device else { continue }
      guard devices.insert(device).inserted else {
        throw RunContentsError("people", index, "somebody else carries the device \(device)")
      }
    }
  }

  private func checkTruth() throws(RunContentsError) {
    for (index, segment) in truth.enumerated() {
      guard people.indices.contains(Int(segment.device)) else {
        throw RunContentsError("truth", index, "no person \(segment.device)")
      }
      guard segment.start <= segment.end else { throw RunContentsError("truth", index, "ends before it starts") }
      guard RunContents.isLength(segment.x0), RunContents.isLength(segment.y0), RunContents.isLength(segment.x1),
        RunContents.isLength(segment.y1)
      else { throw RunContentsError("truth", index, "a coordinate is not finite, or off the earth") }
    }
  }

  private func checkLocations() throws(RunContentsError) {
    for (index, location) in locations.enumerated() {
      guard people.indices.contains(Int(location.person)) else {
        throw RunContentsError("locations", index, "no person \(location.person)")
      }
      guard people[Int(location.person)].device != nil else {
        throw RunContentsError("locations", index, "person \(location.person) carries no device")
      }
      guard location.coordinate.isValid, location.accuracy.isFinite else {
        throw RunContentsError("locations", index, "a coordinate or the accuracy is not a number in range")
      }
      guard location.time <= location.stillUntil else {
        throw RunContentsError("locations", index, "stillUntil is before the time of the fix")
      }
      try checkSpace(location.space, list: "locations", index: index)
    }
  }

  private func checkContacts() throws(RunContentsError) {
    for (index, row) in contacts.enumerated() {
      let contact = row.contact
      guard people.indices.contains(Int(contact.first)), people.indices.contains(Int(contact.second)),
        contact.first < contact.second
      else { throw RunContentsError("contacts", index, "not two people, the lower number first") }
      guard contact.start <= contact.end else { throw RunContentsError("contacts", index, "ends before it starts") }
      guard contact.minimumDistance.isFinite, RunContents.isLength(contact.x), RunContents.isLength(contact.y) else {
        throw RunContentsError("contacts", index, "a length is not finite, or off the earth")
      }
      guard row.wallShare.map({ (0...1).contains($0) }) ?? true else {
        throw RunContentsError("contacts", index, "the wall's share is not in 0 ... 1")
      }
      try checkSpace(row.firstSpace, list: "contacts", index: index)
      try checkSpace(row.secondSpace, list: "contacts", index: index)
    }
  }

  private func checkOccupancy() throws(RunContentsError) {
    for (index, row) in occupancy.enumerated() {
      guard row.mean.isFinite, row.mean >= 0, row.peak >= 0 else {
        throw RunContentsError("occupancy", index, "a count is negative or not finite")
      }
      try checkSpace(row.space, list: "occupancy", index: index)
    }
  }

  private func checkOutcome() throws(RunContentsError) {
    for (index, row) in outcome.places.enumerated() { try checkSpace(row.space, list: "outcome.places", index: index) }
    for (index, row) in outcome.groups.enumerated() where !venue.groups.indices.contains(row.number) {
      throw RunContentsError("outcome.groups", index, "no group \(row.number)")
    }
    for (index, row) in outcome.groupBins.enumerated() where !venue.groups.indices.contains(row.group) {
      throw RunContentsError("outcome.groupBins", index, "no group \(row.group)")
    }
    for (index, row) in outcome.queues.enumerated() { try checkSpace(row.space, list: "outcome.queues", index: index) }
  }

  private func checkSpace(_ space: Int32, list: String, index: Int) throws(RunContentsError) {
    guard space == ObservedLocation.noSpace || venue.spaces.indices.contains(Int(space)) else {
      throw RunContentsError(list, index, "no space \(space)")
    }
  }

  /// Checks that a length is finite and possible on earth: at most 50 000 km.
  private static func isLength(_ value: Double) -> Bool { abs(value) <= 5e7 }

  private static func areFinite(_ lines: [[PlanePoint]]) -> Bool {
    lines.allSatisfy { $0.allSatisfy { isLength($0.x) && isLength($0.y) } }
  }
}
