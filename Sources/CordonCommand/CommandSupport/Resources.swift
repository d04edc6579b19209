import Foundation

/// The resources that the process has used.
enum ProcessResources {
  /// User and system time of all threads, seconds.
  static var cpuSeconds: Double {
    let usage = usage()
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// The largest resident size, MiB.
  static var peakMebibytes: Double { (peakBytes / 1_048_576 * 10).rounded() / 10 }

  private static var peakBytes: Double {
    #if os(Linux)
      // The maximum of getrusage begins with the size of the parent process.
      if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
      {
        return kibibytes * 1_024
      }
      return Double(usage().ru_maxrss) * 1_024
    #else
      return Double(usage().ru_maxrss)
    #endif
  }

  private static func usage() -> rusage {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
