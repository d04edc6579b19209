import Foundation

/// The most memory that this process has held, bytes; 0 when the system does not say.
public func peakBytes() -> Double {
  #if os(Linux)
    // What getrusage tells begins with the size of whoever started the process.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split { !$0.isNumber }.first.flatMap { Double($0) } ?? 0) * 1_024
  #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Double(usage.ru_maxrss)
  #endif
}
