import Foundation

/// The peak memory of this process in bytes; 0 when the system does not report it.
public func peakBytes() -> Double {
  #if os(Linux)
    // getrusage starts with the size of the parent process, so Linux reads the process's own status.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split { !$0.isNumber }.first.flatMap { Double($0) } ?? 0) * 1_024
  #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss)
  #endif
}
