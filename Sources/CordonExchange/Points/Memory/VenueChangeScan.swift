internal import CordonContacts

/// Looks for the times at which devices turned up in another venue: their ways and rests in the one before end there.
///
/// Venues are handed out apart, so that nothing in one of them says that a device was in another one meanwhile.
struct VenueChangeScan {
  /// A time at which a device turned up, by its number in the spool.
  typealias Moment = (device: Int32, time: Int64)

  /// How many conflicts are named.
  private static let maximumListed = 5

  /// A row for each venue that a device left and the time at which it was seen elsewhere.
  let absences = PointSpool()
  /// How often a device was in two venues at once.
  private(set) var conflicts = 0
  /// The first of them.
  private(set) var listed: [Moment] = []

  /// Where a device was at the latest time seen.
  private struct Sighting {
    var time: Int64
    var venues: [Int32]
    /// Where it was at the time before.
    var earlier: [Int32] = []
    /// The rows that say that it rested on.
    var rests: [Int] = []
  }

  private var sightings: [Int32: Sighting] = [:]

  /// Goes through the rows of all venues in order of time, and cuts rests short in the spool.
  /// - Parameters:
  ///   - travellers: the devices to look at.
  ///   - spool: the rows.
  ///   - ends: the ends of the spans whose rows are examined together.
  static func run(
    _ travellers: Set<Int32>, _ spool: PointSpool, ends: [Int64]
  ) throws(PointFileError) -> VenueChangeScan {
    var scan = VenueChangeScan()
    var readers = spool.parts.map { SpoolReader($0, of: spool.parts.count) }
    for limit in ends + [.max] {
      var rows: [(place: Int, record: PointSpool.Record)] = []
      for k in readers.indices {
        for slice in try readers[k].slices(through: limit, from: spool) {
          for (row, record) in slice.records.enumerated() where travellers.contains(record.device) {
            rows.append((slice.range.lowerBound + row, record))
          }
        }
      }
      rows.sort { ($0.record.time, $0.place) < ($1.record.time, $1.place) }
      for (place, record) in rows { try scan.take(record, at: place, of: spool) }
    }
    for (device, sighting) in scan.sightings.sorted(by: { $0.key < $1.key }) {
      try scan.noteAbsences(of: device, sighting)
    }
    try scan.absences.finish()
    return scan
  }

  private mutating func take(
    _ record: PointSpool.Record, at place: Int, of spool: PointSpool
  ) throws(PointFileError) {
    var sighting = sightings[record.device] ?? Sighting(time: record.time, venues: [])
    if record.time > sighting.time {
      try noteAbsences(of: record.device, sighting)
      for rest in sighting.rests {
        var before = try spool.read(rest..<(rest + 1))
        before[0].stillUntil = min(before[0].stillUntil, record.time)
        try spool.replace(at: rest, with: before)
      }
      sighting = Sighting(time: record.time, venues: [], earlier: sighting.venues)
    }
    if !sighting.venues.contains(record.venue) {
      if !sighting.venues.isEmpty {
        conflicts += 1
        if listed.count < VenueChangeScan.maximumListed { listed.append((record.device, record.time)) }
      }
      sighting.venues.append(record.venue)
    }
    if record.stillUntil > record.time { sighting.rests.append(place) }
    sightings[record.device] = sighting
  }

  /// Where a device was before and is not now.
  private func noteAbsences(of device: Int32, _ sighting: Sighting) throws(PointFileError) {
    for venue in sighting.earlier where !sighting.venues.contains(venue) {
      try absences.add(
        PointSpool.Record(
          device: device, venue: venue, floor: Segment.elsewhere, accuracy: .nan, time: sighting.time, stillUntil: .min,
          x: 0, y: 0))
    }
  }
}
