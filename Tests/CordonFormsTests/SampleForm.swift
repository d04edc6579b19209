import CordonForms
import CordonSupport

/// A form with every type, conditions, a formula and a group that repeats.
enum SampleForm {
  static let document = """
    {
      "form": "clinic-visit", "version": 2, "languages": ["en", "de"],
      "title": {"en": "Visit of a clinic", "de": "Besuch einer Klinik"},
      "items": [
        {"name": "temperature", "type": "number", "label": {"en": "Temperature", "de": "Temperatur"}, "unit": "°C",
         "min": 30, "max": 45, "required": true},
        {"name": "symptoms", "type": "choices", "options": [{"value": "cough", "label": {"en": "Cough", "de": "Husten"}},
         "fever", "headache"]},
        {"name": "since", "type": "date", "max": "today", "required": true, "show_if": "count(symptoms) > 0"},
        {"name": "sick_days", "type": "integer", "calculate": "days(since, today())"},
        {"name": "pain", "type": "scale", "min": 0, "max": 10, "default": 0},
        {"name": "vaccinated", "type": "toggle"},
        {"name": "clinic", "type": "choice", "options": ["north", "south", "east", "west"], "required": true},
        {"name": "room", "type": "place"},
        {"name": "wound", "type": "photo", "show_if": "pain >= 5 and not contains(symptoms, 'cough')"},
        {"name": "remark", "type": "long_text", "max_length": 200},
        {"name": "reference", "type": "text", "was": "case_number", "max_length": 20},
        {"group": "contacts", "label": "People met", "repeat": {"min": 0, "max": 3}, "items": [
          {"name": "minutes", "type": "integer", "min": 1, "max": 1440, "required": true},
          {"name": "mask", "type": "toggle", "show_if": "minutes > 15"}
        ]},
        {"name": "total_minutes", "type": "integer", "calculate": "sum(contacts.minutes)"}
      ]
    }
    """

  static func form() throws -> Form { try Form(document: Array(document.utf8)) }

  static let today = FormDate(days: 20_485)

  static let answers: JSONValue = [
    "temperature": 38.5, "symptoms": ["headache", "fever"], "since": "2026-01-28", "pain": 6, "vaccinated": true,
    "clinic": "north", "room": ["space": "room-12"], "remark": "two lines\nof text",
    "wound": [
      "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "type": "image/jpeg", "bytes": 1200,
    ],
    "contacts": [["minutes": 20, "mask": false], ["minutes": 5]],
  ]
}

extension JSONValue {
  /// The object with another value for a key; `nil` removes the key.
  func with(_ key: String, _ value: JSONValue?) -> JSONValue {
    var members = (members ?? []).filter { $0.key != key }
    if let value { members.append(.init(key, value)) }
    return .object(members)
  }
}
