package import CordonCore
package import CordonPresence
package import CordonSupport

/// The quality of the data of a study, as JSON and as CSV.
package struct QualityReport: Sendable {
  /// A participant.
  package struct Row: Sendable {
    /// The pseudonym.
    package var participant: ParticipantID
    /// The state at present.
    package var phase: ParticipantState.Phase
    /// The quality.
    package var quality: ParticipantQuality
  }

  /// The study.
  package var study: StudyCode
  /// The participants by pseudonym.
  package var rows: [Row]

  /// The share of the expected time of all participants that is valid; `nil` when nothing was expected.
  package var coverage: Double? {
    let expected = rows.reduce(Int64(0)) { $0 + $1.quality.expected }
    return expected > 0 ? min(Double(rows.reduce(Int64(0)) { $0 + $1.quality.valid }) / Double(expected), 1) : nil
  }

  private static func share(_ value: Double?) -> JSONValue { JSONValue(value.map { ($0 * 1_000).rounded() / 1_000 }) }
  private static func metres(_ value: Double?) -> JSONValue { JSONValue(value.map { ($0 * 10).rounded() / 10 }) }

  /// Number, mean and quartiles of accuracy radii. Of several spans the one with most radii is shown.
  private static func accuracy(_ list: [AccuracyStatistics]) -> JSONValue {
    guard let statistics = list.max(by: { $0.count < $1.count }) else { return .null }
    return [
      "count": .integer(Int64(list.reduce(0) { $0 + $1.count })), "mean_m": metres(statistics.mean),
      "p25_m": metres(statistics.quantile(0.25)), "median_m": metres(statistics.quantile(0.5)),
      "p75_m": metres(statistics.quantile(0.75)),
    ]
  }

  /// The document `cordon.study-quality/1`.
  package var json: JSONValue {
    let list = rows.map { row -> JSONValue in
      let quality = row.quality
      return [
        "participant": .string(row.participant.rawValue), "state": .string(row.phase.rawValue),
        "valid_minutes": .integer(quality.valid / 60_000), "expected_minutes": .integer(quality.expected / 60_000),
        "coverage": Self.share(quality.coverage),
        "positions": .object(
          StudyLocation.Quality.allCases.map { .init($0.rawValue, .integer(Int64(quality.qualities[$0] ?? 0))) }),
        "gaps": .integer(Int64(quality.gapCount)), "gaps_over_midnight": .integer(Int64(quality.gapsOverMidnight)),
        "longest_gap_minutes": .integer(quality.longestGap / 60_000), "indoors": Self.accuracy(quality.indoors),
        "outdoors": Self.accuracy(quality.outdoors),
        "days": .array(
          quality.days.map { day in
            [
              "date": .string(day.name), "valid_minutes": .integer(day.valid / 60_000),
              "expected_minutes": .integer(day.expected / 60_000), "positions": .integer(Int64(day.fixes)),
              "gaps": .integer(Int64(day.gaps)), "longest_gap_minutes": .integer(day.longestGap / 60_000),
              "distance_m": .integer(Int64(day.distance.rounded())),
            ]
          }),
      ]
    }
    return [
      "schema": "cordon.study-quality/1", "study": .string(study.rawValue), "coverage": Self.share(coverage),
      "participants": .array(list),
    ]
  }

  /// The days of all participants as CSV.
  package var csv: String {
    var text =
      "participant,date,valid_minutes,expected_minutes,coverage,positions,gaps,longest_gap_minutes,distance_m\r\n"
    for row in rows {
      for day in row.quality.days {
        let share = day.expected > 0 ? min(Double(day.valid) / Double(day.expected), 1) : 0
        text +=
          [
            row.participant.rawValue, day.name, String(day.valid / 60_000), String(day.expected / 60_000),
            JSONValue.number((share * 1_000).rounded() / 1_000).text(), String(day.fixes), String(day.gaps),
            String(day.longestGap / 60_000), String(Int64(day.distance.rounded())),
          ].joined(separator: ",") + "\r\n"
      }
    }
    return text
  }
}

extension StudyService {
  /// Computes the quality of all data of a study.
  package func quality(
    of code: StudyCode, now: Instant, buildings: BuildingMap? = nil
  ) throws(StudyError) -> QualityReport {
    let study = try study(code)
    var rows: [QualityReport.Row] = []
    for participant in try store.participants(of: code) {
      rows.append(
        QualityReport.Row(
          participant: participant.id, phase: try state(of: participant).phase,
          quality: try presence(of: participant, study, now: now, buildings: buildings)))
    }
    return QualityReport(study: code, rows: rows)
  }
}
