#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// CPU seconds (user and system) that this process has used.
public func cpuSeconds() -> Double {
  var usage = rusage()
  // 0 is RUSAGE_SELF everywhere; the constant's type differs between platforms.
  getrusage(0, &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Runs `body` `runs` times and returns the CPU seconds of the fastest and of the median run.
public func measure(runs: Int = 7, _ body: () -> Void) -> (fastest: Double, median: Double) {
  var seconds: [Double] = []
  for _ in 0..<max(runs, 1) {
    let start = cpuSeconds()
    body()
    seconds.append(cpuSeconds() - start)
  }
  seconds.sort()
  return (seconds[0], seconds[seconds.count / 2])
}
