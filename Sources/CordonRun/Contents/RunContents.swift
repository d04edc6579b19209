public import CordonContacts
package import CordonCore

/// The complete contents of a run folder: the true movement, the observed locations and the results.
///
/// People have the numbers 0, 1, 2 ... in `people`; segments, locations and contacts refer to these numbers. A person
/// without a device has a number too, so that truth and observation share one numbering. In a run with devices only (a
/// replay), each device is one entry. The number of a space is its index in `venue.spaces`.
public struct RunContents: Sendable {
  /// The settings of the run and the constants behind its results.
  package var parameters: RunParameters
  /// The files that the run was made from.
  package var inputs: [RunInput]
  /// The venue of the run.
  package var venue: RunVenue
  /// The participants.
  package var people: [RunPerson]
  /// The true movement of all people: `device` is the number of the person. Empty if it is unknown.
  public var truth: [Segment]
  /// The locations that the sink received.
  package var locations: [ObservedLocation]
  /// Contacts from truth and from observation.
  package var contacts: [RunContact]
  /// The number of people (from truth) and devices (from observation) per floor and space, over time.
  package var occupancy: [RunOccupancy]
  /// The main figures of the run.
  public var summary: RunSummary
  /// The results of the run beyond single contacts.
  package var outcome = RunOutcome()
  /// The air; `nil` if the run does not have it.
  package var air: RunAir?
  /// The number of computed movement steps of all people; not stored in the folder.
  public var agentSteps = 0
  /// Values of spaces that the player of the report can show; not stored in the folder.
  package var layers: [SpaceLayer] = []
  /// Sentences about assumptions where the map has no data, and about unreachable places.
  public var notes: [String] = []
  /// The connectivity of the map; `nil` if one part holds all spaces and nothing is assumed.
  package var connectivity: RunConnectivity?
  /// Whether the run was interrupted, so that the folder contains only its first part.
  public var isPartial: Bool

  /// Creates contents from their parts. ``RunFolder/write(_:threads:timings:)`` checks their consistency.
  package init(
    parameters: RunParameters, inputs: [RunInput] = [], venue: RunVenue, people: [RunPerson], truth: [Segment] = [],
    locations: [ObservedLocation] = [], contacts: [RunContact] = [], occupancy: [RunOccupancy] = [],
    summary: RunSummary, isPartial: Bool = false
  ) {
    self.parameters = parameters
    self.inputs = inputs
    self.venue = venue
    self.people = people
    self.truth = truth
    self.locations = locations
    self.contacts = contacts
    self.occupancy = occupancy
    self.summary = summary
    self.isPartial = isPartial
  }
}

/// One of the two records of a run.
package enum RunSource: String, Hashable, Sendable, CaseIterable {
  /// The true movement of people.
  case truth
  /// The reports of the devices.
  case observed
}

/// A participant of a run.
package struct RunPerson: Hashable, Sendable {
  /// The device of the person, or `nil` if there is none.
  package var device: DeviceID?
  /// The person's group in the scenario (`staff`, `visitors`); empty if there is none.
  package var population: String
  /// Whether the person came in. A scenario also plans people who never do, such as those of a later shift.
  package var cameIn: Bool
  /// The first arrival; `nil` if it is unknown.
  package var arrival: Instant?
  /// The last departure; `nil` if it is unknown, and for a person who is inside at the end of the run.
  package var departure: Instant?
  /// The time inside, summed over all visits; `nil` if it is unknown.
  package var timeInside: TimeSpan?

  /// Creates a participant from its parts.
  package init(
    device: DeviceID?, population: String = "", cameIn: Bool = true, arrival: Instant? = nil,
    departure: Instant? = nil, timeInside: TimeSpan? = nil
  ) {
    self.device = device
    self.population = population
    self.cameIn = cameIn
    self.arrival = arrival
    self.departure = departure
    self.timeInside = timeInside
  }
}

/// A file or folder that a run was made from.
package struct RunInput: Hashable, Sendable {
  /// The role in the run: `venue`, `scenario`, `trace`.
  package var role: String
  /// The name without its parent folders.
  package var name: String
  /// The SHA-256 of the contents, 64 hexadecimal digits.
  package var sha256: String

  /// Creates an input from its parts.
  package init(role: String, name: String, sha256: String) {
    self.role = role
    self.name = name
    self.sha256 = sha256
  }
}
