import CordonContacts
import CordonCore
import Testing

@testable import CordonRun

@Suite("Tables for operators")
struct OperatorTablesTests {
  private var contents: RunContents {
    var contents = SampleRun(people: 3).contents
    contents.venue.spaces[1].name = "Lab, wet"
    contents.venue.openings = [
      RunOpening(id: "d1", name: "Corridor 0 / Lab, wet", ordinal: FloorOrdinal(0), left: 0, right: 1),
      RunOpening(
        id: "d2", name: "Entrance 4 (Corridor 0)", ordinal: FloorOrdinal(0), left: ObservedLocation.noSpace, right: 0,
        entrance: 4),
    ]
    contents.contacts = []
    return contents
  }

  private func contact(
    _ source: RunSource, _ first: Int32, _ second: Int32, minute: Int64, minutes: Int64, distance: Double = 1,
    space: Int32 = 1
  ) -> RunContact {
    let start = 1_767_600_000_000_000 + minute * 60_000_000
    return RunContact(
      source: source,
      contact: Contact(
        first: first, second: second, floor: 0, start: start, end: start + minutes * 60_000_000,
        minimumDistance: distance, minimumDistanceTime: start, x: 0, y: 0),
      firstSpace: space, secondSpace: 2)
  }

  @Test func pairsAreTheSumsOfTheirContacts() throws {
    var contents = contents
    contents.people[1] = RunPerson(device: nil, population: "guests")
    contents.contacts = [
      contact(.truth, 0, 1, minute: 0, minutes: 6), contact(.truth, 0, 2, minute: 1, minutes: 1),
      contact(.truth, 0, 1, minute: 20, minutes: 10, distance: 0.5, space: ObservedLocation.noSpace),
      contact(.observed, 0, 2, minute: 2, minutes: 1),
    ]
    let totals = PairTotals(contents: contents)
    #expect(totals.people[.truth]?[0].longPairs == 1)
    #expect(totals.people[.truth]?[2] == .init(others: 1, longPairs: 0, total: 60_000_000, longest: 60_000_000))
    #expect(
      try text { try PairsCSV.write(contents, totals: totals, to: $0) } == """
        \(PairsCSV.header.joined(separator: ","))
        truth,0,phone-0,staff,1,,guests,2,960,600,0.5,2026-01-05T08:00:00.000Z,2026-01-05 03:00:00,\
        2026-01-05T08:30:00.000Z,2026-01-05 03:30:00,f0-r1,\(contents.venue.spaces[2].name)
        truth,0,phone-0,staff,2,phone-2,students,1,60,60,1,2026-01-05T08:01:00.000Z,2026-01-05 03:01:00,\
        2026-01-05T08:02:00.000Z,2026-01-05 03:02:00,f0-r0,"Lab, wet"
        observed,0,phone-0,staff,2,phone-2,students,1,60,60,1,2026-01-05T08:02:00.000Z,2026-01-05 03:02:00,\
        2026-01-05T08:03:00.000Z,2026-01-05 03:03:00,f0-r0,"Lab, wet"

        """)
  }

  @Test func peopleHaveTheirTimesAndTheirContacts() throws {
    var contents = contents
    contents.people = [
      RunPerson(
        device: DeviceID("phone-0"), population: "staff", arrival: contents.parameters.start,
        departure: contents.parameters.start + .minutes(9), timeInside: .minutes(8)),
      RunPerson(device: nil, cameIn: false), RunPerson(device: nil, population: "guests"),
    ]
    contents.contacts = [contact(.truth, 0, 2, minute: 0, minutes: 16)]
    #expect(
      try text { try PeopleCSV.write(contents, totals: PairTotals(contents: contents), to: $0) } == """
        \(PeopleCSV.header.joined(separator: ","))
        0,phone-0,staff,2026-01-05T08:00:00.000Z,2026-01-05 03:00:00,2026-01-05T08:09:00.000Z,2026-01-05 03:09:00,480,\
        1,1,960,0,0,0
        2,,guests,,,,,,1,1,960,,,

        """)
  }

  @Test func spacesQueuesAndFlowsHaveNames() throws {
    var contents = contents
    var place = RunOutcome.Place(
      source: .truth, floor: 0, space: 1, mean: 1.25, p95: 3, peak: 4, peakTime: 1_767_600_060_000, capacity: 3,
      minutesOverCapacity: 2, minutesOverCapacityStaying: 0.5, areaPerPerson: 31.875, stays: 2, medianDwell: 60,
      p95Dwell: 90, visits: 7,
      meanVisit: 33.25)
    var levels = LevelMinutes()
    levels.add(5, at: .a)
    levels.add(2, at: .f)
    place.levelMinutes = levels
    contents.outcome.places = [place]
    contents.venue.groups = [RunGroup(name: "Labs", spaces: [1]), RunGroup(name: "All", spaces: [0, 1])]
    var group = place
    (group.capacity, group.minutesOverCapacity, group.areaPerPerson) = (nil, nil, 76.875)
    group.minutesOverCapacityStaying = nil
    contents.outcome.groups = [.init(number: 1, presence: group, waits: 3, meanWait: 12.5, p95Wait: 20)]
    contents.outcome.replicaFigures = [
      .init(subject: .space(1), name: .mean, replicas: 20, mean: 1.5, low: 1, high: 2, p05: 0, p95: 3)
    ]
    var queue = RunOutcome.Queue(
      kind: "desk", place: "f0-r0", served: 3, meanLength: 0.5, longest: 2, meanWait: 10, p95Wait: 20)
    queue.name = "Lab, wet"
    queue.space = 1
    contents.outcome.queues = [queue]
    contents.outcome.flows = [
      RunOutcome.Flow(opening: "d2", floor: 0, binStart: 1_767_600_000_000, forward: 3, backward: 1),
      RunOutcome.Flow(opening: "unknown", floor: 0, binStart: 1_767_600_000_000, forward: 0, backward: 1),
    ]
    let spaces = try text { try SpacesCSV.write(contents, to: $0) }.split(separator: "\n")
    #expect(spaces.count == contents.venue.spaces.count + 1)
    #expect(
      spaces[2] == """
        truth,0,Ground floor,f0-r0,"Lab, wet",classroom,"Labs; All",127.5,3,1.25,3,4,2026-01-05T08:01:00.000Z,2026-01-05 03:01:00,\
        2,0.5,1.5,31.875,A,7,33.3,2,60,90,5,0,0,0,0,2,20,1.5,1,2,,,,,,,,,,,,,,,
        """)
    #expect(spaces[1].hasSuffix(",corridor,All,180,,0,0,0,,,,,,,,0,,,,,0,0,0,0,0,0,,,,,,,,,,,,,,,,,,,"))
    #expect(
      try text { try GroupsCSV.write(contents, to: $0) } == """
        \(GroupsCSV.header.joined(separator: ","))
        truth,All,2,307.5,,1.25,3,4,2026-01-05T08:01:00.000Z,2026-01-05 03:01:00,,,,76.875,A,7,33.3,2,60,90,5,0,0,0,0,\
        2,3,12.5,20,,,,,,,,,,,,,,,,,,,

        """)
    #expect(
      try text { try QueuesCSV.write(contents, to: $0) } == """
        \(QueuesCSV.header.joined(separator: ","))
        desk,f0-r0,"Lab, wet",f0-r0,"Lab, wet",3,0.5,2,10,20

        """)
    #expect(
      try text { try FlowsCSV.write(contents, to: $0) } == """
        \(FlowsCSV.header.joined(separator: ","))
        d2,Entrance 4 (Corridor 0),4,0,Ground floor,,,f0-corridor,Corridor 0,2026-01-05T08:00:00.000Z,\
        2026-01-05 03:00:00,2026-01-05T08:15:00.000Z,2026-01-05 03:15:00,3,1
        unknown,,,0,Ground floor,,,,,2026-01-05T08:00:00.000Z,2026-01-05 03:00:00,2026-01-05T08:15:00.000Z,\
        2026-01-05 03:15:00,0,1

        """)
  }

  @Test func localTimesFollowAChangeOfTheClocks() throws {
    var contents = contents
    contents.venue.timeZone = "Europe/Berlin"
    // Clocks go forward on 29 March 2026 at 01:00 UTC.
    contents.parameters.start = Instant(milliseconds: 1_774_742_400_000)
    contents.parameters.duration = .hours(4)
    let zone = LocalTimes(contents: contents)
    func local(_ time: String) throws -> String {
      var bytes: [UInt8] = []
      zone.append(try Instant(rfc3339: time).milliseconds, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try local("2026-03-29T00:59:59.999Z") == "2026-03-29 01:59:59")
    #expect(try local("2026-03-29T01:00:00Z") == "2026-03-29 03:00:00")
    #expect(try local("2026-03-28T23:00:00Z") == "2026-03-29 00:00:00")
  }

  private func text(_ body: (@escaping ([UInt8]) throws -> Void) throws -> Void) throws -> String {
    var bytes: [UInt8] = []
    try body { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
