internal import CordonCore
internal import CordonIngest
internal import CordonSupport

/// Compares the state of a server with the one before, and makes events of the differences.
///
/// It is a value without a clock: the same observations give the same events.
struct WebhookObserver {
  /// The state of a server at a time.
  struct Observation {
    var time: Instant
    var metrics = IngestMetrics()
    /// The closed bins of venues, each venue in order; the first of a venue may have been observed before.
    var bins: [ViewerBin] = []
    /// The end of the certificate; `nil` without one.
    var certificateEnd: Instant?
    /// Devices that became silent since the last observation, by venue.
    var silent: [SilentDevices] = []
  }

  /// Events, and the marks up to where they were made.
  struct Outcome: Equatable {
    var events: [WebhookEvent] = []
    var marks: [String: Int64] = [:]
  }

  private let settings: WebhookSettings
  private let capacities: SpaceCapacities
  private let smallestCell: Int64
  private let begin: Instant
  private var causes: Set<Ingest.Unreadiness> = []
  private var faults: Int
  private var faultTime: Instant?
  private var expired = IngestMetrics().expired
  private var retentionTime: Instant?
  private var isRetentionLate = false
  private var crowded: [VenueID: Set<SpaceID>] = [:]

  /// The minimum time between two events about faults of the store, and between two about retention.
  static let pause = TimeSpan.hours(1)
  /// The age of the last run of the retention job at which it is late.
  static let retentionLimit = TimeSpan.hours(1)

  /// - Parameters:
  ///   - settings: which events are made.
  ///   - capacities: the capacities of spaces.
  ///   - smallestCell: the smallest number that is not rounded away.
  ///   - begin: the start of the server.
  ///   - metrics: what the server has counted already.
  init(
    settings: WebhookSettings, capacities: SpaceCapacities, smallestCell: Int, begin: Instant,
    metrics: IngestMetrics = IngestMetrics()
  ) {
    self.settings = settings
    self.capacities = capacities
    self.smallestCell = Int64(max(smallestCell, 1))
    self.begin = begin
    faults = metrics.storeFaults
  }

  /// The name of the mark of a venue's bins.
  static func binMark(_ venue: VenueID) -> String { "bin/\(venue.rawValue)" }
  /// The name of the mark of the day of the last event about a certificate with this end.
  static func certificateMark(_ end: Instant) -> String { "certificate-day/\(end.milliseconds)" }
  /// The name of the mark up to which silent devices were searched.
  static let silenceMark = "silence"

  /// Forgets which spaces are crowded: the next bins of a venue set that, up to its mark.
  mutating func forgetVenues() { crowded.removeAll() }

  /// Returns the events since the last observation.
  /// - Parameter marks: the marks that are set already.
  mutating func observe(_ observation: Observation, marks: [String: Int64]) -> Outcome {
    var outcome = Outcome()
    observeReadiness(observation, &outcome)
    observeFaults(observation, &outcome)
    observeRetention(observation, &outcome)
    observeCertificate(observation, marks, &outcome)
    for bin in observation.bins { observe(bin, marks, &outcome) }
    for silent in observation.silent { observe(silent, at: observation.time, &outcome) }
    return outcome
  }

  private mutating func observeReadiness(_ observation: Observation, _ outcome: inout Outcome) {
    let now = observation.metrics.unreadiness
    guard now != causes else { return }
    causes = now
    let names = now.map(\.rawValue).sorted().map { JSONValue.string($0) }
    outcome.events.append(
      WebhookEvent(
        .readiness, time: observation.time,
        [.init("ready", .bool(now.isEmpty)), .init("causes", .array(names))]))
  }

  private mutating func observeFaults(_ observation: Observation, _ outcome: inout Outcome) {
    let count = observation.metrics.storeFaults
    if let last = faultTime, last <= observation.time, observation.time < last + Self.pause { return }
    guard count > faults else { return }
    outcome.events.append(
      WebhookEvent(.storeFault, time: observation.time, [.init("count", .integer(Int64(count - faults)))]))
    faults = count
    faultTime = observation.time
  }

