internal import CordonCore
package import CordonSupport

extension Study {
  private static let keys = [
    "code", "title", "summary", "state", "begins", "ends", "requirements", "purposes", "consents", "retention_days",
    "maximum_participants", "opens_by_code", "reminders", "rewards",
  ]

  /// The document of the study. The same study is the same bytes.
  package var json: JSONValue {
    [
      "code": .string(code.rawValue), "title": .string(title), "summary": .string(summary),
      "state": .string(state.rawValue), "begins": .string(begins.rfc3339), "ends": .string(ends.rfc3339),
      "requirements": .array(requirements.map(JSONValue.string)), "purposes": .array(purposes.map(JSONValue.string)),
      "consents": .array(
        consents.map { consent in
          [
            "version": .integer(Int64(consent.version)),
            "texts": .object(consent.texts.map { .init($0.language, .string($0.text)) }),
          ]
        }), "retention_days": .integer(retention.milliseconds / 86_400_000),
      "maximum_participants": .integer(Int64(maximumParticipants)), "opens_by_code": .bool(opensByCode),
      "reminders": reminders.json, "rewards": rewards?.json ?? .null,
    ]
  }

  /// Reads a document.
  package init(_ body: [UInt8]) throws(StudyError) {
    try self.init(StudyFields(body: body))
  }

  init(_ fields: StudyFields) throws(StudyError) {
    try fields.only(Self.keys)
    guard let code = StudyCode(try fields.text("code", 3...32)) else {
      throw StudyError(.badField, "3 to 32 lower-case letters, digits and '-', not 'join' or 'me'", field: "code")
    }
    guard let state = State(rawValue: try fields.optionalText("state", 0...20) ?? "draft") else {
      throw StudyError(.badField, "one of draft, open, closed", field: "state")
    }
    self.init(
      code: code, title: try fields.text("title", 1...200),
      summary: try fields.optionalText("summary", 0...5_000) ?? "",
      state: state, begins: try fields.time("begins"), ends: try fields.time("ends"))
    guard ends > begins, ends - begins <= .days(3_653) else {
      throw StudyError(.badField, "after the beginning, and at most ten years later", field: "ends")
    }
    requirements = try fields.texts("requirements")
    purposes = try fields.texts("purposes")
    for entry in try fields.list("consents") {
      try entry.only(["version", "texts"])
      let version = Int(try entry.integer("version", 1...10_000))
      guard version > consents.last?.version ?? 0 else {
        throw StudyError(.badField, "versions grow", field: entry.place("version"))
      }
      let texts = try entry.object("texts")
      let list = try texts.names.map { name throws(StudyError) in
        ConsentText.Text(name, try texts.text(name, 1...50_000))
      }
      guard !list.isEmpty, list.allSatisfy({ (2...8).contains($0.language.utf8.count) }) else {
        throw StudyError(.badField, "at least one language, such as en", field: entry.place("texts"))
      }
      consents.append(ConsentText(version: version, texts: list))
    }
    retention = .days(try fields.optionalInteger("retention_days", 0...36_500) ?? 365)
    maximumParticipants = Int(try fields.optionalInteger("maximum_participants", 1...1_000_000) ?? 10_000)
    opensByCode = try fields.optionalFlag("opens_by_code") ?? true
    if let rules = try fields.optionalObject("reminders") { reminders = try ReminderRules(rules) }
    if let rules = try fields.optionalObject("rewards") { rewards = try RewardRules(rules) }
    guard state == .draft || !consents.isEmpty else {
      throw StudyError(.badField, "a study that is not a draft needs a consent text", field: "consents")
    }
  }
}
