import CordonCollection
import CordonCore
import CordonForms
import CordonIngest
import CordonServer
import CordonSupport
import CordonWire

/// The forms of the demo: a screening at the door, a case interview, and records of a common virus in a clinic, of nobody.
enum DemoForms {
  /// Publishes the forms at a venue, with records of three weeks.
  static func fill(_ folder: DataFolder, venue: VenueID, seed: UInt64, now: Instant) throws {
    let store = try SQLiteFormStore(path: folder.formsPath)
    for document in [screening, interview, viruses] {
      let form = try Form(document: Array(document.utf8))
      try store.save(
        StoredForm(
          form: form.id, version: form.version, venue: venue, isForDevices: form.id == "screening",
          isAtCheckIn: form.id == "screening", created: now - .days(30), creator: "demo",
          document: Array(form.json.text().utf8)))
    }
    var random = RandomStream(seed: seed, stream: 77, entity: 1)
    try store.transaction { () throws(StoreFault) in
      for number in 0..<240 {
        let time = now - .minutes(Int64(random.nextIndex(below: 21 * 24 * 60)))
        let revision = FormRevision(
          record: record(number), form: "viruses", version: 1, parents: [], device: "clinic-\(number % 4)", time: time,
          answers: answers(number, &random))
        _ = try store.add(
          FormEntry(
            form: "viruses", record: revision.record, id: revision.id, device: revision.device, received: now,
            body: Array(revision.json.text().utf8)))
      }
    }
  }

  private static func record(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private static func answers(_ number: Int, _ random: inout RandomStream) -> JSONValue {
    let names = ["influenza", "RSV", "rhinovirus", "norovirus", "SARS-CoV-2", "adenovirus", "measles"]
    let states = ["ill", "recovered", "recovered", "hospital"]
    return [
      "clinic": .string(["north", "east", "south", "west"][number % 4]),
      "virus": .string(names[min(random.nextIndex(below: 7), random.nextIndex(below: 7))]),
      "age": .integer(Int64(random.nextIndex(below: 90))),
      "symptoms": .array(["fever", "cough", "fatigue"].filter { _ in random.nextUnit() < 0.5 }.map(JSONValue.string)),
      "vaccinated": .bool(random.nextUnit() < 0.4), "state": .string(states[random.nextIndex(below: 4)]),
    ]
  }

  private static let screening = """
    {"form": "screening", "version": 1, "title": "Screening at the door", "items": [
    {"name": "symptoms", "type": "choices", "label": "Symptoms today", "options": ["fever", "cough", "sore throat"]},
    {"name": "since", "type": "date", "label": "Since", "max": "today", "required": true, "show_if": "count(symptoms) > 0"},
    {"name": "contact", "type": "toggle", "label": "Contact with a person who is ill", "required": true}]}
    """

  private static let interview = """
    {"form": "interview", "version": 1, "title": "Case interview", "items": [
    {"name": "case", "type": "text", "label": "Label of the case", "max_length": 80, "required": true},
    {"name": "onset", "type": "date", "label": "First day with symptoms", "max": "today"},
    {"group": "places", "label": "Places", "repeat": {"max": 20}, "items": [
    {"name": "room", "type": "place", "label": "Room", "required": true},
    {"name": "minutes", "type": "integer", "label": "Minutes", "min": 1, "max": 1440}]},
    {"name": "minutes_in_all", "type": "integer", "label": "Minutes in all", "calculate": "sum(places.minutes)"}]}
    """

  private static let viruses = """
    {"form": "viruses", "version": 1, "title": "Common viruses", "items": [
    {"name": "clinic", "type": "choice", "label": "Clinic", "required": true, "options": ["north", "east", "south", "west"]},
    {"name": "virus", "type": "choice", "label": "Virus", "required": true,
    "options": ["influenza", "RSV", "rhinovirus", "norovirus", "SARS-CoV-2", "adenovirus", "measles"]},
    {"name": "age", "type": "integer", "label": "Age", "unit": "a", "min": 0, "max": 120},
    {"name": "symptoms", "type": "choices", "label": "Symptoms", "options": ["fever", "cough", "fatigue"]},
    {"name": "vaccinated", "type": "toggle", "label": "Vaccinated"},
    {"name": "state", "type": "choice", "label": "State", "required": true, "options": ["ill", "recovered", "hospital"]}]}
    """
}
