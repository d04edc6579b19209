import CordonCore
import Foundation
import Testing

@testable import CordonCrowd

/// Queues whose mean wait and length are known exactly.
///
/// Formulas: L. Kleinrock, Queueing Systems, volume 1, 1975.
enum QueueingTheory {
  /// The probability that a customer of M/M/c waits (Erlang's C formula).
  static func erlangC(servers: Int, load: Double) -> Double {
    // The blocking probability of Erlang's B formula, by its recursion.
    var blocking = 1.0
    for count in 1...servers { blocking = load * blocking / (Double(count) + load * blocking) }
    let utilisation = load / Double(servers)
    return blocking / (1 - utilisation * (1 - blocking))
  }

  /// The mean wait of M/M/c, in units of the mean service time.
  static func wait(servers: Int, utilisation: Double) -> Double {
    erlangC(servers: servers, load: utilisation * Double(servers)) / (Double(servers) * (1 - utilisation))
  }

  /// The mean wait of M/D/1, in units of the service time (Pollaczek and Khinchine).
  static func waitWithFixedService(utilisation: Double) -> Double { utilisation / (2 * (1 - utilisation)) }
}

@Suite("Queues and their theory")
struct QueueingTheoryTests {
  /// Mean service time, in seconds.
  private static let service = 60.0

  struct Load: CustomTestStringConvertible, Sendable {
    var utilisation: Double
    var customers: Int
    var testDescription: String { "\(utilisation)" }
  }

  /// Enough customers for a standard error of about 2 % of the mean wait. The error grows as the utilisation nears 1
  /// (Whitt, Planning queueing simulations, 1989).
  static let loads =
    [Load(utilisation: 0.5, customers: 60_000), Load(utilisation: 0.8, customers: 300_000)]
    + (LongTests.areWanted ? [Load(utilisation: 0.9, customers: 1_200_000)] : [])

  enum Service {
    case exponential, fixed
  }

  private static func visits(
    _ load: Load, servers: Int, _ service: Service, stream: UInt32
  ) -> [QueueingStation.Visit] {
    var arrivals = RandomStream(seed: 1, stream: stream)
    var durations = RandomStream(seed: 2, stream: stream)
    let gap = Self.service / Double(servers) / load.utilisation
    var time = 0.0
    return (0..<load.customers).map { _ in
      time += arrivals.nextExponential(mean: gap)
      let seconds = service == .fixed ? Self.service : durations.nextExponential(mean: Self.service)
      return QueueingStation.Visit(arrival: Int64(time * 1_000), duration: Int64(seconds * 1_000))
    }
  }

  /// Compares a station with the theory: mean wait, mean length (by its integral over time) and mean number of busy
  /// servers.
  private static func compare(_ record: QueueRecord, _ load: Load, servers: Int, wait: Double) {
    #expect(abs(record.meanWait / (wait * service) - 1) < 0.05, "wait: \(record.meanWait), theory \(wait * service)")
    let length = wait * load.utilisation * Double(servers)
    #expect(abs(record.meanLength / length - 1) < 0.05, "length: \(record.meanLength), theory \(length)")
    let busy = load.utilisation * Double(servers)
    #expect(abs(record.meanBusy / busy - 1) < 0.02, "busy: \(record.meanBusy), theory \(busy)")
    #expect(record.completed == load.customers && record.joined == load.customers)
  }

  @Test(arguments: loads, [1, 3])
  func exponentialServiceWaitsAsErlangSays(load: Load, servers: Int) {
    var station = QueueingStation(servers: Array(repeating: .always, count: servers))
    _ = station.serve(Self.visits(load, servers: servers, .exponential, stream: 3))
    Self.compare(
      station.record, load, servers: servers,
      wait: QueueingTheory.wait(servers: servers, utilisation: load.utilisation))
  }

  @Test(arguments: loads)
  func fixedServiceWaitsHalfAsLong(load: Load) {
    var station = QueueingStation(servers: [.always])
    _ = station.serve(Self.visits(load, servers: 1, .fixed, stream: 4))
    Self.compare(
      station.record, load, servers: 1,
      wait: QueueingTheory.waitWithFixedService(utilisation: load.utilisation))
  }

  /// By Burke's theorem, the departures of the first station are a Poisson process, so both stations are M/M/1.
  @Test(arguments: loads)
  func twoStationsInARowWaitAsIfEachWereAlone(load: Load) {
    var first = QueueingStation(servers: [.always])
    let arrivals = Self.visits(load, servers: 1, .exponential, stream: 5)
    let services = first.serve(arrivals).compactMap { $0 }
    var durations = RandomStream(seed: 6, stream: 5)
    var second = QueueingStation(servers: [.always])
    _ = second.serve(
      services.map {
        QueueingStation.Visit(
          arrival: $0.upperBound, duration: Int64(durations.nextExponential(mean: Self.service) * 1_000))
      })
    let wait = QueueingTheory.wait(servers: 1, utilisation: load.utilisation)
    Self.compare(first.record, load, servers: 1, wait: wait)
    Self.compare(second.record, load, servers: 1, wait: wait)
  }

  @Test func theFormulasAgreeWithKnownValues() {
    // One server: the probability of a wait is the utilisation.
    #expect(abs(QueueingTheory.erlangC(servers: 1, load: 0.8) - 0.8) < 1e-12)
    // Two servers: 2 u² / (1 + u).
    #expect(abs(QueueingTheory.erlangC(servers: 2, load: 1.6) - 2 * 0.64 / 1.8) < 1e-12)
  }
}
