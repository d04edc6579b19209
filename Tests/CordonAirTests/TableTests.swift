import CordonAir
import CordonSupport
import Testing

@Suite("Tables of spaces and occupancy")
struct TableTests {
  private let spaces =
    "space,area,height,air_changes,recirculated,filter_efficiency\nA,20,2.5,3,100,0.4\n\"B, big\",50,,1.5,,\n"

  @Test func spacesHaveTheirVolumesAndFilters() throws {
    let table = try SpaceTable(parsing: spaces)
    #expect(
      table.spaces == [
        AirSpace(id: "A", volume: 50, airChanges: 3, filtration: 0.8),
        AirSpace(id: "B, big", volume: 135, airChanges: 1.5),
      ])
    let links = try table.links(parsing: "first,second,flow\nA,\"B, big\",120\n")
    #expect(links == [AirLink(0, 1, flow: 120)])
    #expect(
      try SpaceTable(parsing: "air_changes,Volume,SPACE\n2,30,C\n").spaces == [
        AirSpace(id: "C", volume: 30, airChanges: 2)
      ])
  }

  @Test func staysKeepTheirOrderAndPeople() throws {
    let list = try SpaceTable(parsing: spaces).spaces
    let table = try OccupancyTable(
      parsing: """
        person,space,start,end,infectious
        ann,A,2026-01-05T09:00:00Z,2026-01-05T10:00:00Z,
        bob,"B, big",2026-01-05T09:00:00Z,2026-01-05T09:30:00Z,1
        ann,"B, big",2026-01-05T10:00:00Z,2026-01-05T10:00:00Z,0
        bob,A,2026-01-05T09:30:00Z,2026-01-05T11:00:00+01:00,

        """, spaces: list)
    // The last row ends at 10:00 UTC.
    #expect(table.people == ["ann", "bob"] && table.isInfectious == [false, true])
    #expect(table.rows.map(\.space) == [0, 1, 0] && table.rows.map(\.infectious) == [0, 1, 1])
    let (stays, loads) = table.stays(.seated, exhaledMask: 0, inhaledMask: 0)
    #expect(stays.map(\.person) == [0, 1, 1] && stays.map(\.load) == [0, 1, 1] && loads.count == 2)
    #expect(stays[2].end - stays[2].start == 1_800_000)
  }

  @Test func countsHoldUntilTheNextRowOfTheirSpace() throws {
    let list = try SpaceTable(parsing: spaces).spaces
    let table = try OccupancyTable(
      parsing: """
        space,time,people,infectious
        A,2026-01-05T09:00:00Z,4,1
        "B, big",2026-01-05T09:00:00Z,2.5,
        A,2026-01-05T10:00:00Z,0,
        A,2026-01-05T11:00:00Z,3,
        "B, big",2026-01-05T12:00:00Z,0,
        """, spaces: list)
    #expect(table.people.isEmpty)
    #expect(table.rows.map { ($0.end - $0.start) / 3_600_000 } == [1, 3, 1])
    let (stays, _) = table.stays(.seated, exhaledMask: 0, inhaledMask: 0)
    #expect(stays.map(\.people) == [3, 1, 2.5, 3] && stays.map(\.load) == [0, 1, 0, 0])
  }

  @Test(arguments: [
    ("space\nA\n", 1), ("space,air_changes,volume\nA,2,0\n", 2), ("space,air_changes,volume\nA,2,nan\n", 2),
    ("space,air_changes,volume\nA,2,30\nA,2,30\n", 3), ("space,air_changes,volume\n,2,30\n", 2),
    ("space,air_changes,volume\nA,2\n", 2), ("", 1),
  ])
  func faultsNameTheirLine(_ text: String, _ line: Int) {
    #expect { try SpaceTable(parsing: text) } throws: { ($0 as? TableError)?.line == line }
  }

  @Test(arguments: [
    ("person,space,start,end\na,X,2026-01-05T09:00:00Z,2026-01-05T10:00:00Z\n", 2),
    ("person,space,start,end\na,A,9,10\n", 2), ("person,space,start\na,A,2026-01-05T09:00:00Z\n", 1),
    ("person,space,start,end\na,A,2026-01-05T10:00:00Z,2026-01-05T09:00:00Z\n", 2),
    ("space,time,people\nA,2026-01-05T10:00:00Z,1\nA,2026-01-05T09:00:00Z,1\n", 3),
    ("space,time,people,infectious\nA,2026-01-05T10:00:00Z,1,2\n", 2),
  ])
  func faultsOfOccupancyNameTheirLine(_ text: String, _ line: Int) throws {
    let list = try SpaceTable(parsing: spaces).spaces
    #expect { try OccupancyTable(parsing: text, spaces: list) } throws: { ($0 as? TableError)?.line == line }
  }
}
