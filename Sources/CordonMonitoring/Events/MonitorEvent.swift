public import CordonCore
public import CordonGeometry

/// An input of the monitor from outside: a request of the app or the person, a timer, or a report of a provider.
///
/// Results of the runtime's own work are not events: only the runtime reports those, see `Runtime`.
public enum MonitorEvent: Sendable {
  /// The app asks for monitoring.
  case start
  /// The app stops monitoring; consent and queue stay.
  case stop
  /// The person agreed, to more purposes or to another text; other purposes keep their agreement.
  case consent(Consent)
  /// The person no longer agrees to some purposes. Without ``Consent/Purposes/record`` it is a withdrawal.
  case retract(Consent.Purposes)
  /// The person withdraws the consent.
  case withdraw
  /// Pauses monitoring until a time, or until ``resume``.
  case pause(until: Instant?)
  /// Ends a pause.
  case resume
  /// The person entered an invite code.
  case invite(code: String)
  /// The app knows a venue, or a new version of one; it becomes the active venue.
  case venue(any VenueGate)
  /// The venues among which the monitor may choose. Outside of a session it activates the venue whose geofence
  /// contains a fix. Replaces the former list; the active venue stays.
  case venues([any VenueGate])
  /// A timer fired; the monitor does what is due.
  case wake
  /// The operating system woke the process, or the app came to the foreground: all waiting rows are sent.
  case woken
  /// The app or the person requests that the queue is sent now.
  case flush
  /// The person takes back what a sink was allowed to receive: its queue is removed, and it receives nothing more until
  /// the next start of the process. Without another sink monitoring stops.
  case discard(SinkID)
  /// The person acknowledged an exposure notice. A notice that the device does not have changes nothing.
  case acknowledge(ExposureNotice.ID)
  /// The rules of recording and sending change. Sinks and the type of device stay; the caller has validated the rest.
  case configure(MonitorConfiguration)
  /// A trip began or ended. Outside of venues positioning is on during a trip, whatever the mode of the policy. The end of the
  /// consent, also of that for other places alone, ends a trip.
  case trip(isInProgress: Bool)
  /// A provider or a sensor reported something.
  case provider(ProviderEvent)
}

/// The events of providers, for programs that drive a ``Runtime`` themselves.
extension MonitorEvent {
  /// A position was measured.
  @inlinable
  public static func fix(_ fix: Fix) -> MonitorEvent { .provider(.fix(fix)) }
  /// The device crossed the geofence.
  public static func region(_ crossing: RegionCrossing) -> MonitorEvent { .provider(.region(crossing)) }
  /// The device left the small circle around the place where it rested.
  public static var leftWakeFence: MonitorEvent { .provider(.leftWakeFence) }
  /// The operating system's permission changed.
  public static func permission(_ permission: Permission) -> MonitorEvent { .provider(.permission(permission)) }
  /// The device started or stopped moving.
  public static func motion(_ motion: Motion) -> MonitorEvent { .provider(.motion(motion)) }
  /// Another source than fixes reports the floor; `nil` when it no longer knows it.
  public static func floor(_ floor: FloorOrdinal?) -> MonitorEvent { .provider(.floor(floor)) }
  /// The operating system reports a visit.
  public static func visit(_ visit: Visit) -> MonitorEvent { .provider(.visit(visit)) }
  /// The operating system paused positioning by itself.
  public static var pausedPositioning: MonitorEvent { .provider(.pausedPositioning) }
  /// The device left the circle around the place of a pause.
  public static var leftExitFence: MonitorEvent { .provider(.leftExitFence) }
  /// The app came to the foreground, or left it.
  public static func foreground(_ isInForeground: Bool) -> MonitorEvent { .provider(.foreground(isInForeground)) }
  /// The network changed.
  public static func network(_ network: NetworkState) -> MonitorEvent { .provider(.network(network)) }
}
