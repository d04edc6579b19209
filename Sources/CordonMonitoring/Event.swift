public import CordonCore
public import CordonGeometry

/// Something that happened, and when: the only thing a monitor ever learns from.
public struct Event: Sendable {
  /// When it happened, by both clocks.
  public var at: Moment
  /// What happened.
  public var kind: Kind

  /// An event.
  @inlinable
  public init(at: Moment, _ kind: Kind) {
    self.at = at
    self.kind = kind
  }

  /// What can happen.
  public enum Kind: Sendable {
    /// The app asks for monitoring.
    case start
    /// The app wants no more monitoring; consent and queue stay.
    case stop
    /// The person agreed, to more or to another text; what is not named stays as it was.
    case consent(Consent)
    /// The person no longer agrees to some purposes. Without ``Consent/Purposes/record`` it is a withdrawal.
    case retract(Consent.Purposes)
    /// The person takes the consent back.
    case withdraw
    /// Monitoring rests until a time, or until ``resume``.
    case pause(until: Instant?)
    /// A pause ends early.
    case resume
    /// The person entered an invite code.
    case invite(code: String)
    /// A venue is known (again); it becomes the active one.
    case venue(any VenueGate)
    /// Venues among which the monitor may choose: it makes that one active in whose geofence a fix falls while no
    /// session runs. Replaces the former list; the active venue stays.
    case venues([any VenueGate])
    /// The operating system's permission changed.
    case permission(Permission)
    /// The operating system says that the device crossed the geofence.
    case region(RegionCrossing)
    /// A position was measured.
    case fix(Fix)
    /// The device's sensors say whether it moves.
    case motion(Motion)
    /// The device left the small circle round the place where it rested.
    case leftWakeFence
    /// A floor is known from elsewhere than fixes, or no longer.
    case floor(FloorOrdinal?)
    /// The network changed.
    case network(NetworkState)
    /// A timer fired; whatever is due is done.
    case wake
    /// The operating system woke the process, or the app came to the front: what waits is sent, whatever its age.
    case woken
    /// The app or the person wants the queue sent now.
    case flush

    /// Fixes were written; `known` of them had been before.
    case written(count: Int, known: Int)
    /// A confirmed location was written again to lengthen its stay.
    case reopened
    /// A limit removed rows.
    case expired(ExpiryRule, waiting: Int, quarantined: Int, queues: [QueueSummary])
    /// All rows were removed.
    case wiped(waiting: Int, quarantined: Int)
    /// Rows were taken for a request; none if there was nothing to send.
    case leased(sink: SinkID, rows: Int, queue: QueueSummary)
    /// A request with rows was answered, or given up; `removed` locations are gone because no sink wants them any more.
    case delivered(sink: SinkID, DeliveryOutcome, removed: Int, queue: QueueSummary, jitter: Double)
    /// A request for a token was answered.
    case token(CredentialOutcome, jitter: Double)
    /// A request for activation was answered; `venue` is the one that the code was for, if the server said.
    case activation(CredentialOutcome, jitter: Double, venue: VenueID? = nil)
    /// The credentials of another venue were taken up; there is an activation for it, or not.
    case venueTaken(VenueID, isActivated: Bool, tokenEnd: Instant?, queues: [QueueSummary])
    /// The server was told of the consent, or not.
    case consentTold(CredentialOutcome, jitter: Double)
    /// A request for erasure was answered.
    case erasure(device: DeviceID, isDone: Bool, retryAfter: TimeSpan?, jitter: Double)
  }
}

extension Event.Kind {
  /// Whether the event is taken before what is due at its time: it says how many rows wait, as counted when it was made,
  /// or ends the recording.
  var comesFirst: Bool {
    switch self {
    case .leased, .delivered, .expired, .venueTaken, .withdraw: true
    default: false
    }
  }
}

/// What the operating system lets an app know about the position.
public enum Permission: UInt8, Hashable, Sendable {
  /// Not asked, or refused.
  case none
  /// Only while the app is in front.
  case whenInUse
  /// Always.
  case always
}

/// A crossing of the geofence.
public enum RegionCrossing: Hashable, Sendable {
  case entered
  case exited
}

/// What motion sensors say.
public enum Motion: Hashable, Sendable {
  case still
  case moving
}

/// What kind of network there is.
public enum NetworkState: Hashable, Sendable {
  case none
  case metered
  case unmetered
}

/// A limit that removes locations.
public enum ExpiryRule: String, Hashable, Sendable, CaseIterable {
  /// It grew too old.
  case age
  /// There were too many.
  case rows
  /// They took too much room.
  case bytes
  /// It cannot be read any more: the key that sealed it is lost, or its bytes are damaged.
  case key
}

/// What waits for one sink.
public struct QueueSummary: Hashable, Sendable {
  /// The sink.
  public var sink: SinkID
  /// Rows that may be sent now.
  public var pending: Int
  /// Rows that belong to a request; they come back when it ends, or its lease.
  public var leased: Int
  /// The time of the oldest row that may be sent.
  public var oldest: Instant?

  /// A summary.
  public init(sink: SinkID, pending: Int, leased: Int = 0, oldest: Instant?) {
    self.sink = sink
    self.pending = pending
    self.leased = leased
    self.oldest = oldest
  }
}

/// How a request with rows ended.
public enum DeliveryOutcome: Hashable, Sendable {
  /// The sink judged the rows one by one; `acknowledged` of them are done and gone, `kept` are to be sent again.
  case judged(acknowledged: Int, quarantined: Int, kept: Int, retryAfter: TimeSpan?)
  /// The sink refused the request as a whole for its size or contents; so many rows were in it.
  case unreadable(rows: Int)
  /// The token was not accepted.
  case unauthorized
  /// The device may no longer send.
  case forbidden
  /// The device was erased.
  case gone
  /// No answer, or a fault of the server.
  case failed(retryAfter: TimeSpan?)
}

/// How a request for a secret or a token ended.
public enum CredentialOutcome: Hashable, Sendable {
  /// Granted, and usable until then.
  case granted(until: Instant)
  /// The sink knows the device or the code no longer.
  case refused
  /// The device was erased.
  case gone
  /// No answer, or a fault of the server.
  case failed(retryAfter: TimeSpan?)
}
