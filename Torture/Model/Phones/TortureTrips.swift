import Cordon
import CordonCore
import CordonMonitoring
import CordonPresence
import CordonSupport
import CordonTracking
import CordonWire
import Foundation

/// The trips of a person with a tracker: the real files beside the store, and what must become of them.
///
/// These files are not on a disk of the test: faults strike between their changes, and end the tracker or the command that
/// stops a trip.
final class TortureTrips {
  /// An ended trip, as one receiver gets it.
  struct Ended: Hashable {
    var sink: SinkID
    /// The start, as the receiver gets it.
    var start: String

    init(_ sink: SinkID, start: Int64) {
      self.sink = sink
      self.start = Overland.timestamp(Instant(milliseconds: start), offset: 0)
    }

    /// The trip of a request; `nil` for other requests.
    init?(_ sink: SinkID, body: JSONValue) {
      guard let properties = body["locations"]?.elements?.first?["properties"], properties["type"] == "trip",
        let start = properties["start"]?.stringValue
      else { return nil }
      self.sink = sink
      self.start = start
    }
  }

  /// The receiver of rows of both kinds, beside the one that receives rows from outside only.
  static let mixed = SinkID(number: 22)

  /// The clock of the tracker, which the test sets.
  ///
  /// `@unchecked Sendable` holds because a run has one thread.
  private final class Clock: MonitorClock, @unchecked Sendable {
    var now = ClockReading(wall: Instant(milliseconds: TortureRun.start), monotonic: .zero)
    func sleep(for span: TimeSpan) async throws {}
  }

  private let clock = Clock()
  private let store: String
  private let sinks: [TrackerSink]
  private let rowsFile: String
  /// The rows that the sink of the kind `file` has.
  private var rows: [FixID: Location] = [:]
  private var order: [FixID] = []
  private var random: RandomStream
  /// The trip in progress, with the virtual time of its start.
  private(set) var current: (file: TripFile, since: Int64)?
  /// The start of the trip in progress, as receivers get it.
  var start: String? { current.map { Overland.timestamp(Instant(milliseconds: $0.file.start), offset: 0) } }
  /// The mode of travel of the trip in progress.
  var mode: String? { current?.file.mode.rawValue }
  /// The time of the next step of the command `trip stop`; it first lets rows be sent.
  private var stopAt = Int64.max
  private var hasFlushed = false
  /// The trips that wait.
  private(set) var waiting: Set<Ended> = []
  /// The trips that their receivers acknowledged to the tracker.
  private(set) var acknowledged: Set<Ended> = []
  /// The trip on its way, until the tracker gives it up.
  private var sent: (message: TripOutbox.Message, number: UInt64, until: Int64)?
  private var numbers: UInt64 = 0
  private var device: DeviceID?

  init(seed: UInt64, phone: Int, store: String) {
    self.store = store
    rowsFile = store + ".rows"
    random = RandomStream(seed: seed, stream: 0x7a, entity: UInt64(phone))
    var sinks: [TrackerSink] = []
    let both: Consent.Purposes = [.record, .everywhere]
    let kinds: [(TrackerSink.Kind, String, UInt8?, Consent.Purposes)] = [
      (.overland, "http://receiver/everywhere", nil, .everywhere),
      (.overland, "http://receiver/mixed", TortureTrips.mixed.number, both), (.file, rowsFile, nil, both),
    ]
    for (kind, address, number, purposes) in kinds {
      guard var sink = try? TrackerSink(kind, address, number: number) else { continue }
      sink.purposes = purposes
      sinks.append(sink)
    }
    self.sinks = sinks
    // An earlier run may have left its files.
    for suffix in [".trip", ".trips", ".rows"] { try? FileManager.default.removeItem(atPath: store + suffix) }
  }

  private var receivers: [TrackerSink] { sinks.filter { $0.kind == .overland } }
  private var outbox: TripOutbox { TripOutbox(store: store) }

  /// The endpoints of a process: the trip in progress counts from its start.
  func endpoints() -> [SinkID: SinkEndpoint] {
    sent = nil
    var endpoints: [SinkID: SinkEndpoint] = [:]
    for sink in receivers {
      var format = OverlandFormat()
      format.trips = TripLog(store: store, clock: clock)
      endpoints[sink.id] = SinkEndpoint(format, id: sink.id, url: sink.url)
    }
    return endpoints
  }

  /// Sets the clock for the next request.
  func set(_ now: ClockReading) { clock.now = now }

  /// Whether the file names a trip of a device, for a process that starts.
  func isInProgress(of device: DeviceID) -> Bool { (try? TripFile.read(store: store))?.isOf(device) ?? false }

