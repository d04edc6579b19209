import CordonCore

extension DurationRule {
  /// The forms of a delay in one line, for messages.
  package static let delayForms =
    "a duration (30s), lognormal:MEDIAN,SPREAD (lognormal:60s,0.4), uniform:MIN,MAX (uniform:10s,100s), or "
    + PreMovementPreset.allCases.map(\.rawValue).joined(separator: ", ")

  /// Reads a delay: `30s`, `lognormal:60s,0.4`, `uniform:10s,100s`, or the name of a ``PreMovementPreset``.
  /// - Returns: `nil` for other texts, and for durations that are negative or longer than a day.
  package init?(delay text: String) {
    if let preset = PreMovementPreset(rawValue: text) {
      self = preset.delay
      return
    }
    let limits = TimeSpan.zero...TimeSpan.days(1)
    func span(_ text: some StringProtocol) -> TimeSpan? {
      TimeSpan(parsing: String(text)).flatMap { limits.contains($0) ? $0 : nil }
    }
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else {
      guard let span = span(text) else { return nil }
      self = .fixed(span)
      return
    }
    let values = parts[1].split(separator: ",")
    guard values.count == 2, let first = span(values[0]) else { return nil }
    switch parts[0] {
    case "lognormal":
      guard let spread = Double(values[1]), (0...3).contains(spread), first > .zero else { return nil }
      self.init(.logNormal(median: first.seconds, spread: spread), minimum: .milliseconds(1), maximum: .days(1))
    case "uniform":
      guard let last = span(values[1]), last >= first else { return nil }
      self.init(.uniform, minimum: first, maximum: last)
    default: return nil
    }
  }
}