  private mutating func observeRetention(_ observation: Observation, _ outcome: inout Outcome) {
    let (metrics, now) = (observation.metrics, observation.time)
    let isLate = now - (metrics.lastRetention ?? begin) > Self.retentionLimit
    if isLate != isRetentionLate {
      isRetentionLate = isLate
      if isLate { outcome.events.append(WebhookEvent(.retentionLate, time: now)) }
    }
    if let last = retentionTime, last <= now, now < last + Self.pause { return }
    let (sum, before) = (metrics.expired, expired)
    guard sum != before else { return }
    let data = [
      Self.number("positions", sum.positions - before.positions),
      Self.number("contacts", sum.contacts - before.contacts),
      Self.number("devices", sum.devices - before.devices), Self.number("other", sum.others - before.others),
    ]
    outcome.events.append(WebhookEvent(.retention, time: now, data))
    expired = sum
    retentionTime = now
  }

  private func observeCertificate(
    _ observation: Observation, _ marks: [String: Int64], _ outcome: inout Outcome
  ) {
    guard let end = observation.certificateEnd, end - observation.time < ServerCheck.certificateNotice else { return }
    let day = observation.time.milliseconds / 86_400_000
    let mark = Self.certificateMark(end)
    guard marks[mark] != day else { return }
    outcome.marks[mark] = day
    let left = (end - observation.time).milliseconds / 86_400_000
    let data = [Self.text("ends", end.rfc3339), Self.number("days_left", left)]
    var event = WebhookEvent(.certificate, time: observation.time, data)
    event.mark = mark
    outcome.events.append(event)
  }

  /// Compares the numbers that viewers see with the capacities. Bins up to the mark only set the state.
  private mutating func observe(_ bin: ViewerBin, _ marks: [String: Int64], _ outcome: inout Outcome) {
    let name = Self.binMark(bin.venue)
    let isNew = bin.start.milliseconds > outcome.marks[name] ?? marks[name] ?? .min
    var now: Set<SpaceID> = []
    let former = crowded[bin.venue, default: []]
    for (space, capacity) in (capacities.capacities[bin.venue] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let devices = bin.spaces[space] ?? 0
      if devices > capacity { now.insert(space) }
      guard isNew, now.contains(space) != former.contains(space) else { continue }
      let data = [
        Self.text("venue", bin.venue.rawValue), Self.text("space", space.rawValue), Self.number("devices", devices),
        Self.number("capacity", capacity), Self.text("from", bin.start.rfc3339), Self.text("to", bin.end.rfc3339),
      ]
      let kind = devices > capacity ? WebhookEvent.Kind.overCapacity : .withinCapacity
      let subject = bin.venue.rawValue + "/" + space.rawValue
      var event = WebhookEvent(kind, time: bin.end, subject: subject, data)
      event.mark = name
      outcome.events.append(event)
    }
    crowded[bin.venue] = now
    if isNew { outcome.marks[name] = bin.start.milliseconds }
  }

  /// Without names a number is a multiple of the smallest count, and smaller ones are not reported.
  private func observe(_ silent: SilentDevices, at time: Instant, _ outcome: inout Outcome) {
    let venue = silent.venue.rawValue
    let common = [
      Self.text("venue", venue), Self.number("silent_s", (settings.silence ?? .zero).milliseconds / 1_000),
    ]
    if settings.namesDevices {
      for device in silent.devices {
        let data = common + [Self.text("device", device.rawValue)]
        var event = WebhookEvent(.silent, time: time, subject: venue, data)
        (event.device, event.mark) = (device, Self.silenceMark)
        outcome.events.append(event)
      }
      return
    }
    let count = silent.count / smallestCell * smallestCell
    guard count > 0 else { return }
    let data = common + [Self.number("devices", count)]
    var event = WebhookEvent(.silent, time: time, subject: venue, data)
    event.mark = Self.silenceMark
    outcome.events.append(event)
  }

  private static func text(_ key: String, _ value: String) -> JSONValue.Member { .init(key, .string(value)) }
  private static func number(_ key: String, _ value: Int64) -> JSONValue.Member { .init(key, .integer(value)) }
}
