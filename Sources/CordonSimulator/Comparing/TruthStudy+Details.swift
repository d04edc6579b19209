import CordonContacts
import CordonCore
import CordonCrowd
import CordonRun
import CordonVenues

extension TruthStudy {
  /// One figure of a run.
  package struct Figure: Hashable, Sendable {
    /// A stable name with its unit, such as `peak_people`; for a place with it in brackets.
    package var name: String
    /// A title for readers, such as `most people at one time`.
    package var title: String
    /// The value, in the unit that the name states.
    package var value: Double
    /// The part of the building.
    package var part = FigurePart.building
    /// The words for a difference.
    package var wording = FigureWording.count
    /// The position of the place among those of its part, so that a place keeps it where nobody was in it.
    var place = 0
    /// Whether a run in which nobody was in the place has the value 0, rather than none.
    var isZeroWhenAbsent = true

    /// The names of figures that are quantities, apart from minutes.
    private static let amounts: Set = ["person_hours", "minimum_m2_per_person", "contact_minutes_per_person"]

    /// Creates a figure whose wording follows from its unit.
    /// - Parameters:
    ///   - name: a stable name with its unit, and the place in brackets.
    ///   - title: a title for readers.
    ///   - value: the value.
    ///   - part: the part of the building.
    ///   - place: the position of the place among those of its part.
    init(name: String, title: String, value: Double, part: FigurePart = .building, place: Int = 0) {
      self.name = name
      self.title = title
      self.value = value
      self.part = part
      self.place = place
      let unit = name.prefix { $0 != "[" }
      if Self.amounts.contains(String(unit)) || unit.hasPrefix("minutes_") || unit.hasPrefix("air_") {
        wording = .amount
      } else if unit.hasSuffix("_s") {
        wording = .duration
      }
      isZeroWhenAbsent = unit != "mean_visit_s" && !unit.hasPrefix("minutes_over_capacity") && !unit.hasPrefix("air_")
    }
  }

  /// Returns the figures of a group; the name of the group is part of theirs.
  static func groupFigures(_ group: RunOutcome.Group, in venue: RunVenue) -> [Figure] {
    let name = venue.groups[group.number].name
    func figure(_ key: String, _ title: String, _ value: Double) -> Figure {
      Figure(name: "\(key)[\(name)]", title: "\(name): \(title)", value: value, part: .group, place: group.number)
    }
    let row = group.presence
    return [
      figure("mean_people", "mean number of people", row.mean),
      figure("p95_people", "95 % quantile of the number of people", row.p95),
      figure("peak_people", "maximum number of people", Double(row.peak)),
    ] + minutesOverCapacity(row).map { figure($0.key, $0.words, $0.value) }
      + [
        figure("visits", "visits", Double(row.visits ?? 0)),
        figure("mean_visit_s", "mean length of a visit, seconds", row.meanVisit ?? 0),
        figure("mean_wait_s", "mean wait in queues, seconds", group.meanWait ?? 0),
      ]
  }

  /// Returns the figures of spaces with anybody in them.
  static func spaceFigures(_ rows: [RunOutcome.Place], in venue: RunVenue) -> [Figure] {
    let titles = venue.distinctTitles
    return rows.filter { $0.source == .truth && venue.spaces.indices.contains(Int($0.space)) }.flatMap { row in
      let space = Int(row.space)
      let id = venue.spaces[space].id.rawValue
      func figure(_ key: String, _ words: String, _ value: Double?) -> Figure? {
        value.map {
          Figure(name: "\(key)[\(id)]", title: "\(titles[space]): \(words)", value: $0, part: .space, place: space)
        }
      }
      return [
        figure("mean_people", "mean number of people", row.mean),
        figure("peak_people", "maximum number of people", Double(row.peak)),
      ].compactMap(\.self) + minutesOverCapacity(row).compactMap { figure($0.key, $0.words, $0.value) }
        + [
          figure("visits", "visits", row.visits.map(Double.init)),
          figure("mean_visit_s", "mean length of a visit, seconds", row.meanVisit),
        ].compactMap(\.self)
    }
  }

  /// Returns the minutes above the capacity, in all and by reason; nothing without a capacity.
  private static func minutesOverCapacity(
    _ row: RunOutcome.Place
  ) -> [(key: String, words: String, value: Double)] {
    let all: [(String, String, Double?)] = [
      ("minutes_over_capacity", "minutes above the capacity", row.minutesOverCapacity),
      (
        "minutes_over_capacity_staying", "minutes above the capacity because of people who stay",
        row.minutesOverCapacityStaying
      ),
      (
        "minutes_over_capacity_passing", "minutes above the capacity only because of people who pass",
        row.minutesOverCapacityPassing
      ),
    ]
    return all.compactMap { key, words, value in value.map { (key: key, words: words, value: $0) } }
  }

  /// Returns the figures of queues in which anybody waited.
  static func queueFigures(_ queues: [RunOutcome.Queue], in venue: RunVenue) -> [Figure] {
    let titles = venue.distinctTitles
    return queues.flatMap { queue in
      let isDesk = queue.kind == "desk"
      let name = queue.title(in: venue, titles: titles)
      let title = isDesk ? name : queue.kind == "room" ? "wait for \(name)" : name
      func figure(_ key: String, _ words: String, _ value: Double) -> Figure {
        Figure(
          name: "\(key)[\(queue.kind) \(queue.place)\(isDesk && !queue.name.isEmpty ? " \(queue.name)" : "")]",
          title: "\(title): \(words)", value: value, part: isDesk ? .desk : .queue)
      }
      return [
        figure("waited", "people who waited", Double(queue.served)),
        figure("longest_queue", "maximum number of people who wait", Double(queue.longest)),
        figure("mean_wait_s", "mean wait, seconds", queue.meanWait),
        figure("p95_wait_s", "95 % quantile of the wait, seconds", queue.p95Wait),
      ]
    }
  }
}
