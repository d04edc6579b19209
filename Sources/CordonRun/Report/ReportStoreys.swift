import CordonCore
import CordonGeometry

/// The floors by ordinal; floors with the same ordinal form one plan.
struct ReportStoreys {
  struct Storey {
    var ordinal: FloorOrdinal
    var name: String
    /// The indices in the venue's list of floors.
    var floors: [Int]
  }

  /// The kinds of spaces that people cannot enter.
  static let voids: Set<String> = ["open-to-below", "inaccessible"]

  /// The storeys, lowest first.
  let list: [Storey]
  /// The index of the storey of every floor of the venue.
  let ofFloor: [Int]
  /// The extent of every plan in metres; the plans of all storeys have the same extent.
  let box: PlaneBox
  /// The name of every space, with its storey if there are several.
  let titles: [String]

  init(venue: RunVenue) {
    let ordinals = Set(venue.floors.map(\.ordinal)).sorted()
    list = ordinals.map { ordinal in
      let floors = venue.floors.indices.filter { venue.floors[$0].ordinal == ordinal }
      var names: [String] = []
      for floor in floors {
        let name = ReportStoreys.name(of: venue.floors[floor])
        if !name.isEmpty, !names.contains(name) { names.append(name) }
      }
      let more = names.count > 2 ? " and others" : ""
      let name = names.isEmpty ? "Floor \(ordinal)" : names.prefix(2).joined(separator: ", ") + more
      return Storey(ordinal: ordinal, name: name, floors: floors)
    }
    ofFloor = venue.floors.map { floor in ordinals.firstIndex(of: floor.ordinal) ?? 0 }
    var box = PlaneBox()
    for floor in venue.floors { (floor.outline + floor.walls).joined().forEach { box.include($0) } }
    for space in venue.spaces { space.rings.joined().forEach { box.include($0) } }
    self.box = box
    titles = ReportStoreys.titles(of: venue, storeys: list, ofFloor: ofFloor)
  }

  /// Returns the floor's name; a bare number becomes `Floor` and the number.
  private static func name(of floor: RunFloor) -> String {
    let name = HTMLText.readable(floor.name)
    return !name.isEmpty && name.utf8.allSatisfy { "0123456789.-+".utf8.contains($0) } ? "Floor \(name)" : name
  }

  /// Returns a distinct title for every space: its name or kind, its storey if there are several, and a number if that
  /// is not enough.
  private static func titles(of venue: RunVenue, storeys: [Storey], ofFloor: [Int]) -> [String] {
    let titles = venue.spaces.map { space in
      let kind = HTMLText.readable(space.kind.replacing("-", with: " "))
      let given = HTMLText.readable(space.name)
      let name = given.isEmpty ? kind.prefix(1).uppercased() + kind.dropFirst() : given
      return storeys.count > 1 ? "\(name), \(storeys[ofFloor[space.floor]].name)" : name
    }
    return DistinctNames.numbered(titles)
  }

  /// Returns the index in ``list`` of a floor number; `nil` for an unknown floor or one of another venue.
  func index(ofFloor thousandths: Int32) -> Int? {
    list.firstIndex { $0.ordinal.thousandths == thousandths }
  }
}

/// The bounding box of some points.
struct PlaneBox {
  var left = Double.infinity
  var bottom = Double.infinity
  var right = -Double.infinity
  var top = -Double.infinity

  var isEmpty: Bool { left > right }
  var width: Double { isEmpty ? 0 : right - left }
  var height: Double { isEmpty ? 0 : top - bottom }

  /// Checks whether two boxes have an area in common.
  func overlaps(_ other: PlaneBox) -> Bool {
    left < other.right && other.left < right && bottom < other.top && other.bottom < top
  }

  mutating func include(_ point: PlanePoint) {
    left = min(left, point.x)
    right = max(right, point.x)
    bottom = min(bottom, point.y)
    top = max(top, point.y)
  }
}
