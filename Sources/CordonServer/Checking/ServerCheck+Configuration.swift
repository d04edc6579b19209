internal import CordonConsole
internal import CordonCore

extension ServerCheck {
  /// Checks what the settings say together: folders, TLS, proxies, limits of the system.
  func configurationFindings() -> [DiagnosisFinding] {
    let subject = "configuration"
    var findings: [DiagnosisFinding] = []
    func add(_ level: DiagnosisFinding.Level, _ code: String, _ sentence: String, _ remedy: String) {
      findings.append(DiagnosisFinding(level, subject, code, sentence, remedy: remedy))
    }
    if files.data == nil { add(.failure, "no-data", "No data folder is named.", "Set 'data', or give --data.") }
    if files.venues == nil {
      add(.failure, "no-venues", "No folder of venue bundles is named.", "Set 'venues', or give --venues.")
    }
    if (files.certificate == nil) != (files.key == nil) {
      add(
        .failure, "half-certificate", "A certificate needs its key, and a key needs its certificate.",
        "Set both 'certificate' and 'key', or neither.")
    } else if settings.lacksTLS {
      add(
        .failure, "no-tls", "The server listens on \(settings.host) without TLS, so it does not start.",
        "Set 'certificate' and 'key', or 'behind-proxy = yes' where a proxy ends TLS.")
    }
    if settings.distrustsProxy {
      add(
        .warning, "proxy", "X-Forwarded-For is trusted from this machine only.",
        "Name the addresses of a proxy on another machine in 'trusted-proxies'.")
    }
    if let config = files.config, hasSecrets {
      findings += Self.fault("configuration", "open-secret") { try DataFolder.checkMode(ofSecret: config) }
    }
    do {
      if settings.studies.isOn { _ = try settings.studies.payments() }
    } catch {
      add(
        .failure, "no-payments", "Payments of studies cannot be signed: \(error).",
        "Correct the settings 'study-chain-...', or install what is missing.")
    }
    let wanted = settings.maximumConnections + 200
    if let limit = FileLimit.maximum, limit < wanted {
      add(
        .warning, "file-limit",
        "A process may open \(limit) files, and \(settings.maximumConnections) connections need \(wanted).",
        "Raise LimitNOFILE of the service (ulimit -n), or lower 'maximum-connections'.")
    }
    if findings.isEmpty {
      findings.append(
        DiagnosisFinding(
          .ok, subject, "configuration", "The server listens on \(settings.host), port \(settings.port)."))
    }
    return findings
  }

  /// Returns the finding of a mode that lets others in; the fault names the command that mends it.
  static func fault(_ subject: String, _ code: String, _ check: () throws -> Void) -> [DiagnosisFinding] {
    do {
      try check()
      return []
    } catch {
      let parts = "\(error)".split(separator: "; run ", maxSplits: 1)
      let remedy = parts.count == 2 ? "Run \(parts[1])." : "Check the owner and the mode of the file."
      return [DiagnosisFinding(.failure, subject, code, "\(parts.first ?? "").", remedy: remedy)]
    }
  }
}
