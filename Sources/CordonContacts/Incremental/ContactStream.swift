internal import CContactKernel
package import CordonCore

/// Contacts of points that arrive late, out of order and in batches.
///
/// After each batch, the rows equal those of a computation from scratch over all points so far.
///
/// ```swift
/// var stream = ContactStream(finder: ContactFinder(distance: 2), maximumGap: .seconds(30))
/// let update = stream.add(points)     // the removed and the added rows
/// let final = stream.close(before: watermark)
/// ```
///
/// Rows that end before the watermark are final. The stream returns them once and drops them, together with the points
/// that later points cannot be joined to. It refuses and counts later points with times before the watermark.
/// It checks the walls of the finder as the finder does.
package struct ContactStream {
  /// A point as it arrives.
  package struct Point: Hashable, Sendable {
    /// The position and time.
    package var point: TrackPoint
    /// Radius at 68 % in metres, NaN when unknown.
    package var accuracy: Float
    /// The end of the device's rest there, milliseconds since 1970; not after the point's time if it did not rest.
    package var stillUntil: Int64

    /// A point.
    package init(_ point: TrackPoint, accuracy: Float = .nan, stillUntil: Int64 = .min) {
      self.point = point
      self.accuracy = accuracy
      self.stillUntil = stillUntil
    }
  }

  /// The change of the rows by a batch.
  package struct Update: Hashable, Sendable {
    /// Removed rows, by devices and start.
    package var removed: [Contact] = []
    /// Added rows, by devices and start. A row that grew is in both lists.
    package var added: [Contact] = []

    /// No change.
    package init() {}
  }

  /// The counts of refused points.
  package struct Refused: Hashable, Sendable {
    /// Points before the watermark.
    package var late = 0
    /// Points with the device and time of an existing point, and a worse or equal accuracy.
    package var duplicates = 0
    /// The duplicates at another place: more than a millimetre away or on another floor.
    package var conflicting = 0
    /// Points that ``ObservedTracks`` would count as unusable.
    package var unusable = 0

    /// Nothing.
    package init() {}
  }

  /// The counts of points refused so far.
  package internal(set) var refused = Refused()
  /// The watermark, milliseconds since 1970. Everything before it is final.
  package internal(set) var watermark = Int64.min
  /// The finder of the contacts.
  package let finder: ContactFinder
  /// The longest time between two points that are joined.
  package let maximumGap: TimeSpan

  var tracks: [Int32: StreamTrack] = [:]
  var slabs: [Int64: StreamSlab] = [:]
  var rows: [UInt64: PairRows] = [:]
  /// The pairs with rows, by the slab in which the row starts. Pairs can repeat, and their row may have been removed.
  var pairsByStart: [Int64: [UInt64]] = [:]
  /// The pairs that the batch touched.
  var touched: [PairRows.Touched] = []
  let scratch = StreamScratch()
  /// The finder's definition of a contact, made once.
  let rule: ContactRule

  /// The width of the slabs for the search of devices, milliseconds.
  static let slabWidth: Int64 = 60_000

  /// A stream without points.
  package init(finder: ContactFinder, maximumGap: TimeSpan = ObservedTracks.defaultMaximumGap) {
    self.finder = finder
    rule = finder.rule
    self.maximumGap = TimeSpan.milliseconds(min(max(maximumGap.milliseconds, 0), Segment.longest))
  }

  /// Creates a stream without points that finds contacts as this one does. O(1): both share the data of the finder's walls.
  package var emptied: ContactStream { ContactStream(finder: finder, rule: rule, maximumGap: maximumGap) }

  private init(finder: ContactFinder, rule: ContactRule, maximumGap: TimeSpan) {
    self.finder = finder
    self.rule = rule
    self.maximumGap = maximumGap
  }

  /// All rows that are not final yet, by start, devices and floor.
  package var contacts: [Contact] {
    rows.values.lazy.flatMap(\.list).map(\.published).sorted(by: Contact.isListedBefore)
  }

  /// The number of stored points.
  package var pointCount: Int { tracks.values.reduce(0) { $0 + $1.points.count } }

  /// The time of the earliest stored point of a device; `nil` if there are none.
  package func earliestTime(of device: Int32) -> Instant? {
    tracks[device]?.points.first.map { Instant(milliseconds: $0.point.time) }
  }

  /// Adds points of any devices, in any order.
  @discardableResult
  package mutating func add(_ batch: [Point]) -> Update {
    var begin = 0
    while begin < batch.count {
      let device = batch[begin].point.device
      var end = begin + 1
      while end < batch.count, batch[end].point.device == device { end += 1 }
      add(batch[begin..<end], of: device)
      begin = end
    }
    return update()
  }

  private mutating func add(_ batch: ArraySlice<Point>, of device: Int32) {
    var usable: [Point] = []
    usable.reserveCapacity(batch.count)
    for point in batch {
      if !point.point.isUsable {
        refused.unusable += 1
      } else if point.point.time < watermark {
        refused.late += 1
      } else {
        usable.append(point)
      }
    }
    guard !usable.isEmpty else { return }
    var track = tracks.removeValue(forKey: device) ?? StreamTrack()
    let change = track.insert(usable, gap: maximumGap.milliseconds, refused: &refused)
    tracks[device] = track
    let lost = forget(change.removed)
    solve(change.added)
    restore(lost, of: device)
  }

  /// Returns the difference between the touched rows and their previous state.
  private mutating func update() -> Update {
    var update = Update()
    touched.sort { $0.key < $1.key }
    for pair in touched {
      guard let index = rows.index(forKey: pair.key) else { continue }
      rows.values[index].settle()
      let old = pair.old.map(\.published)
      let new = rows.values[index].list[pair.low...].map(\.published)
      if rows.values[index].list.isEmpty { rows.remove(at: index) }
      guard old != new else { continue }
      // Most rows of a pair stay; usually only the last one changes.
      var same = 0
      while same < old.count, same < new.count, old[same] == new[same] { same += 1 }
      let (gone, come) = (old[same...], new[same...])
      update.removed.append(contentsOf: gone.filter { !come.contains($0) })
      update.added.append(contentsOf: come.filter { !gone.contains($0) })
    }
    touched.removeAll(keepingCapacity: true)
    return update
  }
}
