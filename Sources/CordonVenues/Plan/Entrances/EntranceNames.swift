import CordonNavigation

/// The numbers and names by which commands, files and messages refer to entrances.
extension PlanEntrance {
  /// The floor: an index in ``VenuePlan/floors``.
  package var floor: Int { place.floor }

  /// The number and the name, such as `2 (North door)`.
  package var label: String { "\(number) (\(name))" }

  /// Returns entrances in their order, each with its number, its name and the space behind it.
  ///
  /// The name is that of the door; otherwise that of the space, else the kind of the space, else the name of the floor.
  /// An entrance whose name another one has gets a number behind it, such as `Lobby 2`. Names of doors stay as they are
  /// where possible.
  static func numbered(_ entrances: [PlanEntrance], in plan: VenuePlan) -> [PlanEntrance] {
    var named = entrances
    var taken: Set<String> = []
    func unique(_ name: String) -> String {
      var candidate = name
      var count = 1
      while !taken.insert(candidate.lowercased()).inserted {
        count += 1
        candidate = "\(name) \(count)"
      }
      return candidate
    }
    for index in named.indices {
      named[index].number = index
      named[index].space = plan.space(at: named[index].position, floor: named[index].place.floor)
      if let name = plan.nameOfDoor(of: named[index]) { named[index].name = unique(name) }
    }
    for index in named.indices where named[index].name.isEmpty {
      named[index].name = unique(plan.nameOfPlace(behind: named[index]))
    }
    return named
  }

  /// Returns entrances in a message: `entrance 1 (Lobby)`, or `entrances 0 (Lobby) and 2 (Shop)`; more than three as
  /// numbers only, such as `entrances 0 to 4 and 7`. Empty for no entrance.
  package static func words(_ entrances: [PlanEntrance]) -> String {
    guard !entrances.isEmpty else { return "" }
    let list =
      entrances.count > 3
      ? ConnectivityReport.ranges(entrances.map(\.number)) : ConnectivityReport.listed(entrances.map(\.label)) ?? ""
    return (entrances.count == 1 ? "entrance " : "entrances ") + list
  }

  /// Returns the index of the entrance that a text means; `nil` if there is none.
  ///
  /// An identifier takes precedence over a name, a name over a name in other letter case, and a name over a number.
  package static func index(of text: String, in entrances: [PlanEntrance]) -> Int? {
    let number = Int(text)
    return entrances.firstIndex { $0.id == text } ?? entrances.firstIndex { $0.name == text }
      ?? entrances.firstIndex { $0.name.lowercased() == text.lowercased() }
      ?? entrances.firstIndex { $0.number == number }
  }
}

extension Venue {
  /// Returns the openings with an identifier, otherwise those with a name in one of their languages.
  package func openings(called text: String) -> [Opening] {
    let identified = openings.filter { $0.id == text }
    return identified.isEmpty ? openings.filter { $0.name.values.values.contains(text) } : identified
  }
}

extension VenuePlan {
  /// Returns the doors with an identifier, otherwise those with a name.
  package func doors(called text: String) -> [PlanDoor] {
    let identified = doors.filter { $0.id == text }
    return identified.isEmpty ? doors.filter { $0.name == text } : identified
  }

  /// Returns the name that the map gives to the door of an entrance; `nil` for none.
  fileprivate func nameOfDoor(of entrance: PlanEntrance) -> String? {
    let door = doors.first { $0.id == entrance.id && $0.floor == entrance.place.floor }
    return door.flatMap { $0.name.isEmpty ? nil : $0.name }
  }

  /// Returns the name of the space behind an entrance, its kind, or the name of the floor.
  fileprivate func nameOfPlace(behind entrance: PlanEntrance) -> String {
    guard let space = entrance.space.map({ spaces[$0] }) else { return floors[entrance.place.floor].name }
    return space.name.isEmpty ? space.kind.rawValue.split(separator: "-").joined(separator: " ") : space.name
  }
}
