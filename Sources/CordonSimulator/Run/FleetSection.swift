import CordonCore
import CordonMonitoring

/// A section of a fleet: phones and their sink, processed by one thread at a time.
final class FleetSection {
  let store: any Store
  let transport: SinkTransport
  var phones: [SimulatedPhone] = []
  private var output = MonitorOutput()

  /// The invite code with which phones activate themselves at the in-process sink.
  static let inviteCode = "SIMULATED"

  init(store: any Store, sink: InProcessSink, server: PhoneServer?, noticeTime: Instant? = nil) {
    self.store = store
    sink.inviteCodes = [FleetSection.inviteCode]
    transport = SinkTransport(sink: sink, server: server)
    transport.noticeTime = noticeTime
  }

  /// Advances every phone to a time.
  func advance(until now: Instant) {
    for index in phones.indices { phones[index].advance(until: now, output: &output) }
  }

  /// Ends every phone.
  func finish(at now: Instant) {
    for index in phones.indices { phones[index].finish(at: now, output: &output) }
  }
}

/// The sinks of a fleet as if they were one sink.
struct FleetSink {
  let sinks: [InProcessSink]

  /// The number of stored locations.
  var count: Int { sinks.reduce(0) { $0 + $1.count } }

  /// The number of duplicate rows.
  var knownCount: Int { sinks.reduce(0) { $0 + $1.knownCount } }

  /// The devices that were erased.
  var erased: Set<DeviceID> { sinks.reduce(into: []) { $0.formUnion($1.erased) } }

  /// Visits all stored locations; those of one device are in order of time.
  func forEachLocation(_ body: (Location) -> Void) {
    for sink in sinks { sink.forEachLocation(body) }
  }
}
