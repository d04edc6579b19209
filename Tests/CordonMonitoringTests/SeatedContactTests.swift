import CordonContacts
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Testing

@Suite("From two phones to a contact")
struct SeatedContactTests {
  static let start = Instant.testStart

  /// The contacts within 2 m of a server's rows, through the adapter for observed fixes.
  static func contacts(_ sink: InProcessSink, in venue: SmallVenue, names: [String]) -> [Contact] {
    let frame = LocalFrame(origin: venue.geofence.center)
    let rows = sink.locations
    let points = rows.map { row in
      let point = frame.project(row.coordinate)
      return TrackPoint(
        device: Int32(names.firstIndex(of: row.device.rawValue) ?? -1),
        floor: row.floor?.thousandths ?? Segment.unknownFloor, time: row.time.milliseconds, x: point.x, y: point.y)
    }
    let still = rows.map { $0.stillUntil?.milliseconds ?? 0 }
    return ContactFinder(distance: 2).contacts(in: ObservedTracks(points, stillUntil: still))
  }

  /// Two people walk in, sit down 1.2 m apart for half an hour and walk out; with sensors for motion, or without.
  @Test(arguments: [false, true])
  func twoSeatedPeopleAreOneContactOfHalfAnHour(hasSensors: Bool) throws {
    let names = ["anna", "ben"]
    let venue = SmallVenue()
    let sink = InProcessSink()
    for (index, name) in names.enumerated() {
      let phone = try TestPhone(in: venue, sink: sink, device: DeviceID(name), start: Self.start)
      phone.consentAndStart()
      // From opposite sides, at 1.4 m/s.
      let side = index == 0 ? -1.0 : 1.0
      let chair = side * 0.6
      for step in 0..<5 { phone.stay(at: (east: chair + side * Double(4 - step) * 7, north: 4), for: .seconds(5)) }
      if hasSensors { phone.send(.motion(.still)) }
      phone.stay(at: (east: chair, north: 4), for: .minutes(30))
      if hasSensors { phone.send(.motion(.moving)) }
      for step in 1..<5 { phone.stay(at: (east: chair + side * Double(step) * 7, north: 4), for: .seconds(5)) }
      phone.leave()
      #expect(phone.accounting.onPhone == 0)
      #expect(phone.sink.count < 2_000)
    }
    let contacts = Self.contacts(sink, in: venue, names: names)
    #expect(contacts.count == 1, "one contact, not pieces: \(contacts)")
    let contact = try #require(contacts.first)
    let minutes = Double(contact.end - contact.start) / 60e6
    #expect(abs(minutes - 30) < 0.5, "\(minutes) minutes")
    #expect(abs(contact.minimumDistance - 1.2) < 0.1)
  }

  @Test func twoSilentPhonesAreNotAContact() throws {
    // Each sees the place once, an hour apart: silence is not a contact.
    let venue = SmallVenue()
    let sink = InProcessSink()
    for name in ["anna", "ben"] {
      let phone = try TestPhone(in: venue, sink: sink, device: DeviceID(name), start: Self.start)
      phone.consentAndStart()
      phone.send(.region(.entered))
      phone.fix(at: (east: name == "anna" ? 1 : 2, north: 1))
      phone.sleep(.hours(1))
      phone.fix(at: (east: name == "anna" ? 1 : 2, north: 1))
      phone.leave()
    }
    for contact in Self.contacts(sink, in: venue, names: ["anna", "ben"]) {
      #expect(contact.end - contact.start < 60_000_000)
    }
  }
}
