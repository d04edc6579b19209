import CordonVenues

/// A type of room with which a row can be filled. Lengths are in centimetres.
struct RoomType {
  var kind: SpaceKind
  /// The names of the rooms; a number is appended after all names are used.
  var names: [String]
  /// Range of the width along the corridor.
  var width: PlanRange
  /// The weight with which the type is chosen among others.
  var weight: Int
  var door = 100
  /// Whether the directory lists the room by name.
  var isListed = true
  /// Whether the names contain the number of the floor, as those of offices do.
  var isNumbered = false
}

/// The rooms of a floor.
struct RoomProgram {
  /// Rooms that are built once each, before others.
  var required: [RoomType]
  /// The room types that fill the rest.
  var filling: [RoomType]
  /// Whether adjacent exhibition rooms open into each other.
  var isEnfilade = false
}

extension RoomProgram {
  /// Returns the rooms of a floor of a kind of venue.
  static func program(for kind: VenueGenerator.Kind, ordinal: Int, theme: BuildingTheme = .offices) -> RoomProgram {
    switch kind {
    case .office: office(ordinal: ordinal)
    case .mall: mall(ordinal: ordinal)
    case .museum: museum(ordinal: ordinal)
    case .hospital: hospital(ordinal: ordinal)
    case .station: station(ordinal: ordinal)
    case .campus: theme == .offices ? office(ordinal: ordinal) : teaching(theme, ordinal: ordinal)
    }
  }

  private static let storage = RoomType(
    kind: .storage, names: ["Storage"], width: PlanRange(250, 400), weight: 1, door: 90, isListed: false,
    isNumbered: true)
  private static let prayer = RoomType(kind: .prayerRoom, names: ["Quiet Room"], width: PlanRange(300, 400), weight: 0)

  private static func office(ordinal: Int) -> RoomProgram {
    let meeting = RoomType(
      kind: .meetingRoom,
      names: [
        "Alder", "Birch", "Cedar", "Elm", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow",
      ],
      width: PlanRange(350, 600), weight: 3)
    var required = [
      meeting, meeting,
      RoomType(kind: .kitchen, names: ["Kitchen"], width: PlanRange(450, 600), weight: 0, door: 120),
      RoomType(
        kind: .storage, names: ["Copy Room"], width: PlanRange(250, 350), weight: 0, isListed: false, isNumbered: true),
    ]
    if ordinal == 0 {
      required.append(
        RoomType(kind: .restaurant, names: ["Canteen"], width: PlanRange(1_000, 1_400), weight: 0, door: 180))
      required.append(prayer)
    }
    return RoomProgram(
      required: required,
      filling: [
        RoomType(
          kind: .office, names: ["Office"], width: PlanRange(320, 520), weight: 8, isNumbered: true),
        RoomType(
          kind: .office, names: ["Team Office"], width: PlanRange(900, 1_500), weight: 4, isNumbered: true),
        meeting, storage,
      ])
  }

  private static func mall(ordinal: Int) -> RoomProgram {
    let first = [
      "Amber", "Harbour", "Juniper", "Lantern", "Meadow", "Orchard", "Quarry", "Saffron", "Tideway", "Velvet",
    ]
    let trades = [
      "Books", "Shoes", "Optics", "Toys", "Flowers", "Records", "Outdoor", "Tailors", "Kitchenware", "Games",
    ]
    let shops = first.flatMap { name in trades.map { "\(name) \($0)" } }
    let restaurant = RoomType(
      kind: .restaurant,
      names: ["Noodle Bar", "Pasta Corner", "Grill House", "Soup Kitchen", "Tea Room", "Espresso Bar"],
      width: PlanRange(700, 1_200), weight: ordinal == 0 ? 2 : 4, door: 300)
    return RoomProgram(
      required: [
        RoomType(
          kind: .shop, names: ["Supermarket", "Department Store"], width: PlanRange(2_200, 2_800), weight: 0, door: 500),
        restaurant, restaurant, prayer,
      ],
      filling: [
        RoomType(kind: .shop, names: shops, width: PlanRange(600, 1_100), weight: 8, door: 350),
        RoomType(kind: .shop, names: shops, width: PlanRange(1_200, 1_800), weight: 3, door: 450),
        restaurant,
      ])
  }

  private static func museum(ordinal: Int) -> RoomProgram {
    let gallery = RoomType(
      kind: .exhibition,
      names: [
        "Glass", "Maps", "Clocks", "Textiles", "Portraits", "Instruments", "Ceramics", "Ships", "Minerals", "Prints",
        "Coins", "Lenses", "Engines", "Landscapes", "Furniture", "Costumes",
      ], width: PlanRange(900, 1_600), weight: 8, door: 200)
    var required = [RoomType(kind: .storage, names: ["Depot"], width: PlanRange(400, 600), weight: 0, isListed: false)]
    if ordinal == 0 {
      required += [
        RoomType(kind: .shop, names: ["Museum Shop"], width: PlanRange(800, 1_100), weight: 0, door: 250),
        RoomType(kind: .restaurant, names: ["Café"], width: PlanRange(900, 1_200), weight: 0, door: 200),
        RoomType(kind: .service, names: ["Cloakroom"], width: PlanRange(500, 700), weight: 0, door: 200),
      ]
    } else {
      required.append(
        RoomType(kind: .auditorium, names: ["Lecture Hall"], width: PlanRange(1_400, 1_800), weight: 0, door: 180))
    }
    return RoomProgram(
      required: required,
      filling: [
        gallery,
        RoomType(
          kind: .office, names: ["Study"], width: PlanRange(350, 500), weight: 1, isListed: false, isNumbered: true),
      ],
      isEnfilade: true)
  }

