package import CordonIngest

extension PostgresPositionStore {
  /// See ``PositionStore/viewerMark(of:)``.
  package func viewerMark(of venue: Int64) throws(StoreFault) -> Int64? {
    let rows = try run("SELECT until FROM viewer_mark WHERE venue = $1", [.int(venue)])
    return rows.count > 0 ? rows.int(0, 0) : nil
  }

  /// See ``PositionStore/setViewerMark(_:of:)``.
  package func setViewerMark(_ until: Int64, of venue: Int64) throws(StoreFault) {
    try post(
      "INSERT INTO viewer_mark (venue, until) VALUES ($1, $2) ON CONFLICT (venue) DO UPDATE SET until = $2",
      [.int(venue), .int(until)])
  }

  /// See ``PositionStore/viewerPlaces(of:)``.
  package func viewerPlaces(of venue: Int64) throws(StoreFault) -> [CountedPlace: ViewerPlace] {
    var places: [CountedPlace: ViewerPlace] = [:]
    let numbers = try run(
      "SELECT floor, space, devices, threshold FROM viewer_place WHERE venue = $1", [.int(venue)])
    for row in numbers.indices {
      let place = CountedPlace(floor: Int32(truncatingIfNeeded: numbers.int(row, 0)), space: numbers.int(row, 1))
      places[place, default: ViewerPlace()].devices = numbers.int(row, 2)
      places[place]?.threshold = numbers.int(row, 3)
    }
    let members = try run("SELECT floor, space, device FROM viewer_member WHERE venue = $1", [.int(venue)])
    for row in members.indices {
      let place = CountedPlace(floor: Int32(truncatingIfNeeded: members.int(row, 0)), space: members.int(row, 1))
      places[place, default: ViewerPlace()].members.insert(members.int(row, 2))
    }
    return places
  }

  /// See ``PositionStore/save(_:at:of:time:)``.
  package func save(
    _ value: ViewerPlace, at place: CountedPlace, of venue: Int64, time: Int64
  ) throws(StoreFault) {
    let key: [PostgresParameter] = [.int(venue), .int(Int64(place.floor)), .int(place.space)]
    try post(
      """
      INSERT INTO viewer_place (venue, floor, space, devices, time, threshold) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (venue, floor, space) DO UPDATE SET devices = $4, time = $5, threshold = $6
      """, key + [.int(value.devices), .int(time), .int(value.threshold)])
    try post("DELETE FROM viewer_member WHERE venue = $1 AND floor = $2 AND space = $3", key)
    try post(
      "INSERT INTO viewer_member (venue, floor, space, device) SELECT $1, $2, $3, unnest($4)",
      key + [.ints(value.members.sorted())])
  }

  /// See ``PositionStore/saveViewerCounts(of:start:)``.
  package func saveViewerCounts(of venue: Int64, start: Int64) throws(StoreFault) {
    try post(
      """
      INSERT INTO viewer_count (venue, start_time, floor, space, devices)
      SELECT venue, $2, floor, space, devices FROM viewer_place WHERE venue = $1 AND devices > 0
      ON CONFLICT DO NOTHING
      """, [.int(venue), .int(start)])
  }

  /// See ``PositionStore/viewerCounts(of:in:)``.
  package func viewerCounts(
    of venue: Int64, in span: Range<Int64>
  ) throws(StoreFault) -> [(place: CountedPlace, start: Int64, devices: Int64)] {
    let rows = try run(
      """
      SELECT floor, space, start_time, devices FROM viewer_count WHERE venue = $1 AND start_time >= $2 AND start_time < $3
      ORDER BY start_time, floor, space
      """, [.int(venue), .int(span.lowerBound), .int(span.upperBound)])
    return rows.indices.map { row in
      (
        CountedPlace(floor: Int32(truncatingIfNeeded: rows.int(row, 0)), space: rows.int(row, 1)), rows.int(row, 2),
        rows.int(row, 3)
      )
    }
  }
}
