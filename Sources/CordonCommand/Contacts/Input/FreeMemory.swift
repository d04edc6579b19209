import Foundation

/// How much memory the process may still take.
enum FreeMemory {
  /// Bytes, or `nil` where the system does not say: the least of what the machine has free, what a control group or
  /// `ulimit -v` leaves, and the environment variable `CORDON_MEMORY` (bytes).
  static var bytes: Double? { [asked, machine, group, addressSpace].compactMap { $0 }.min() }

  private static var asked: Double? { ProcessInfo.processInfo.environment["CORDON_MEMORY"].flatMap { Double($0) } }

  private static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static var machine: Double? {
    for line in text("/proc/meminfo")?.split(separator: "\n") ?? [] where line.hasPrefix("MemAvailable:") {
      return line.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 * 1_024 }
    }
    return nil
  }

  private static var group: Double? {
    let path = text("/proc/self/cgroup")?.split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3) ?? "/"
    for folder in ["/sys/fs/cgroup" + path, "/sys/fs/cgroup"] {
      guard let most = text(folder + "/memory.max").flatMap({ Double($0) }) else { continue }
      let used = text(folder + "/memory.current").flatMap { Double($0) } ?? 0
      // The kernel reclaims inactive pages of files when a program needs memory.
      let lines = text(folder + "/memory.stat")?.split(separator: "\n") ?? []
      let idle = lines.first { $0.hasPrefix("inactive_file ") }?.split(separator: " ").last.flatMap { Double($0) } ?? 0
      return max(most - used + idle, 0)
    }
    return nil
  }

  private static var addressSpace: Double? {
    #if os(Linux)
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < 1 << 60 else {
        return nil
      }
      let pages = text("/proc/self/statm")?.split(separator: " ").first.flatMap { Double($0) } ?? 0
      return max(Double(limit.rlim_cur) - pages * Double(sysconf(Int32(_SC_PAGESIZE))), 0)
    #else
      return nil
    #endif
  }
}
