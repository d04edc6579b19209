public import CordonContacts
public import CordonCore

/// Everything that a run folder is made of: what was there, what was seen of it, and what follows.
///
/// People are numbered 0, 1, 2 ... in ``people``; segments, locations and contacts name them by that
/// number. Somebody who carries no device has a number all the same, so that truth and observation
/// share one numbering. In a run that knows devices only (a replay), each device is one entry.
/// Spaces are numbered by their place in `venue.spaces`.
public struct RunContents: Sendable {
  /// What the run was asked to do.
  public var parameters: RunParameters
  /// The files that the run was made from.
  public var inputs: [RunInput]
  /// Where it took place.
  public var venue: RunVenue
  /// Who took part.
  public var people: [RunPerson]
  /// Where everybody was: `device` is the number of the person. Empty when nobody knows.
  public var truth: [Segment]
  /// What the sink received.
  public var locations: [ObservedLocation]
  /// Contacts from truth and from observation.
  public var contacts: [RunContact]
  /// Devices (from observation) and people (from truth) per floor and space, over time.
  public var occupancy: [RunOccupancy]
  /// The figures that the run is judged by.
  public var summary: RunSummary
  /// What the run comes to, beyond single contacts.
  public var outcome = RunOutcome()
  /// Steps of movement that were computed, over all people; not kept in the folder.
  public var agentSteps = 0
  /// What was taken for granted where the map does not say, and what cannot be come to: sentences for people.
  public var notes: [String] = []
  /// Whether the run was interrupted, so that the folder holds only its beginning.
  public var isPartial: Bool

  /// Takes the parts as they are; ``RunFolder/write(_:threads:timings:)`` checks that the numbers fit together.
  public init(
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

/// Which of the two records of a run something belongs to.
public enum RunSource: String, Hashable, Sendable, CaseIterable {
  /// Where people really were.
  case truth
  /// What the devices reported.
  case observed
}

/// One participant of a run.
public struct RunPerson: Hashable, Sendable {
  /// The device that the person carries, or `nil` for none.
  public var device: DeviceID?
  /// The group that the scenario put the person in (`staff`, `visitors`); empty for none.
  public var population: String

  /// Somebody with a device, or without.
  public init(device: DeviceID?, population: String = "") {
    self.device = device
    self.population = population
  }
}

/// A file or folder that a run was made from.
public struct RunInput: Hashable, Sendable {
  /// What it is to the run: `venue`, `scenario`, `trace`.
  public var role: String
  /// Its own name, without the folders above it.
  public var name: String
  /// SHA-256 of its contents, 64 hexadecimal digits.
  public var sha256: String

  /// Takes the texts as they are.
  public init(role: String, name: String, sha256: String) {
    self.role = role
    self.name = name
    self.sha256 = sha256
  }
}
