internal import CordonSQLite

extension SQLitePositionStore {
  /// See ``PositionStore/viewerMark(of:)``.
  package func viewerMark(of venue: Int64) throws(StoreFault) -> Int64? {
    let statement = try connection.statement("SELECT until FROM viewerMark WHERE venue = ?")
    statement.bind(1, venue)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : nil
  }

  /// See ``PositionStore/setViewerMark(_:of:)``.
  package func setViewerMark(_ until: Int64, of venue: Int64) throws(StoreFault) {
    let statement = try connection.statement("INSERT OR REPLACE INTO viewerMark (venue, until) VALUES (?, ?)")
    statement.bind(1, venue)
    statement.bind(2, until)
    try statement.run()
  }

  /// See ``PositionStore/viewerPlaces(of:)``.
  package func viewerPlaces(of venue: Int64) throws(StoreFault) -> [CountedPlace: ViewerPlace] {
    var places: [CountedPlace: ViewerPlace] = [:]
    let numbers = try connection.statement("SELECT floor, space, devices, threshold FROM viewerPlace WHERE venue = ?")
    numbers.bind(1, venue)
    while try numbers.step() {
      let place = CountedPlace(floor: Int32(truncatingIfNeeded: numbers.int(0)), space: numbers.int(1))
      places[place, default: ViewerPlace()].devices = numbers.int(2)
      places[place]?.threshold = numbers.int(3)
    }
    let members = try connection.statement("SELECT floor, space, device FROM viewerMember WHERE venue = ?")
    members.bind(1, venue)
    while try members.step() {
      let place = CountedPlace(floor: Int32(truncatingIfNeeded: members.int(0)), space: members.int(1))
      places[place, default: ViewerPlace()].members.insert(members.int(2))
    }
    return places
  }

  /// See ``PositionStore/save(_:at:of:time:)``.
  package func save(
    _ value: ViewerPlace, at place: CountedPlace, of venue: Int64, time: Int64
  ) throws(StoreFault) {
    let number = try connection.statement(
      "INSERT OR REPLACE INTO viewerPlace (venue, floor, space, devices, time, threshold) VALUES (?, ?, ?, ?, ?, ?)")
    number.bind(1, venue)
    number.bind(2, Int64(place.floor))
    number.bind(3, place.space)
    number.bind(4, value.devices)
    number.bind(5, time)
    number.bind(6, value.threshold)
    try number.run()
    let deletion = try connection.statement("DELETE FROM viewerMember WHERE venue = ? AND floor = ? AND space = ?")
    deletion.bind(1, venue)
    deletion.bind(2, Int64(place.floor))
    deletion.bind(3, place.space)
    try deletion.run()
    let insertion = try connection.statement(
      "INSERT INTO viewerMember (venue, floor, space, device) VALUES (?, ?, ?, ?)")
    for device in value.members.sorted() {
      insertion.bind(1, venue)
      insertion.bind(2, Int64(place.floor))
      insertion.bind(3, place.space)
      insertion.bind(4, device)
      try insertion.run()
    }
  }

  /// See ``PositionStore/saveViewerCounts(of:start:)``.
  package func saveViewerCounts(of venue: Int64, start: Int64) throws(StoreFault) {
    let statement = try connection.statement(
      """
      INSERT OR IGNORE INTO viewerCount (venue, start, floor, space, devices)
      SELECT venue, ?2, floor, space, devices FROM viewerPlace WHERE venue = ?1 AND devices > 0
      """)
    statement.bind(1, venue)
    statement.bind(2, start)
    try statement.run()
  }

  /// See ``PositionStore/viewerCounts(of:in:)``.
  package func viewerCounts(
    of venue: Int64, in span: Range<Int64>
  ) throws(StoreFault) -> [(place: CountedPlace, start: Int64, devices: Int64)] {
    let statement = try connection.statement(
      "SELECT floor, space, start, devices FROM viewerCount WHERE venue = ? AND start >= ? AND start < ?")
    statement.bind(1, venue)
    statement.bind(2, span.lowerBound)
    statement.bind(3, span.upperBound)
    var list: [(place: CountedPlace, start: Int64, devices: Int64)] = []
    while try statement.step() {
      let place = CountedPlace(floor: Int32(truncatingIfNeeded: statement.int(0)), space: statement.int(1))
      list.append((place, statement.int(2), statement.int(3)))
    }
    return list
  }
}
