import CordonContacts
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonVenues

/// What follows from a run's truth and from what the sink received: contacts, agreement, occupancy.
struct RunAnalysis {
  let truth: Truth
  /// The simulated time that was reached.
  let end: Instant
  let world: World
  let venue: Venue
  let fleet: PhoneFleet
  let settings: SimulationSettings
  let progress: VenueSimulation.Progress

  /// Everything for the run folder; the command is left empty.
  func contents(isPartial: Bool) -> RunContents {
    progress("contacts", 0, 4, "steps")
    let places = RunPlaces(venue: venue, plan: world.plan)
    let locations = received(places)
    let truth = self.truth.segments(before: end)
    let observed = ObservedTracks(
      locations.map { location in
        let point = self.truth.frame.projectRounded(location.coordinate)
        return TrackPoint(
          device: location.person, floor: location.floor, time: location.time, x: point.x, y: point.y)
      }, accuracies: locations.map { Float($0.accuracy) }, stillUntil: locations.map(\.stillUntil),
      maximumGap: settings.maximumGap
    ).segments()
    let finder = ContactFinder(distance: settings.contactDistance, threads: settings.threads)
    let trueContacts = finder.contacts(in: truth)
    progress("contacts", 1, 4, "steps")
    let observedContacts = finder.contacts(in: observed)
    progress("contacts", 2, 4, "steps")
    let carriers = fleet.devices.map { $0 != nil }
    _ = carriers
    _ = (trueContacts, observedContacts, places, isPartial)
    fatalError()
  }

  private func received(_ places: RunPlaces) -> [ObservedLocation] {
    var persons: [DeviceID: Int32] = [:]
    for (person, device) in fleet.devices.enumerated() {
      if let device { persons[device] = Int32(person) }
    }
    var locations: [ObservedLocation] = []
    locations.reserveCapacity(fleet.sink.count)
    fleet.sink.forEachLocation { location in
      guard let person = persons[location.device] else { return }
      locations.append(ObservedLocation(location, person: person, space: places.number(of: location.space)))
    }
    return locations.sorted { ($0.person, $0.time) < ($1.person, $1.time) }
  }
}
