import Cordon
import CordonApple
import CordonCore
import CordonGeometry
import CordonMonitoring
import Foundation

/// The model of the sample's screens: one monitor and its last status.
@MainActor
final class TrackingSession {
  /// The text that people agree to, as it is shown, and its version.
  static let consentVersion = "2026-01"
  static let consentText = """
    While you are in this building the app records where you are in it, and sends that to the building's own server. \
    Nothing is recorded anywhere else. You can stop at any time; what was recorded is then erased, here and there.
    """

  private(set) var sentence = "Loading."
  private(set) var remedy: String?
  /// Called when the sentence has changed.
  var onChange: () -> Void = {}
  private var monitor: ContactMonitor?

  /// Opens the store and reads the provider; records nothing without consent.
  func open(venue: Data, server: URL, store: URL) async throws {
    let gate = PackedVenueGate(try PackedVenue(decoding: Array(venue)))
    let sensors = Sensors(motion: CoreMotionProvider(), connectivity: PathConnectivity())
    let monitor = try ContactMonitor(
      venue: gate, endpoints: [SinkEndpoint(.cordon, url: server)], provider: CoreLocationProvider(), sensors: sensors,
      file: store.path)
    self.monitor = monitor
    await monitor.start()
    await refresh()
    for await status in monitor.statusUpdates { show(status) }
  }

  /// The person has read ``consentText`` and agrees.
  func agree(inviteCode: String) async throws {
    guard let monitor else { return }
    try await monitor.consent(to: Consent(version: Self.consentVersion, time: monitor.now.wall))
    await monitor.activate(inviteCode: inviteCode)
    await refresh()
  }

  /// The person takes it back.
  func withdraw() async {
    await monitor?.withdraw()
    await refresh()
  }

  /// The monitor, for background moments.
  var current: ContactMonitor? { monitor }

  private func refresh() async {
    guard let status = await monitor?.status else { return }
    show(status)
  }

  private func show(_ status: MonitorStatus) {
    sentence = status.sentence
    remedy = status.remedy
    onChange()
  }
}
