package import CordonSupport

/// The answer to one field.
package enum AnswerValue: Hashable, Sendable {
  /// The answer of a text, a long text or a choice.
  case text(String)
  /// The answer of a number, an integer or a scale.
  case number(Double)
  /// The answer of a toggle.
  case truth(Bool)
  case date(FormDate)
  /// The selected options, in the order of the form.
  case choices([String])
  case place(FormPlace)
  case photo(FormPhoto)

  /// The answer as JSON, as ``FormValidation`` reads it.
  package var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .number(number)
    case .truth(let truth): .bool(truth)
    case .date(let date): .string(date.description)
    case .choices(let options): .array(options.map(JSONValue.string))
    case .place(let place): place.json
    case .photo(let photo):
      ["sha256": .string(photo.digest), "type": .string(photo.type), "bytes": .integer(Int64(photo.bytes))]
    }
  }
}

/// A place: a space of a venue, or a position.
package enum FormPlace: Hashable, Sendable {
  /// A space by its identifier.
  case space(String)
  /// Longitude and latitude in degrees, and the ordinal of the floor where it is known.
  case position(longitude: Double, latitude: Double, floor: Double?)

  var json: JSONValue {
    switch self {
    case .space(let id): return ["space": .string(id)]
    case .position(let longitude, let latitude, let floor):
      var members: [JSONValue.Member] = [.init("lon", .number(longitude)), .init("lat", .number(latitude))]
      if let floor { members.append(.init("floor", .number(floor))) }
      return .object(members)
    }
  }
}

/// A photo that is kept elsewhere.
package struct FormPhoto: Hashable, Sendable {
  /// The SHA-256 of its bytes, 64 hexadecimal digits.
  package var digest: String
  /// The media type, such as `image/jpeg`.
  package var type: String
  /// The number of bytes.
  package var bytes: Int
}

/// The answers of a form, or of one repetition of a group.
package struct FormAnswers: Hashable, Sendable {
  /// The answers by the name of the field.
  package var fields: [String: AnswerValue] = [:]
  /// The repetitions of each group by its name; a group that does not repeat has one.
  package var groups: [String: [FormAnswers]] = [:]

  /// No answers.
  package init() {}

  /// The answers as JSON: an object with the keys in ascending order, so that equal answers have equal bytes.
  package var json: JSONValue {
    var members = fields.map { JSONValue.Member($0.key, $0.value.json) }
    members += groups.map { JSONValue.Member($0.key, .array($0.value.map(\.json))) }
    return .object(members.sorted { $0.key < $1.key })
  }
}

/// One reason why answers are not valid.
package struct FormIssue: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the fault.
  package enum Code: String, Hashable, Sendable {
    /// A required field has no answer.
    case missing
    /// The answer has the wrong type.
    case type
    /// The answer is outside of its bounds.
    case range
    /// The answer is not one of the options.
    case option
    /// The text is too long.
    case length
    /// The group has too few or too many repetitions.
    case repeats
    /// The form has no such field or group.
    case unknown
    /// The field is calculated, or hidden by its condition.
    case unexpected
  }

  /// The kind of the fault.
  package var code: Code
  /// The place as a path of names, with numbers of repetitions from 0, such as `contacts[2].age`.
  package var path: String
  /// The expected value. The text never repeats the answer.
  package var message: String

  /// `contacts[2].age: is required`.
  package var description: String { "\(path): \(message)" }
}
