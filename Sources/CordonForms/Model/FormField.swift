/// A question of a form.
package struct FormField: Hashable, Sendable {
  /// The name, unique in its group: lower-case letters, digits and `_`, beginning with a letter.
  package var name: String
  /// The name in an earlier version of the form; `nil` if it is the same.
  package var formerName: String?
  /// The type of the answer.
  package var kind: Kind
  /// The question.
  package var label: LocalizedText
  /// An explanation below the question.
  package var help: LocalizedText?
  /// Whether an answer is needed while the field is shown.
  package var isRequired: Bool
  /// The answer before the person has given one.
  package var defaultValue: AnswerValue?
  /// The unit of a number, such as `°C`.
  package var unit: String?
  /// The bounds of a number, a scale or a date.
  package var bounds: Bounds
  /// The maximum number of characters of a text.
  package var maximumLength: Int
  /// The options of a list.
  package var options: [Option]
  /// The condition under which the field is shown; `nil` for always.
  package var condition: FormExpression?
  /// The formula of a calculated field; `nil` if the person answers.
  package var formula: FormExpression?

  /// The types of answers.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// One line of text.
    case text
    /// Several lines of text.
    case longText = "long_text"
    /// A number.
    case number
    /// A whole number.
    case integer
    /// A day without a time.
    case date
    /// One of several options.
    case choice
    /// Any number of several options.
    case choices
    /// Yes or no.
    case toggle
    /// A whole number of a range, such as 0 to 10.
    case scale
    /// A reference to a photo: its SHA-256 and its size. The form never contains the photo.
    case photo
    /// A space of a venue, or a position.
    case place
  }

  /// One option of a list.
  package struct Option: Hashable, Sendable {
    /// The value that is stored.
    package var value: String
    /// The text that the person sees.
    package var label: LocalizedText
  }

  /// The bounds of an answer.
  package struct Bounds: Hashable, Sendable {
    /// The minimum of a number; `nil` without one.
    package var minimum: Double?
    /// The maximum of a number; `nil` without one.
    package var maximum: Double?
    /// The first and the last day; `nil` without one.
    package var earliest: Day?
    package var latest: Day?

    /// A day, or the day on which the form is answered.
    package enum Day: Hashable, Sendable {
      case date(FormDate)
      case today

      /// Returns the day itself.
      package func date(today: FormDate) -> FormDate { if case .date(let date) = self { date } else { today } }
    }

    /// Whether there is no bound.
    package var isEmpty: Bool { self == Bounds() }

    /// No bounds.
    package init() {}
  }
}

/// Fields that belong together, or that repeat for each of several things.
package struct FormGroup: Hashable, Sendable {
  /// The name, unique among its neighbours.
  package var name: String
  /// The title.
  package var label: LocalizedText
  /// The numbers of times that the group may be answered; `nil` for a group that does not repeat.
  package var repeats: ClosedRange<Int>?
  /// The condition under which the group is shown; `nil` for always.
  package var condition: FormExpression?
  /// The fields and groups in it.
  package var items: [FormItem]
}

/// A field or a group.
package indirect enum FormItem: Hashable, Sendable {
  case field(FormField)
  case group(FormGroup)

  /// The name of the field or group.
  package var name: String {
    switch self {
    case .field(let field): field.name
    case .group(let group): group.name
    }
  }
}

/// A form: what is asked, in which order, and which answers are valid.
package struct Form: Hashable, Sendable {
  /// The identifier: lower-case letters, digits, `_` and `-`.
  package var id: String
  /// The version, from 1.
  package var version: Int
  /// The languages, the default one first.
  package var languages: [String]
  /// The title.
  package var title: LocalizedText
  /// The fields and groups in their order.
  package var items: [FormItem]

  /// Maximum number of fields and groups.
  package static let maximumItems = 500
  /// Maximum number of options of a list.
  package static let maximumOptions = 2_000
  /// Maximum depth of groups in groups.
  package static let maximumDepth = 4
  /// Maximum number of times that a group repeats.
  package static let maximumRepeats = 200
  /// Maximum number of characters of a text.
  package static let maximumTextLength = 10_000
  /// Maximum size of a document in bytes.
  package static let maximumBytes = 1 << 20

  /// All fields, those of groups included, each with the names of its groups.
  package var allFields: [(groups: [String], field: FormField)] { Form.fields(of: items, in: []) }

  private static func fields(of items: [FormItem], in groups: [String]) -> [(groups: [String], field: FormField)] {
    items.flatMap { item -> [(groups: [String], field: FormField)] in
      switch item {
      case .field(let field): [(groups, field)]
      case .group(let group): fields(of: group.items, in: groups + [group.name])
      }
    }
  }
}
