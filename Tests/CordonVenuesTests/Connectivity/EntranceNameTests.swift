import CordonCore
import CordonGeometry
import CordonVenues
import Testing

@Suite("Numbers and names of entrances")
struct EntranceNameTests {
  /// A hall with four doors to the outside, and a shop with one.
  private func drawing() -> PlanVenue {
    var drawing = PlanVenue()
    drawing.floor("f", 0)
    drawing.space("hall", "f", .lobby, PlanVenue.rectangle(0, 0, 20, 10))
    drawing.space("shop", "f", .meetingRoom, PlanVenue.rectangle(20, 0, 30, 10))
    drawing.door("between", "f", (20, 4), (20, 6))
    drawing.door("e1", "f", isEntrance: true, (0, 4), (0, 6))
    drawing.door("e2", "f", isEntrance: true, (2, 0), (4, 0))
    drawing.door("e3", "f", isEntrance: true, (10, 0), (12, 0))
    drawing.door("e4", "f", isEntrance: true, (10, 10), (12, 10))
    drawing.door("e5", "f", isEntrance: true, (30, 4), (30, 6))
    drawing.spaces[0].name = LocalizedText("Hall")
    drawing.openings[3].name = LocalizedText("South door")
    drawing.openings[4].name = LocalizedText("Hall 2")
    return drawing
  }

  private func entrances(_ drawing: PlanVenue, shut: Set<String> = []) throws -> [PlanEntrance] {
    var venue = try drawing.venue()
    venue.closures.openings = shut
    return try VenueRoutes(venue).routes.entrances
  }

  @Test func namesComeFromDoorsThenSpacesThenKinds() throws {
    let entrances = try entrances(drawing())
    #expect(entrances.map(\.id) == ["e1", "e2", "e3", "e4", "e5"])
    #expect(entrances.map(\.number) == [0, 1, 2, 3, 4])
    // A name of a door is kept, although two entrances lead to the same hall.
    #expect(entrances.map(\.name) == ["Hall", "Hall 3", "South door", "Hall 2", "meeting room"])
    #expect(entrances.map(\.space) == [0, 0, 0, 0, 1])
    #expect(entrances[2].label == "2 (South door)")
  }

  @Test func doorsOfOneNameStayApart() throws {
    var drawing = drawing()
    for index in drawing.openings.indices { drawing.openings[index].name = LocalizedText("Door") }
    #expect(try entrances(drawing).map(\.name) == ["Door", "Door 2", "Door 3", "Door 4", "Door 5"])
  }

  @Test func closingOneDoesNotRenumberTheOthers() throws {
    let entrances = try entrances(drawing(), shut: ["e1", "e3"])
    #expect(entrances.map(\.label) == ["1 (Hall 3)", "3 (Hall 2)", "4 (meeting room)"])
    #expect(entrances.map(\.space) == [0, 0, 1])
  }

  @Test func aPlaceOutsideAllSpacesHasTheNameOfItsFloor() throws {
    var drawing = PlanVenue()
    drawing.floor("f", 0, outline: PlanVenue.rectangle(0, 0, 20, 10))
    drawing.floors[0].name = LocalizedText("Ground")
    drawing.door("e1", "f", isEntrance: true, (0, 4), (0, 6))
    let entrances = try entrances(drawing)
    #expect(entrances.map(\.name) == ["Ground"] && entrances[0].space == nil)
  }

  @Test(arguments: [
    ("e3", 2), ("South door", 2), ("south DOOR", 2), ("2", 2), ("Hall 2", 3), ("Hall", 0), ("5", nil), ("-1", nil),
    ("door", nil), ("", nil),
  ])
  func aTextMeansAnEntrance(text: String, index: Int?) throws {
    #expect(PlanEntrance.index(of: text, in: try entrances(drawing())) == index)
  }

  @Test func identifiersPrecedeNamesAndNamesPrecedeNumbers() throws {
    var drawing = drawing()
    drawing.openings[1].name = LocalizedText("3")
    drawing.openings[2].name = LocalizedText("e5")
    let entrances = try entrances(drawing)
    #expect(PlanEntrance.index(of: "3", in: entrances) == 0)
    #expect(PlanEntrance.index(of: "e5", in: entrances) == 4)
  }

  @Test func manyEntrancesAreListedByNumber() throws {
    let entrances = try entrances(drawing())
    #expect(PlanEntrance.words(Array(entrances.prefix(1))) == "entrance 0 (Hall)")
    #expect(PlanEntrance.words(Array(entrances[1...3])) == "entrances 1 (Hall 3), 2 (South door) and 3 (Hall 2)")
    #expect(PlanEntrance.words(entrances) == "entrances 0 to 4")
    #expect(PlanEntrance.words([]) == "")
  }

  @Test func doorsAreFoundByIdentifierThenName() throws {
    var drawing = drawing()
    drawing.openings[0].name = LocalizedText(["de": "Mitte", "en": "Middle"])
    drawing.openings[1].name = LocalizedText("between")
    let venue = try drawing.venue()
    #expect(venue.openings(called: "between").map(\.id) == ["between"])
    #expect(venue.openings(called: "Mitte").map(\.id) == ["between"])
    #expect(venue.openings(called: "nothing").isEmpty)
    let plan = try VenuePlan(venue)
    #expect(plan.doors(called: "between").map(\.id) == ["between"])
    #expect(plan.doors(called: "Middle").map(\.id) == ["between"])
  }
}
