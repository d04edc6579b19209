public import CordonCore
public import CordonGeometry

/// Something that the app or the person wants, a timer that fired, or a report of a provider: all that a monitor learns from
/// outside.
///
/// How the runtime's own work ended is no event: only the runtime says that, see ``Runtime``.
public enum MonitorEvent: Sendable {
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
  /// A timer fired; whatever is due is done.
  case wake
  /// The operating system woke the process, or the app came to the front: what waits is sent, whatever its age.
  case woken
  /// The app or the person wants the queue sent now.
  case flush
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
  /// The device left the small circle round the place where it rested.
  public static var leftWakeFence: MonitorEvent { .provider(.leftWakeFence) }
  /// The operating system's permission changed.
  public static func permission(_ permission: Permission) -> MonitorEvent { .provider(.permission(permission)) }
  /// The device began or ceased to move.
  public static func motion(_ motion: Motion) -> MonitorEvent { .provider(.motion(motion)) }
  /// A floor is known from elsewhere than fixes, or no longer.
  public static func floor(_ floor: FloorOrdinal?) -> MonitorEvent { .provider(.floor(floor)) }
  /// The network changed.
  public static func network(_ network: NetworkState) -> MonitorEvent { .provider(.network(network)) }
}
