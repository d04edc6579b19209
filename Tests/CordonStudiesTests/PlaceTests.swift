import CordonCore
import Testing

@testable import CordonPresence
@testable import CordonStudies

@Suite("Points of interest") struct PlaceTests {
  private func place(
    _ id: String, metresEast: Double, radius: Double = 10, hours: [String] = [], category: String = "722511"
  ) -> PointOfInterest {
    PointOfInterest(
      id: id, name: id, category: category, coordinate: Coordinate(longitude: metresEast / 111_320, latitude: 0),
      radius: radius, hours: hours.compactMap { OpeningHours($0) })
  }

  private func visit(metresEast: Double, from: Instant = start + .hours(12), minutes: Int64 = 60) -> PresenceVisit {
    PresenceVisit(
      place: .other, coordinate: Coordinate(longitude: metresEast / 111_320, latitude: 0),
      arrival: from.milliseconds, departure: (from + .minutes(minutes)).milliseconds, isArrivalKnown: true,
      isDepartureKnown: true, unknown: 0)
  }

  private func attribution(
    _ visit: PresenceVisit, _ accuracy: Double, _ places: [PointOfInterest], offset: TimeSpan = .zero
  ) -> VisitAttribution { VisitAttribution(visit, accuracy: accuracy, places: places, offset: offset) }

  @Test func anInaccuratePositionDoesNotChooseTheNearest() {
    let places = [place("cafe", metresEast: 10), place("clinic", metresEast: -20)]
    let precise = attribution(visit(metresEast: 8), 5, places)
    #expect(precise.candidates.first?.place == 0 && precise.candidates[0].probability > 0.95)
    // With the published 35 m indoors the two are nearly alike, and none of them is certain.
    let vague = attribution(visit(metresEast: 8), 35, places)
    #expect(vague.candidates.map(\.place) == [0, 1])
    #expect(vague.candidates[0].probability < 0.7 && vague.candidates[1].probability > 0.25)
    #expect(vague.elsewhere > precise.elsewhere)
  }

  @Test func probabilitiesAddUpToOne() {
    let places = (0..<40).map { place("p\($0)", metresEast: Double($0) * 7, radius: Double(5 + $0 % 9)) }
    for accuracy in [1.0, 5, 20, 60, 300] {
      let found = attribution(visit(metresEast: 91), accuracy, places)
      let sum = found.candidates.reduce(found.elsewhere) { $0 + $1.probability }
      #expect(abs(sum - 1) < 1e-9)
      #expect(found.candidates.map(\.probability) == found.candidates.map(\.probability).sorted(by: >))
    }
    #expect(attribution(visit(metresEast: 5_000), 10, places).elsewhere == 1)
  }

  @Test func aClosedPlaceIsUnlikely() {
    let places = [
      place("bar", metresEast: 4, hours: ["Mo-Su 18:00-02:00"]),
      place("bakery", metresEast: -12, hours: ["Mo-Su 06:00-18:00"]),
    ]
    #expect(attribution(visit(metresEast: 0), 15, places).candidates.first?.place == 1)
    #expect(attribution(visit(metresEast: 0, from: start + .hours(20)), 15, places).candidates.first?.place == 0)
    // Hours are those of the local clock.
    #expect(attribution(visit(metresEast: 0), 15, places, offset: .hours(9)).candidates.first?.place == 0)
  }

  @Test(arguments: [
    ("Mo-Fr 08:00-18:30", 3, 600, true), ("Mo-Fr 08:00-18:30", 5, 600, false), ("Mo-Fr 08:00-18:30", 3, 1_110, false),
    ("Sa,Su 22:00-02:00", 5, 1_330, true), ("Sa,Su 22:00-02:00", 0, 100, true), ("Sa,Su 22:00-02:00", 5, 100, false),
    ("Fr-Mo 00:00-24:00", 0, 1_439, true),
  ])
  func hoursAreRead(_ text: String, _ weekday: Int64, _ minute: Int64, _ isOpen: Bool) throws {
    let hours = try #require(OpeningHours(text))
    // 2026-01-05 is a Monday.
    let time = start + .days(4 + weekday) + .minutes(minute)
    #expect(hours.contains(localTime: time.milliseconds) == isOpen)
    for wrong in ["", "Mo", "Mo 8-9", "Xx 08:00-09:00", "Mo 08:00-08:00", "Mo 08:00-25:00"] {
      #expect(OpeningHours(wrong) == nil, "\(wrong)")
    }
  }

  @Test func visitsOfAStudyAreATable() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    _ = try fixture.service.store.add(
      (0..<60).map {
        StudyLocation(
          id: Fixture.id(), participant: participant.id, time: start + .hours(12) + .minutes($0),
          coordinate: Coordinate(longitude: 13, latitude: 52), accuracy: 12, activity: .still)
      })
    let body = try fields(
      #"{"places":[{"id":"c1","name":"Café, east","category":"722515","lon":13.0001,"lat":52,"hours":["Mo-Su 06:00-23:00"]}]}"#
    )
    let places = try PointOfInterest.list(body)
    #expect(places[0].belongs(to: "72") && places[0].belongs(to: "722515") && !places[0].belongs(to: "62"))
    let lines = try fixture.service.visits(of: fixture.code, to: places, now: start + .days(1)).csv
      .split(separator: "\r\n")
    #expect(lines.count == 3)
    #expect(
      lines[1].hasPrefix(
        "\(participant.id),1,2026-01-01T12:00:00.000Z,2026-01-01T12:59:00.000Z,59,c1,\"Café, east\",722515,0."))
    #expect(lines[2].contains(",,,,0."))
    #expect(throws: StudyError.self) { try PointOfInterest.list(try fields(#"{"places":[{"id":"c"}]}"#)) }
  }
}