  private static func hospital(ordinal: Int) -> RoomProgram {
    let waiting = RoomType(
      kind: .waitingArea, names: ["Waiting Area"], width: PlanRange(600, 900), weight: 1, door: 240, isNumbered: true)
    let treatment = RoomType(
      kind: .medical, names: ["Treatment"], width: PlanRange(380, 520), weight: ordinal == 0 ? 8 : 3, door: 130,
      isNumbered: true)
    var required = [
      waiting,
      RoomType(
        kind: .service, names: ["Nurses' Station"], width: PlanRange(400, 600), weight: 0, door: 150, isNumbered: true),
    ]
    if ordinal == 0 {
      required += [
        RoomType(kind: .medical, names: ["Emergency"], width: PlanRange(1_400, 1_800), weight: 0, door: 240),
        RoomType(kind: .shop, names: ["Pharmacy"], width: PlanRange(700, 900), weight: 0, door: 200),
        RoomType(kind: .restaurant, names: ["Cafeteria"], width: PlanRange(1_000, 1_400), weight: 0, door: 200), prayer,
        RoomType(kind: .laboratory, names: ["Laboratory"], width: PlanRange(900, 1_200), weight: 0, door: 120),
      ]
    }
    return RoomProgram(
      required: required,
      filling: [
        treatment, waiting, storage,
        RoomType(
          kind: .ward, names: ["Ward"], width: PlanRange(420, 800), weight: ordinal == 0 ? 1 : 9, door: 130,
          isNumbered: true),
        RoomType(kind: .office, names: ["Consultation"], width: PlanRange(320, 420), weight: 3, isNumbered: true),
      ])
  }

  private static func station(ordinal: Int) -> RoomProgram {
    let kiosks = [
      "News Stand", "Bakery", "Flower Stall", "Book Corner", "Phone Shop", "Travel Shop", "Juice Bar", "Barber",
    ]
    let food = RoomType(
      kind: .restaurant, names: ["Station Café", "Brasserie", "Sandwich Bar", "Noodle Counter"],
      width: PlanRange(700, 1_100),
      weight: 3, door: 250)
    var required = [
      RoomType(kind: .waitingArea, names: ["Waiting Room"], width: PlanRange(900, 1_200), weight: 0, door: 200)
    ]
    if ordinal == 0 {
      required += [
        RoomType(kind: .service, names: ["Ticket Office"], width: PlanRange(800, 1_000), weight: 0, door: 250),
        RoomType(kind: .service, names: ["Left Luggage"], width: PlanRange(500, 700), weight: 0, door: 150),
      ]
    }
    return RoomProgram(
      required: required,
      filling: [RoomType(kind: .shop, names: kiosks, width: PlanRange(450, 900), weight: 8, door: 250), food])
  }

  private static func teaching(_ theme: BuildingTheme, ordinal: Int) -> RoomProgram {
    let classroom = RoomType(
      kind: .classroom, names: ["Classroom"], width: PlanRange(800, 1_100), weight: 6, door: 120, isNumbered: true)
    let office = RoomType(
      kind: .office, names: ["Office"], width: PlanRange(320, 500), weight: 3, isNumbered: true)
    let hall = RoomType(
      kind: .auditorium, names: ["Lecture Hall"], width: PlanRange(1_400, 2_000), weight: 0, door: 200, isNumbered: true
    )
    switch theme {
    case .library:
      return RoomProgram(
        required: [
          RoomType(
            kind: .library, names: ["Reading Room"], width: PlanRange(1_600, 2_200), weight: 0, door: 180,
            isNumbered: true)
        ],
        filling: [
          RoomType(
            kind: .library, names: ["Stacks"], width: PlanRange(900, 1_500), weight: 6, door: 150, isNumbered: true),
          RoomType(
            kind: .meetingRoom, names: ["Group Room"], width: PlanRange(350, 500), weight: 4, isNumbered: true), office,
        ])
    case .laboratories:
      return RoomProgram(
        required: [hall],
        filling: [
          RoomType(
            kind: .laboratory, names: ["Laboratory"], width: PlanRange(700, 1_200), weight: 7, door: 120,
            isNumbered: true),
          office, storage,
        ])
    case .refectory:
      return RoomProgram(
        required: [
          RoomType(
            kind: .restaurant, names: ["Refectory"], width: PlanRange(1_600, 2_200), weight: 0, door: 300,
            isNumbered: ordinal > 0),
          RoomType(
            kind: .kitchen, names: ["Kitchen"], width: PlanRange(800, 1_000), weight: 0, door: 120,
            isNumbered: ordinal > 0),
        ],
        filling: [
          RoomType(
            kind: .meetingRoom, names: ["Club Room"], width: PlanRange(500, 900), weight: 5, isNumbered: true), office,
        ])
    case .classrooms, .offices: return RoomProgram(required: [hall], filling: [classroom, office, storage])
    }
  }
}

/// The purpose of a building of a campus.
enum BuildingTheme: CaseIterable {
  case classrooms, laboratories, library, refectory, offices

  var name: String {
    switch self {
    case .classrooms: "Teaching Building"
    case .laboratories: "Laboratories"
    case .library: "Library"
    case .refectory: "Refectory"
    case .offices: "Administration"
    }
  }
}
