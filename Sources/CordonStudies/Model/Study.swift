package import CordonCore

/// A study: what it is for, what it asks of its participants, and by which rules it treats them.
package struct Study: Hashable, Sendable {
  /// Whether people can enrol.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Researchers still write it; nobody can enrol.
    case draft
    /// People can enrol between its dates.
    case open
    /// Nobody can enrol any more; participants go on until its end.
    case closed
  }

  /// The code.
  package var code: StudyCode
  /// The title, for participants.
  package var title: String
  /// The subject of the study, for participants.
  package var summary: String
  /// Whether people can enrol.
  package var state: State
  /// The first instant of the study.
  package var begins: Instant
  /// The end of the study; nothing later is taken.
  package var ends: Instant
  /// The requirements for participants, such as an age or a phone.
  package var requirements: [String]
  /// The purposes of the data.
  package var purposes: [String]
  /// The versions of the consent text, oldest first.
  package var consents: [ConsentText]
  /// The time for which data are kept after the end.
  package var retention: TimeSpan
  /// The maximum number of participants at once.
  package var maximumParticipants: Int
  /// Whether the study's code is enough to enrol; otherwise an invitation is needed.
  package var opensByCode: Bool
  /// The rules of reminders.
  package var reminders: ReminderRules
  /// The rules of rewards; `nil` for no rewards.
  package var rewards: RewardRules?

  /// Creates a study with the default rules.
  package init(
    code: StudyCode, title: String, summary: String = "", state: State = .draft, begins: Instant, ends: Instant,
    consents: [ConsentText] = []
  ) {
    self.code = code
    self.title = title
    self.summary = summary
    self.state = state
    self.begins = begins
    self.ends = ends
    requirements = []
    purposes = []
    self.consents = consents
    retention = .days(365)
    maximumParticipants = 10_000
    opensByCode = true
    reminders = ReminderRules()
    rewards = nil
  }

  /// The valid version of the consent text; `nil` without one.
  package var consent: ConsentText? { consents.last }

  /// The time at which all data of participants are deleted.
  package var expires: Instant { ends + retention }
}

/// A version of the text to which participants consent.
package struct ConsentText: Hashable, Sendable {
  /// The number of the version, from 1; later versions have greater numbers.
  package var version: Int
  /// The text in each language, by tags such as `en`.
  package var texts: [Text]

  /// The text in a language.
  package struct Text: Hashable, Sendable {
    /// The tag of the language.
    package var language: String
    /// The text.
    package var text: String

    /// Creates a text.
    package init(_ language: String, _ text: String) {
      self.language = language
      self.text = text
    }
  }

  /// Creates a version.
  package init(version: Int, texts: [Text]) {
    self.version = version
    self.texts = texts
  }

  /// Returns the text in a language, or else in the first one.
  package func text(in language: String) -> String {
    (texts.first { $0.language == language } ?? texts.first)?.text ?? ""
  }
}
