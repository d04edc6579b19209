public import CordonCore
import CordonGeometry
public import CordonMonitoring

/// The state of recording and delivery, and the issues that prevent either.
public struct MonitorStatus: Hashable, Sendable {
  /// The most recent answer of a sink.
  public struct Answer: Hashable, Sendable {
    /// The sink.
    public var sink: SinkID
    /// The HTTP status; 0 when there was no answer.
    public var status: Int
    /// Whether the status was a success that this kind of sink never returns: a portal or another program answered.
    public var isUnreadable: Bool
    /// Whether the answer made a claim that only the server can make, without the proof that it is the server's. It
    /// changed nothing.
    public var isUnproved = false
    /// The failure of the request, such as a redirect that was not followed; `nil` for none.
    public var fault: String?
    /// The time of the answer.
    public var time: Instant
  }

  /// The end of the location provider's stream.
  public enum ProviderEnd: Hashable, Sendable {
    /// The stream finished: the provider has nothing more to deliver.
    case finished
    /// The stream threw an error; the text is that error's description.
    case failed(String)
  }

  /// The time of the snapshot.
  public var time: Instant
  /// The state of the monitor.
  public var phase: Phase
  /// The pseudonym of the device.
  public var device: DeviceID
  /// The active venue.
  public var venue: VenueID?
  /// The consent that the person gave.
  public var consent: Consent?
  /// The location access that the operating system grants the app.
  public var permission: Permission
  /// Whether a server accepted the device; meaningless where no sink requires activation.
  public var isActivated: Bool
  /// Whether an invite code waits for the server's answer.
  public var isInvitePending: Bool
  /// The kind of network connection, as far as a sensor reports it.
  public var network: NetworkState
  /// The end of the provider's stream; `nil` while it runs. `ContactMonitor.start()` reads it again.
  public var providerEnd: ProviderEnd?
  /// The expiry time of the device's token.
  public var tokenEnd: Instant?
  /// The count of fixes by outcome; refusals are counted by reason.
  public var accounting: Accounting
  /// The reason of the last refusal.
  public var lastRefusal: RefusalReason?
  /// The time of the last fix that was kept.
  public var lastKept: Instant?
  /// The queue of each sink. The age of `QueueSummary.oldest` is the age of the queue.
  public var queues: [QueueSummary]
  /// The time of the last answer to rows.
  public var lastDelivery: Instant?
  /// The last answer of any sink to any request.
  public var lastAnswer: Answer?
  /// The last answer of each sink, by its number.
  public var lastAnswers: [Answer]
  /// The reason of the last refusal of a location by a sink, in the sink's words; `nil` without one since the start.
  public var lastQuarantine: String?
  /// The last failure of the store.
  public var lastError: StoreError?
  /// Whether a withdrawal or another write still waits for the store.
  public var hasUnfinishedWrites: Bool
  /// Former pseudonyms of this phone whose erasure some sink has not confirmed yet.
  public var pendingErasures: Int
  /// The sinks that have not confirmed these erasures yet, by their numbers.
  public var erasingSinks: [SinkID]
  /// The exposure notices that have not expired, oldest first.
  public var notices: [ExposureNotice]
  /// The power state of the device, where a sensor reports it.
  public var power: PowerState?
  /// All current issues, most important first; empty without issues.
  public internal(set) var issues: [MonitorIssue] = []
  /// Whether positions outside of venues are recorded.
  var isTrackingOutside: Bool
  /// Whether positions are needed: in the venue, when the device enters it, or outside of venues.
  var isPositioning: Bool { phase.isOn || isTrackingOutside }
  /// Whether no sink is set, so that locations stay on the device.
  private var keepsOnly: Bool

  /// The inputs of a status besides the runtime.
  struct Surroundings {
    /// The sinks that have an address; `nil` when that is not known.
    var endpoints: Set<SinkID>?
    /// The power state of the device.
    var power: PowerState?
    /// The provider's report.
    var issues: [MonitorIssue] = []
    /// The end of the provider's stream.
    var providerEnd: ProviderEnd?
  }

  init(_ runtime: Runtime, _ record: DeliveryRecord, _ around: Surroundings = Surroundings(), at now: ClockReading) {
    let monitor = runtime.monitor
    time = now.wall
    phase = runtime.phase
    device = runtime.device
    venue = monitor.gate?.venue
    consent = monitor.state.consent
    permission = monitor.permission
    isActivated = monitor.state.isActivated
    isInvitePending = monitor.isInvitePending
    network = monitor.network
    providerEnd = around.providerEnd
    tokenEnd = runtime.tokenEnd
    accounting = runtime.accounting
    lastRefusal = monitor.lastRefusal
    lastKept = monitor.lastKept
    queues = (try? runtime.queues(at: now)) ?? []
    lastDelivery = record.lastSuccess
    lastAnswer = record.lastAnswer
    lastAnswers = record.answers.values.sorted { $0.sink < $1.sink }
    lastQuarantine = record.lastRefusal
    lastError = record.lastError
    hasUnfinishedWrites = runtime.hasUnfinishedWrites
    erasingSinks = Set(monitor.state.erasures.map(\.sink)).sorted()
    pendingErasures = Set(monitor.state.erasures.map(\.device)).count
    notices = runtime.exposureNotices(at: now.wall)
    power = around.power
    isTrackingOutside = monitor.isTrackingOutside
    keepsOnly = monitor.configuration.sinks.isEmpty
    issues =
      storeIssues + phaseIssues(record) + (isPositioning ? around.issues : []) + providerIssues
      + fixTroubles(monitor.refusals, lastGood: monitor.lastGoodFix, at: now)
      + deliveryIssues(monitor.configuration, endpoints: around.endpoints)
  }

  /// One sentence for people: the most important issue, or the normal state.
  public var sentence: String { issues.first?.sentence ?? goodNews }

  /// The remedy of the most important issue; `nil` without issues.
  public var remedy: String? { issues.first?.remedy }

  private var goodNews: String {
    switch phase {
    case .armed where isTrackingOutside: recording
    case .armed: "Waiting to enter the venue; positioning is off."
    case .resting: "In the venue and still; the last place is confirmed every minute."
    default: recording
    }
  }

  private var recording: String {
    keepsOnly
      ? "Recording. \(MonitorStatus.locations(accounting.onPhone, "is", "are")) kept on this device."
      : "Recording. \(MonitorStatus.locations(accounting.onPhone, "waits", "wait")) to be sent."
  }

  /// `1 location waits`, `7 locations wait`.
  static func locations(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
    count == 1 ? "1 location \(one)" : "\(count) locations \(many)"
  }
}

extension Phase {
  /// Whether positions are needed, now or when the device enters the venue.
  var isOn: Bool { self == .armed || self == .tracking || self == .resting }
}
