package import CordonCore

/// One replica of an evacuation. Times are seconds after its start.
package struct EvacuationReplica: Hashable, Sendable {
  /// The number of the replica, from 0.
  package var number: Int
  /// The time of the alarm.
  package var alarm: Double
  /// The time at which the replica ended: the last person was out, or the limit.
  package var end: Double
  /// The people.
  package var people: [Person]
  /// The number of people inside at the start of each interval of ``EvacuationReport/bin``, and at the end.
  package var inside: [Int]
  /// The passages that people used, in the order of their kind, floor and identifier.
  package var passages: [Passage]
  /// The spaces in which people were.
  package var spaces: [Space]
  /// The squares of the floors in which people were, with a side of 1 m.
  package var cells: [Cell]

  /// Creates a replica from its parts.
  package init(
    number: Int, alarm: Double, end: Double, people: [Person], inside: [Int], passages: [Passage], spaces: [Space],
    cells: [Cell]
  ) {
    self.number = number
    self.alarm = alarm
    self.end = end
    self.people = people
    self.inside = inside
    self.passages = passages
    self.spaces = spaces
    self.cells = cells
  }

  /// The end of a person's evacuation.
  package enum Status: String, Hashable, Sendable, CaseIterable {
    /// The person left.
    case out
    /// The person was still on the way at the limit.
    case inside
    /// No way leads from the person to an exit.
    case noWayOut = "no-way-out"
    /// No way without stairs leads from the person to an exit.
    case needsHelp = "needs-help"
    /// Smoke made the person unable to move.
    case incapacitated
  }

  /// A person.
  package struct Person: Hashable, Sendable {
    /// Indices in ``EvacuationReport/populations`` and ``EvacuationReport/mobilities``, and the number of the group.
    package var population: Int
    package var mobility: Int
    package var group: Int?
    /// The floor and the number of the space at the start, or ``ObservedLocation/noSpace``.
    package var floor: FloorOrdinal
    package var space: Int32
    /// Free speed on level ground, in metres per second.
    package var speed: Double
    /// The time at which the person set off.
    package var setOff: Double
    /// The time at which the person was out; `nil` for people who stayed inside.
    package var out: Double?
    /// The exit, an index in ``EvacuationReport/exits``.
    package var exit: Int?
    /// Whether the person used only the entrance by which the person came.
    package var isFamiliar: Bool
    /// The length of the way in metres, and the time in which the person waited, in seconds.
    package var distance: Double
    package var waited: Double
    package var status: Status

    /// Creates a person who did not move.
    package init(
      population: Int, mobility: Int, group: Int?, floor: FloorOrdinal, space: Int32, speed: Double, setOff: Double,
      isFamiliar: Bool
    ) {
      self.population = population
      self.mobility = mobility
      self.group = group
      self.floor = floor
      self.space = space
      self.speed = speed
      self.setOff = setOff
      self.isFamiliar = isFamiliar
      out = nil
      exit = nil
      distance = 0
      waited = 0
      status = .inside
    }
  }

  /// A door, stairs or an exit.
  package struct Place: Hashable, Comparable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      case exit, stairs, door
    }
    package var kind: Kind
    /// The ordinal of the floor; for stairs, the floor from which people came.
    package var floor: FloorOrdinal
    package var id: String
    package var name: String

    /// Creates a place from its parts.
    package init(kind: Kind, floor: FloorOrdinal, id: String, name: String) {
      self.kind = kind
      self.floor = floor
      self.id = id
      self.name = name
    }

    package static func < (a: Place, b: Place) -> Bool {
      let kinds = Kind.allCases
      let (first, second) = (kinds.firstIndex(of: a.kind) ?? 0, kinds.firstIndex(of: b.kind) ?? 0)
      return (first, a.floor.thousandths, a.id, a.name) < (second, b.floor.thousandths, b.id, b.name)
    }
  }

  /// The people who passed a place, and their waits in front of it.
  package struct Passage: Hashable, Sendable {
    package var place: Place
    /// The times at which people passed, in ascending order.
    package var times: [Double]
    /// The waiting time of all people, the longest wait of one person, and the number of people who waited at the same
    /// time.
    package var waiting: Double
    package var longest: Double
    package var peakQueue: Int

    /// Creates a passage from its parts.
    package init(place: Place, times: [Double], waiting: Double, longest: Double, peakQueue: Int) {
      self.place = place
      self.times = times
      self.waiting = waiting
      self.longest = longest
      self.peakQueue = peakQueue
    }
  }

  /// A space.
  package struct Space: Hashable, Sendable {
    /// Index in `RunVenue.spaces`.
    package var number: Int
    /// The number of people at the start and the maximum number.
    package var start: Int
    package var peak: Int
    /// The time after which nobody was in the space; `nil` if people stayed.
    package var cleared: Double?

    /// Creates a space from its parts.
    package init(number: Int, start: Int, peak: Int, cleared: Double?) {
      self.number = number
      self.start = start
      self.peak = peak
      self.cleared = cleared
    }
  }

  /// A square of a floor.
  package struct Cell: Hashable, Sendable {
    /// The ordinal of the floor.
    package var floor: FloorOrdinal
    /// The south-west corner, in whole metres east and north of the origin.
    package var x: Int
    package var y: Int
    /// The maximum density, in people per square metre: the people within 1 m of a person.
    package var peak: Double
    /// The time with at least 2 people per square metre, in seconds.
    package var crowded: Double

    /// Creates a cell from its parts.
    package init(floor: FloorOrdinal, x: Int, y: Int, peak: Double, crowded: Double) {
      self.floor = floor
      self.x = x
      self.y = y
      self.peak = peak
      self.crowded = crowded
    }
  }
}
