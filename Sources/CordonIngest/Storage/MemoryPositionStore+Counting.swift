extension MemoryPositionStore {
  /// The numbers that viewers see of a venue.
  struct ViewerTable {
    var until: Int64?
    var places: [CountedPlace: (value: ViewerPlace, time: Int64)] = [:]
    var counts: [(place: CountedPlace, start: Int64, devices: Int64)] = []
  }

  /// See ``PositionStore/viewerMark(of:)``.
  package func viewerMark(of venue: Int64) throws(StoreFault) -> Int64? { tables.viewers[venue]?.until }

  /// See ``PositionStore/setViewerMark(_:of:)``.
  package func setViewerMark(_ until: Int64, of venue: Int64) throws(StoreFault) {
    try willWrite()
    tables.viewers[venue, default: ViewerTable()].until = until
  }

  /// See ``PositionStore/viewerPlaces(of:)``.
  package func viewerPlaces(of venue: Int64) throws(StoreFault) -> [CountedPlace: ViewerPlace] {
    tables.viewers[venue]?.places.mapValues(\.value) ?? [:]
  }

  /// See ``PositionStore/save(_:at:of:time:)``.
  package func save(
    _ value: ViewerPlace, at place: CountedPlace, of venue: Int64, time: Int64
  ) throws(StoreFault) {
    try willWrite()
    tables.viewers[venue, default: ViewerTable()].places[place] = (value, time)
  }

  /// See ``PositionStore/saveViewerCounts(of:start:)``.
  package func saveViewerCounts(of venue: Int64, start: Int64) throws(StoreFault) {
    try willWrite()
    guard var table = tables.viewers[venue], !table.counts.contains(where: { $0.start == start }) else { return }
    for (place, known) in table.places where known.value.devices > 0 {
      table.counts.append((place, start, known.value.devices))
    }
    tables.viewers[venue] = table
  }

  /// See ``PositionStore/viewerCounts(of:in:)``.
  package func viewerCounts(
    of venue: Int64, in span: Range<Int64>
  ) throws(StoreFault) -> [(place: CountedPlace, start: Int64, devices: Int64)] {
    tables.viewers[venue]?.counts.filter { span.contains($0.start) } ?? []
  }

  func forgetViewerMember(_ device: Int64) {
    for (venue, table) in tables.viewers {
      var table = table
      for place in table.places.keys { table.places[place]?.value.members.remove(device) }
      tables.viewers[venue] = table
    }
  }

  func expireViewers(before time: Int64) {
    for (venue, table) in tables.viewers {
      var table = table
      table.counts.removeAll { $0.start < time }
      table.places = table.places.filter { $0.value.time >= time }
      tables.viewers[venue] = table
    }
  }
}
