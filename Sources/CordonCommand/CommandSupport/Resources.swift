import Foundation

/// What the process has used so far.
enum ProcessResources {
  /// User and system time of all threads, seconds.
  static var cpuSeconds: Double {
    let usage = usage()
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// The largest resident size, MiB.
  static var peakMebibytes: Double {
    #if os(Linux)
      let bytesPerUnit = 1_024.0
    #else
      let bytesPerUnit = 1.0
    #endif
    return (Double(usage().ru_maxrss) * bytesPerUnit / 1_048_576 * 10).rounded() / 10
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