  /// Writes rows to the file.
  func keep(_ locations: [Location]) {
    for location in locations {
      if rows.updateValue(location, forKey: location.id) == nil { order.append(location.id) }
    }
  }

  // MARK: The person

  /// Starts a trip for 2 to 26 minutes.
  func start(_ now: Int64, wall: Instant, device: DeviceID) {
    let mode = TripMode.allCases[random.nextIndex(below: TripMode.allCases.count)]
    let file = TripFile(mode: mode, start: wall, device: device)
    guard (try? file.write(store: store)) != nil else { return }
    current = (file, now)
    stopAt = now + Int64(120_000 + random.nextIndex(below: 1_440_000))
    hasFlushed = false
  }

  /// Whether the person starts a trip in this minute.
  func wantsToStart() -> Bool { current == nil && random.nextIndex(below: 40) == 0 }

  /// A step of the command `trip stop`.
  enum Step { case nothing, flush, stop }

  /// Returns the next step of the command.
  func nextStep(_ now: Int64) -> Step {
    guard now >= stopAt else { return .nothing }
    if !hasFlushed {
      hasFlushed = true
      return .flush
    }
    return .stop
  }

  /// Ends the trip in progress at the next step.
  func hurry() { stopAt = .min }

  /// Stops the trip. Returns whether it has ended, and what is wrong.
  ///
  /// One command of four dies after it has kept the trip for its receivers; another one follows in two minutes.
  func stop(
    _ now: Int64, wall: Instant, consent: Consent.Purposes, mayDie: Bool
  ) -> (hasEnded: Bool, problem: String?) {
    guard let file = try? TripFile.read(store: store) else {
      let isMissing = current != nil
      current = nil
      stopAt = .max
      return (true, isMissing ? "the trip in progress is lost" : nil)
    }
    let lines = PositionBatch.encodeLines(order.compactMap { rows[$0] })
    _ = FileManager.default.createFile(atPath: rowsFile, contents: Data(lines))
    let end = max(wall.milliseconds, file.start)
    let expected = receivers.filter { sink in
      rows.values.contains { row in
        row.time.milliseconds >= file.start && row.time.milliseconds <= end && file.isOf(row.device)
          && sink.purposes.contains(row.purpose) && consent.contains(row.purpose)
      }
    }
    let count = try? outbox.add(file, of: sinks, consent: consent, until: wall, steps: nil)
    let problem =
      current != nil && count != expected.count
      ? "a trip waits for \(count ?? 0) receivers, not for \(expected.count)" : nil
    if mayDie, random.nextIndex(below: 4) == 0 {
      stopAt = now + 120_000
      return (false, problem)
    }
    TripFile.remove(store: store)
    if current != nil { waiting.formUnion(expected.map { Ended($0.id, start: file.start) }) }
    current = nil
    stopAt = .max
    return (true, problem)
  }

  /// The person takes a consent back: the command forgets the trips before it informs the tracker.
  func withdraw() {
    TripFile.remove(store: store)
    outbox.removeAll()
    forget()
  }

  private func forget() {
    current = nil
    stopAt = .max
    waiting = []
  }

  /// Follows the name of the device: trips of an earlier name are not sent.
  func follow(_ device: DeviceID) {
    if let former = self.device, former != device { forget() }
    self.device = device
  }

  // MARK: Delivery

  /// Returns the next trip to send; `nil` for none, or while one is on its way.
  func next(
    _ now: Int64, consent: Consent?, device: DeviceID
  ) -> (request: SinkRequest, endpoint: SinkEndpoint)? {
    if let sent, sent.until > now { return nil }
    guard let message = outbox.next(consent: consent, device: device),
      let sink = receivers.first(where: { $0.id.number == message.sink })
    else { return nil }
    numbers += 1
    var request = message.request
    request.number = 1 << 40 + numbers
    sent = (message, request.number, now + 45_000)
    var endpoint = sink.endpoint
    endpoint.format = OverlandTripFormat(OverlandFormat(), body: message.body)
    return (request, endpoint)
  }

  /// Whether a request carries an ended trip.
  static func isTrip(_ request: SinkRequest) -> Bool { request.number >= 1 << 40 }

  /// Handles an answer; one that comes too late has no effect.
  func receive(_ response: SinkResponse) {
    guard let sent, sent.number == response.number else { return }
    self.sent = nil
    guard outbox.complete(sent.message, response) == nil, let body = try? JSONReader.value(of: sent.message.body),
      let trip = Ended(SinkID(number: sent.message.sink), body: body)
    else { return }
    waiting.remove(trip)
    acknowledged.insert(trip)
  }

  /// Whether trips wait or one is in progress.
  var isBusy: Bool { current != nil || !waiting.isEmpty }
}
