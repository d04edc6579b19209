import CordonCore
import CordonMonitoring
import CordonTesting

/// Some phones of a fleet, with the sink that they send to: what one thread works on at a time.
final class FleetSection {
  let store: any Store
  let carrier: SinkCarrier
  var phones: [SimulatedPhone] = []
  private var output = Output()

  /// What phones activate themselves with at the sink in the process.
  static let inviteCode = "SIMULATED"

  init(store: any Store, sink: InProcessSink, server: PhoneServer?) {
    self.store = store
    sink.inviteCodes = [FleetSection.inviteCode]
    carrier = SinkCarrier(sink: sink, server: server)
  }

  /// Lets every phone live until a time.
  func advance(until now: Instant) {
    let carrier = carrier
    for index in phones.indices { phones[index].advance(until: now, output: &output, carry: carrier.carry) }
  }

  /// The last moments of every phone.
  func finish(at now: Instant) {
    let carrier = carrier
    for index in phones.indices { phones[index].finish(at: now, output: &output, carry: carrier.carry) }
  }
}

/// What the sinks of a fleet received, as if it were one.
struct FleetSink {
  let sinks: [InProcessSink]

  /// How many locations are kept.
  var count: Int { sinks.reduce(0) { $0 + $1.count } }

  /// Rows that came again.
  var knownCount: Int { sinks.reduce(0) { $0 + $1.knownCount } }

  /// Devices that were erased.
  var erased: Set<DeviceID> { sinks.reduce(into: []) { $0.formUnion($1.erased) } }

  /// Visits everything that is kept; that of one device in order of time.
  func forEachLocation(_ body: (Location) -> Void) {
    for sink in sinks { sink.forEachLocation(body) }
  }
}
