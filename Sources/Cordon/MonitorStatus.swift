public import CordonCore
import CordonGeometry
public import CordonMonitoring

/// Why there is data, or why there is none: the question that users of every tracker ask most.
public struct MonitorStatus: Hashable, Sendable {
  /// A sink's last answer.
  public struct Answer: Hashable, Sendable {
    /// Which sink.
    public var sink: SinkID
    /// The HTTP status; 0 when there was no answer.
    public var status: Int
    /// When.
    public var time: Instant
  }

  /// When the snapshot was taken.
  public var time: Instant
  /// Where the monitor stands.
  public var phase: Phase
  /// The pseudonym of the device.
  public var device: DeviceID
  /// The active venue.
  public var venue: VenueID?
  /// What the person agreed to.
  public var consent: Consent?
  /// What the operating system lets the app know about the position.
  public var permission: Permission
  /// Whether a server accepted the device; meaningless where no sink needs that.
  public var isActivated: Bool
  /// When the device's token ends.
  public var tokenEnd: Instant?
  /// What became of every fix, refusals by their reason.
  public var accounting: Accounting
  /// Why the last refused fix was refused.
  public var lastRefusal: RefusalReason?
  /// The time of the last fix that was kept.
  public var lastKept: Instant?
  /// What waits for each sink. The age of `QueueSummary.oldest` is the age of the queue.
  public var queues: [QueueSummary]
  /// When a sink last answered for rows.
  public var lastDelivery: Instant?
  /// The last answer of any sink to any request.
  public var lastAnswer: Answer?
  /// The last failure of the store.
  public var lastError: StoreError?
  /// Whether a withdrawal or another write still waits for a store that works.
  public var hasUnfinishedWrites: Bool
  /// Devices that this phone was, and whose erasure no server has confirmed yet.
  public var pendingErasures: Int
  /// How the device is powered, where something tells.
  public var power: PowerState?
  /// Everything that is in the way, most important first; empty when all is well.
  public internal(set) var troubles: [Trouble] = []

  init(_ runtime: Runtime, _ record: DeliveryRecord, power: PowerState?, troubles: [Trouble], at now: Moment) {
    let monitor = runtime.monitor
    time = now.wall
    phase = runtime.phase
    device = runtime.device
    venue = monitor.gate?.venue
    consent = monitor.state.consent
    permission = monitor.permission
    isActivated = monitor.state.isActivated
    tokenEnd = runtime.tokenEnd
    accounting = runtime.accounting
    lastRefusal = monitor.lastRefusal
    lastKept = monitor.lastKept
    queues = (try? runtime.queues(at: now)) ?? []
    lastDelivery = record.lastSuccess
    lastAnswer = record.lastAnswer.map { Answer(sink: $0.sink, status: $0.status, time: $0.time) }
    lastError = record.lastError
    hasUnfinishedWrites = runtime.hasUnfinishedWrites
    pendingErasures = monitor.state.erasures.count
    self.power = power
    self.troubles =
      storeTroubles + phaseTroubles(isInviteRefused: record.isInviteRefused) + (phase.isOn ? troubles : [])
      + fixTroubles + deliveryTroubles(monitor.settings)
  }

  /// One sentence for people: what is most in the way, or how well it goes.
  public var sentence: String { troubles.first?.sentence ?? goodNews }

  /// What to do about it; `nil` when all is well.
  public var remedy: String? { troubles.first?.remedy }

  private var goodNews: String {
    switch phase {
    case .armed: "Waiting to enter the venue; positioning is off."
    case .resting: "In the venue and still; the last place is confirmed every minute."
    default: "Recording. \(accounting.onPhone) locations wait to be sent."
    }
  }
}

extension Phase {
  /// Whether positions are wanted, now or when the venue is entered.
  var isOn: Bool { self == .armed || self == .tracking || self == .resting }
}
