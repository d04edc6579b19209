import CordonCore
import CordonSupport
import CordonYAML
import Foundation

extension ScenarioReader {
  /// Reads the appointments of a population.
  /// - Parameters:
  ///   - fields: the fields of `arrival`.
  ///   - steps: the steps of the population, in which clinics must be.
  ///   - clock: the clock of local times.
  func appointments(_ fields: YAMLFields, steps: [VisitStep], clock: ScenarioClock) throws -> AppointmentList? {
    guard let value = fields["appointments"] else {
      for key in ["early", "no_shows"] {
        if let other = fields[key] { throw other.fail("needs 'appointments'") }
      }
      return nil
    }
    let early = try fields["early"].map(duration)
    return AppointmentList(
      appointments: try rows(of: value, steps: steps, clock: clock),
      early: early ?? DurationRule(.uniform, minimum: .minutes(5), maximum: .minutes(20)),
      noShows: try fields["no_shows"]?.number(in: 0...1) ?? 0)
  }

  /// Reads the companions of a population.
  func companions(_ value: YAMLValue) throws -> Companions {
    let fields = try value.fields(["share", "number"])
    var number = 1...1
    if let value = fields["number"] {
      let bounds = try value.items.map { try $0.whole(in: 1...10) }
      guard let minimum = bounds.first, let maximum = bounds.last, bounds.count <= 2, minimum <= maximum else {
        throw value.fail("must be one number or two, such as [1, 2]")
      }
      number = minimum...maximum
    }
    return Companions(share: try fields.required("share").number(in: 0...1), number: number)
  }

  /// Reads a table with the columns `person`, `time` and `clinic`, in any order. Further columns are ignored.
  private func rows(
    of value: YAMLValue, steps: [VisitStep], clock: ScenarioClock
  ) throws -> [AppointmentList.Appointment] {
    let name = try value.text
    let text: String
    do {
      text = try readFile(name)
    } catch {
      throw value.fail("'\(name)' cannot be read")
    }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(Self.cells)
    guard let head = lines.first?.map({ $0.lowercased() }), let person = head.firstIndex(of: "person"),
      let time = head.firstIndex(of: "time")
    else {
      throw value.fail("'\(name)', line 1: needs a header with the columns person, time and clinic")
    }
    let clinic = head.firstIndex(of: "clinic")
    let known = steps.activityNames
    var appointments: [AppointmentList.Appointment] = []
    var days: [String: Int] = [:]
    for (index, cells) in lines.enumerated().dropFirst() where cells != [""] {
      func fault(_ message: String) -> any Error { value.fail("'\(name)', line \(index + 1): \(message)") }
      guard cells.count >= head.count else {
        throw fault("has \(cells.count) of \(head.count) columns")
      }
      guard !cells[person].isEmpty else { throw fault("needs a person") }
      guard let at = Self.time(cells[time], clock) else {
        throw fault("'\(cells[time])' is not a time such as 08:20, 2026-01-12T08:20 or RFC 3339")
      }
      let place = clinic.map { cells[$0] } ?? ""
      guard place.isEmpty || known.contains(place) else {
        throw fault(
          "the steps of the population do not include '\(place)'\(Suggestion.hint(for: place, among: known))")
      }
      var day = "\(cells[person])\u{1f}"
      if case .once(let time) = at { day += "\(clock.day(at: time).number)" }
      if let first = days.updateValue(index + 1, forKey: day) {
        throw fault("'\(cells[person])' has an appointment on the same day on line \(first)")
      }
      appointments.append(AppointmentList.Appointment(person: cells[person], time: at, clinic: place))
    }
    guard !appointments.isEmpty else { throw value.fail("'\(name)' has no appointments") }
    return appointments
  }

  private static func time(_ text: String, _ clock: ScenarioClock) -> AppointmentList.Appointment.Time? {
    if let time = ClockTime(text) { return .daily(time) }
    return localInstant(text, clock).map { .once($0) }
  }

  /// Splits a line into cells without surrounding blanks. A cell in quotes may contain commas; two quotes stand for one.
  private static func cells(_ line: some StringProtocol) -> [String] {
    var cells = [""]
    var isQuoted = false
    var last: Character?
    for character in line where character != "\u{feff}" {
      switch character {
      case "\"":
        if !isQuoted, last == "\"" { cells[cells.count - 1].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
      last = character
    }
    return cells.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
