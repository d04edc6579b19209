import CordonContacts
import Foundation

extension Bench {
  /// Two threads compared with one: by wall time, which needs a machine with two free processors, and by the
  /// processor time of the busier thread, which equals the wall time there.
  static func threads(_ name: String, _ options: BenchOptions) throws -> BenchResult {
    let workload = try Workload.named(name)
    let points = try points(workload, options)
    var (one, two) = (ContactSummary(), ContactSummary())
    var busier = Double.infinity
    let (single, double) = quickest(options.runs) {
      one = summary(points, workload)
    } and: {
      let before = ThreadTimes.now
      two = summary(points, workload, threads: 2)
      busier = min(busier, ThreadTimes.most(since: before))
    }
    return BenchResult(
      name: "\(name) with two threads", isRight: workload.isRight(one) && workload.isRight(two),
      figures: [
        ("wall_s", single.wall), ("wall_s_two_threads", double.wall), ("speedup", single.wall / double.wall),
        ("cpu_s", single.cpu), ("cpu_s_two_threads", double.cpu), ("cpu_s_busier_thread", busier),
        ("cpu_speedup", single.cpu / busier), ("peak_mib", Usage.peakMebibytes),
      ], goals: [.init(figure: "speedup", bound: 1.8, isLeast: true)])
  }
}

/// The processor time of each thread of this process, in seconds.
private enum ThreadTimes {
  static var now: [String: Double] {
    var times: [String: Double] = [:]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
      let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/schedstat", encoding: .utf8)
      times[thread] = text?.split(separator: " ").first.flatMap { Double($0) }.map { $0 / 1e9 }
    }
    return times
  }

  /// The largest increase of any thread since `before`.
  static func most(since before: [String: Double]) -> Double {
    now.map { $0.value - (before[$0.key] ?? 0) }.max() ?? .nan
  }
}
