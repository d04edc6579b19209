import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage
import CordonTesting

/// 300 phones for two hours with a fix every 5 s, through runtime, store and sink.
enum CrowdBenchmark {
  static func crowd(_ store: any Store, phones count: Int, group: SQLiteStore?) throws -> Accounting {
    let venue = SmallVenue(width: 120, depth: 80)
    let sink = InProcessSink()
    var configuration = MonitorConfiguration()
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    let start = MonitorBenchmark.start
    var random = RandomStream(seed: 7, stream: 1)
    try group?.beginGroup()
    let phones = try (0..<count).map { index in
      let phone = try TestPhone(
        in: venue, configuration: configuration, store: store, sink: sink, device: DeviceID("phone-\(index)"),
        seed: UInt64(index), start: start)
      phone.accuracy = 12
      phone.consentAndStart()
      phone.enter()
      return phone
    }
    for tick in 1...1_440 {
      for phone in phones {
        phone.sleep(.seconds(5))
        let place = venue.place(
          east: random.nextUniform(in: -14...14) + Double(tick % 30), north: random.nextUniform(in: -14...14))
        phone.fix(at: place, floor: FloorOrdinal(0))
      }
      if tick % 6 == 0, let group {
        try group.endGroup()
        try group.beginGroup()
      }
    }
    var total = Accounting()
    for phone in phones {
      phone.send(.stop)
      total.add(phone.accounting)
    }
    try group?.endGroup()
    return total
  }

  static func run() throws {
    try measure("crowd, 300 phones for 2 h on a memory store", runs: 3, unit: "s") {
      let total = try crowd(MemoryStore(), phones: 300, group: nil)
      check(total)
      return (1, 1)
    }
    try measure("crowd, 300 phones for 2 h on SQLite in groups of 30 s", runs: 3, unit: "s") {
      try StoreBenchmark.withStore { store, _ in check(try crowd(store, phones: 300, group: store)) }
      return (1, 1)
    }
  }

  static func check(_ total: Accounting) {
    print(
      "  fixes \(total.fixes) refused \(total.refused) thinned \(total.thinned) stored \(total.stored) "
        + "acknowledged \(total.acknowledged) on phone \(total.onPhone)")
  }
}
