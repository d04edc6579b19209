internal import CordonConsole
internal import CordonCore
internal import NIOSSL

extension ServerCheck {
  /// The time before the end of a certificate from which it is reported.
  static let certificateNotice = TimeSpan.days(14)

  /// Checks that certificate and key belong together, and when each certificate of the chain begins and ends.
  func certificateFindings() -> [DiagnosisFinding] {
    guard let (chain, key) = settings.certificate else {
      guard !settings.lacksTLS else { return [] }
      let sentence = settings.isBehindProxy ? "A proxy ends TLS." : "The server listens on loopback without TLS."
      return [DiagnosisFinding(.ok, "certificates", "no-certificate", sentence)]
    }
    var findings = Self.fault("certificates", "open-key") { try DataFolder.checkMode(ofSecret: key) }
    do {
      _ = try Certificates(certificate: chain, key: key)
      findings += Self.validity(of: Self.certificateTimes(of: chain) ?? [], in: chain, now: now)
    } catch {
      findings.append(
        DiagnosisFinding(
          .failure, "certificates", "certificate", "\(error).",
          remedy: "Name the chain and its key, PEM files that the user of the server can read."))
    }
    return findings
  }

  /// The beginnings and ends of the certificates of a PEM file; `nil` for a file that cannot be read.
  static func certificateTimes(of file: String) -> [(begin: Instant, end: Instant)]? {
    try? NIOSSLCertificate.fromPEMFile(file).map { certificate in
      (
        begin: Instant(milliseconds: Int64(certificate.notValidBefore) * 1_000),
        end: Instant(milliseconds: Int64(certificate.notValidAfter) * 1_000)
      )
    }
  }

  /// A time without the parts that nobody needs: whole hours, or whole minutes below one hour.
  private static func rounded(_ span: TimeSpan) -> TimeSpan {
    let unit = span >= .hours(1) ? TimeSpan.hours(1) : .minutes(1)
    return TimeSpan(milliseconds: span.milliseconds / unit.milliseconds * unit.milliseconds)
  }

  /// The findings of the times of a chain of certificates.
  static func validity(
    of chain: [(begin: Instant, end: Instant)], in file: String, now: Instant
  ) -> [DiagnosisFinding] {
    var findings: [DiagnosisFinding] = []
    for (index, times) in chain.enumerated() {
      let name = index == 0 ? "The certificate" : "Certificate \(index + 1) of the chain"
      func add(_ level: DiagnosisFinding.Level, _ code: String, _ sentence: String, _ remedy: String) {
        findings.append(DiagnosisFinding(level, "certificates", code, "\(file): \(sentence)", remedy: remedy))
      }
      let renewal = "Renew it, then reload the server (SIGHUP)."
      if now >= times.end {
        add(.failure, "expired", "\(name) ended on \(times.end.rfc3339).", renewal)
      } else if now < times.begin {
        add(.failure, "not-yet", "\(name) begins on \(times.begin.rfc3339).", "Check the clock of this machine.")
      } else if times.end - now < certificateNotice {
        add(.warning, "expires-soon", "\(name) ends in \(rounded(times.end - now)).", renewal)
      }
    }
    if findings.isEmpty, let end = chain.map(\.end).min() {
      findings.append(
        DiagnosisFinding(.ok, "certificates", "certificate", "\(file): the chain is valid until \(end.rfc3339)."))
    }
    return findings
  }
}
