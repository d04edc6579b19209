/// A phase of a simulation run, in the order of the phases.
///
/// The raw value names the phase in the timings of a run.
public enum RunPhase: String, Hashable, Sendable, CaseIterable {
  /// Preparation of the venue, and the plans of all visits.
  case plan
  /// The routes of all itineraries.
  case itineraries
  /// The movement of all people.
  case people
  /// The phones that people carry.
  case phones
  /// Contacts, occupancy and figures.
  case contacts
  /// The other repetitions, without phones.
  case replicas
  /// The run folder.
  case write

  /// The name that a progress line shows.
  public var text: String {
    switch self {
    case .plan: "planning"
    case .write: "writing"
    case .itineraries, .people, .phones, .contacts, .replicas: rawValue
    }
  }
}
