import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage
import CordonTesting
import CordonWire
import Foundation

/// Measures monitor, stores and wire format in CPU time of this process, best and median of several runs.
///
/// `bench-sdk [all|monitor|idle|store|wire|crowd|refuse N]`; `refuse N` only refuses N fixes, for counting
/// allocations (Benchmarks/sdk-heap).
@main
enum SDKBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let what = arguments.first ?? "all"
    if what == "refuse" {
      let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000
      print("refused \(try MonitorBenchmark.refuse(count))")
      return
    }
    if what == "all" || what == "monitor" { try MonitorBenchmark.run() }
    if what == "all" || what == "idle" { try IdleBenchmark.run() }
    if what == "all" || what == "wire" { try WireBenchmark.run() }
    if what == "all" || what == "store" { try StoreBenchmark.run() }
    if what == "all" || what == "crowd" { try CrowdBenchmark.run() }
  }
}

/// Processor seconds that this process has used.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Runs a body several times and prints its figure of each run, best and median.
func measure(_ name: String, runs: Int = 5, unit: String, _ body: () throws -> (count: Int, scale: Double)) rethrows {
  var figures: [Double] = []
  for _ in 0..<runs {
    let start = processorSeconds()
    let (count, scale) = try body()
    let spent = processorSeconds() - start
    figures.append(scale < 0 ? Double(count) / spent : spent / Double(count) * scale)
  }
  figures.sort()
  let best = unit.hasSuffix("/s") ? figures[figures.count - 1] : figures[0]
  func text(_ value: Double) -> String { String(format: value > 1_000 ? "%.0f" : "%.3f", value) }
  print("\(name): best \(text(best)) \(unit), median \(text(figures[figures.count / 2])) \(unit) (\(runs) runs)")
}
