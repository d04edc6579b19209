internal import CordonConsole
internal import CordonCore
internal import Foundation

extension ServerCheck {
  /// Compares the clock with the latest position, and asks the system whether it is synchronized.
  /// - Parameter latest: the time of the latest position of the store, if there is one.
  func clockFindings(latest: Instant?, isSynchronized: Bool? = Self.isSynchronized) -> [DiagnosisFinding] {
    var findings: [DiagnosisFinding] = []
    if let latest, latest > now + settings.ingest.futureTolerance {
      findings.append(
        DiagnosisFinding(
          .failure, "clock", "behind", "The clock shows \(now.rfc3339), \(latest - now) before the latest position.",
          remedy: "Correct the clock (NTP). Until then rows are refused or sent again."))
    }
    if isSynchronized == false {
      findings.append(
        DiagnosisFinding(
          .warning, "clock", "not-synchronized", "The system reports that no time server corrects the clock.",
          remedy: "Install chrony or start systemd-timesyncd. A container shares the clock of its host: check it there."
        ))
    }
    if findings.isEmpty {
      let source = isSynchronized == nil ? "" : ", and is synchronized"
      findings.append(DiagnosisFinding(.ok, "clock", "clock", "The clock shows \(now.rfc3339)\(source)."))
    }
    return findings
  }

  /// Whether the system's clock is disciplined by a time server; `nil` where the system does not report it.
  static var isSynchronized: Bool? {
    #if canImport(Glibc)
      // adjtimex(2) with modes 0 only reads. Its structure `timex`, which Glibc's module leaves out, has at most 208 bytes.
      guard let symbol = dlsym(nil, "adjtimex") else { return nil }
      let adjtimex = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> Int32).self)
      var timex = [UInt64](repeating: 0, count: 64)
      let state = timex.withUnsafeMutableBytes { bytes in bytes.baseAddress.map(adjtimex) ?? -1 }
      // TIME_ERROR: the clock is not synchronized.
      return state < 0 ? nil : state != 5
    #else
      return nil
    #endif
  }
}
