import Cordon
import CordonConsole
import CordonCore
import CordonGeometry

extension Doctor {
  /// Reads the maps and requests the venues of servers, but stores nothing.
  func examineVenues() async -> (findings: [DiagnosisFinding], gates: [PackedVenueGate]) {
    if configuration.venues.isEmpty, configuration.monitor.everywhere != nil {
      let sentence = "No venue is named, and the mode everywhere needs none."
      return ([DiagnosisFinding(.ok, "venue", "everywhere", sentence)], [])
    }
    if configuration.venues.isEmpty {
      return (
        [
          DiagnosisFinding(
            .failure, "venue", "no-venue", "No venue is named, so nothing is ever recorded.",
            remedy: "Name a map, what cordon venue pack made of it, or a venue of a server.")
        ], []
      )
    }
    var findings: [DiagnosisFinding] = []
    var gates: [PackedVenueGate] = []
    for name in configuration.venues {
      let (found, gate) = VenueAddress.isAddress(name) ? await serverVenue(name) : fileVenue(name)
      findings += found
      if let gate { gates.append(gate) }
    }
    if Set(gates.map(\.venue)).count < gates.count {
      findings.append(
        DiagnosisFinding(
          .failure, "venue", "two-venues", "A venue is named twice.", remedy: "Remove one of the two."))
    }
    return (findings, gates)
  }

  private func fileVenue(_ path: String) -> ([DiagnosisFinding], PackedVenueGate?) {
    do throws(TrackerError) {
      let (venue, remarks) = try TrackerVenue.load(path)
      let counts = "has \(venue.floors.count) floors and \(venue.spaces.count) spaces"
      let findings = [DiagnosisFinding(.ok, "venue", "venue", "\(venue.venue) \(counts); \(round(venue.geofence)).")]
      return (
        findings
          + remarks.map {
            DiagnosisFinding(
              .warning, "venue", "venue-error", "The map has an error: \($0).", remedy: "See cordon venue validate.")
          }, PackedVenueGate(venue)
      )
    } catch {
      return (
        [
          DiagnosisFinding(
            .failure, "venue", error.code, "The venue cannot be used: \(error.description).",
            remedy: "See cordon venue validate, or pack it again.")
        ], nil
      )
    }
  }

  private func serverVenue(_ name: String) async -> ([DiagnosisFinding], PackedVenueGate?) {
    let venues: TrackerVenues
    do throws(TrackerError) {
      venues = try await TrackerVenues([name], folder: configuration.venueFolder, keeping: false, transport: transport)
    } catch {
      return (
        [
          DiagnosisFinding(
            .failure, "venue", error.code, "The venue cannot be requested: \(error.description).",
            remedy: "Name the server and the venue.")
        ], nil
      )
    }
    let hasKept = await !venues.gates.isEmpty
    let updates = asksServers ? await venues.ask().first : nil
    guard let gate = await venues.gates.first else {
      return (
        [
          DiagnosisFinding(
            .failure, "venue", "no-venue-yet",
            updates?.sentence ?? "The venue was never fetched: \(name).",
            remedy: "Check the network, the server and the name of the venue; the tracker tries again by itself.")
        ], nil
      )
    }
    var findings = [DiagnosisFinding(.ok, "venue", "venue", "\(gate.venue): \(round(gate.geofence)).")]
    if case .kept(let reason) = updates?.freshness {
      findings.append(
        DiagnosisFinding(
          .warning, "venue", "venue-kept", "The last good map of \(gate.venue) is used: \(reason).",
          remedy: "Check the network, the server and the name of the venue; the tracker tries again by itself."))
    } else if !hasKept {
      findings.append(
        DiagnosisFinding(
          .ok, "venue", "venue-new", "The server has \(gate.venue); the tracker keeps it when it starts."))
    }
    return (findings, gate)
  }

  private func round(_ fence: Geofence) -> String {
    "the geofence is \(Int(fence.radius)) m round \(place(fence.center))"
  }
}
