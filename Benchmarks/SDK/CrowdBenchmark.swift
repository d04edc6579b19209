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
    var output = MonitorOutput()
    let start = MonitorBenchmark.start
    var now = ClockReading(virtual: start)
    var phones: [Runtime] = []
    var random = RandomStream(seed: 7, stream: 1)
    try group?.beginGroup()
    for index in 0..<count {
      let entropy = RandomSource.stream(RandomStream(seed: 7, stream: 2, entity: UInt64(index)))
      var phone = try Runtime(
        device: DeviceID("phone-\(index)"), configuration: configuration, store: store, entropy: entropy, at: now)
      phone.step(now, .consent(Consent(version: "1", time: start)), into: &output)
      phone.step(now, .venue(venue), into: &output)
      phone.step(now, .start, into: &output)
      phone.step(now, .region(.entered), into: &output)
      phones.append(phone)
    }
    output.removeAll()
    func carry(_ index: Int) {
      while !output.requests.isEmpty {
        let requests = output.requests
        output.removeAll()
        for request in requests {
          phones[index].step(now, response: sink.handle(request, now: now.wall), into: &output)
        }
      }
      output.removeAll()
    }
    for tick in 1...1_440 {
      now = ClockReading(virtual: start + .seconds(Int64(tick) * 5))
      for index in 0..<count {
        let place = venue.place(
          east: random.nextUniform(in: -14...14) + Double(tick % 30), north: random.nextUniform(in: -14...14))
        let fix = Fix(coordinate: place, accuracy: 12, floor: FloorOrdinal(0), time: now.wall)
        phones[index].step(now, .fix(fix), into: &output)
        if !output.requests.isEmpty { carry(index) }
      }
      if tick % 6 == 0, let group {
        try group.endGroup()
        try group.beginGroup()
      }
    }
    var total = Accounting()
    for index in 0..<count {
      phones[index].step(now, .stop, into: &output)
      carry(index)
      total.add(phones[index].accounting)
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
