internal import CContactKernel
public import CordonCore

/// Contacts of points that arrive late, out of order and in batches: after each batch the rows are the same as
/// those of all points so far from scratch.
///
/// ```swift
/// var stream = ContactStream(finder: ContactFinder(distance: 2), maximumGap: .seconds(30))
/// let update = stream.add(points)     // the rows that went and the rows that came
/// let final = stream.close(before: watermark)
/// ```
///
/// Rows whose end lies before the watermark are final: they are handed over once and forgotten, together with the
/// points that nothing can be joined to any more. Later points with times before the watermark are refused and
/// counted. Walls of the finder are looked at as it does.
public struct ContactStream {
  /// A point as it arrives.
  public struct Point: Hashable, Sendable {
    /// Where and when.
    public var point: TrackPoint
    /// Radius at 68 % in metres, NaN when unknown.
    public var accuracy: Float
    /// Until when the device rested there, milliseconds since 1970; not after the point's time when it did not.
    public var stillUntil: Int64

    /// A point.
    public init(_ point: TrackPoint, accuracy: Float = .nan, stillUntil: Int64 = .min) {
      self.point = point
      self.accuracy = accuracy
      self.stillUntil = stillUntil
    }
  }

  /// How the rows changed with a batch.
  public struct Update: Hashable, Sendable {
    /// Rows that are no more, by devices and start.
    public var removed: [Contact] = []
    /// Rows that are new, by devices and start. A row that grew is in both lists.
    public var added: [Contact] = []

    /// No change.
    public init() {}
  }

  /// What was refused so far.
  public struct Refused: Hashable, Sendable {
    /// Points before the watermark.
    public var late = 0
    /// Points of a device and time that is there already, with a worse or equal accuracy.
    public var duplicates = 0
    /// Those of the duplicates that are elsewhere, more than a millimetre away or on another floor.
    public var conflicting = 0
    /// Points that ``ObservedTracks`` would count as unusable.
    public var unusable = 0

    /// Nothing.
    public init() {}
  }

  /// What was refused so far.
  public internal(set) var refused = Refused()
  /// Everything before it is final, milliseconds since 1970.
  public internal(set) var watermark = Int64.min
  /// How contacts are found.
  public let finder: ContactFinder
  /// The longest time between two points that are joined.
  public let maximumGap: TimeSpan

  var tracks: [Int32: StreamTrack] = [:]
  var slabs: [Int64: StreamSlab] = [:]
  var rows: [UInt64: PairRows] = [:]
  /// The pairs with rows, by the slab that the row starts in; some more than once, and some whose row is no more.
  var pairsByStart: [Int64: [UInt64]] = [:]
  /// The pairs that the batch touched.
  var touched: [PairRows.Touched] = []
  let scratch = StreamScratch()
  /// What the finder means, made once.
  let rule: ContactRule

  /// The width of the slabs in which devices are looked for, milliseconds.
  static let slabWidth: Int64 = 60_000

  /// A stream without points.
  public init(finder: ContactFinder, maximumGap: TimeSpan = ObservedTracks.defaultMaximumGap) {
    self.finder = finder
    rule = finder.rule
    self.maximumGap = TimeSpan.milliseconds(min(max(maximumGap.milliseconds, 0), Segment.longest))
  }

  /// A stream without points that finds contacts as this one does. O(1): what was made of the finder's walls is shared.
  public var emptied: ContactStream { ContactStream(finder: finder, rule: rule, maximumGap: maximumGap) }

  private init(finder: ContactFinder, rule: ContactRule, maximumGap: TimeSpan) {
    self.finder = finder
    self.rule = rule
    self.maximumGap = maximumGap
  }

  /// All rows that are not final yet, by start, devices and floor.
  public var contacts: [Contact] {
    rows.values.lazy.flatMap(\.list).map(\.published).sorted(by: Contact.isListedBefore)
  }

  /// The number of points that are held.
  public var pointCount: Int { tracks.values.reduce(0) { $0 + $1.points.count } }

  /// The time of the earliest point of a device that is held; `nil` when none is.
  public func earliestTime(of device: Int32) -> Instant? {
    tracks[device]?.points.first.map { Instant(milliseconds: $0.point.time) }
  }

  /// Takes in points of any devices, in any order.
  @discardableResult
  public mutating func add(_ batch: [Point]) -> Update {
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

  /// The difference between the touched rows and what they were.
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
      // Most rows of a pair stay, and what changes is the last one.
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
