/// The figures of days that were computed before, so that late data update them and the update is visible.
///
/// A day is computed from all fixes of that day, whenever they arrived. When its figures differ from those known, its revision
/// grows by one. Days without any time outdoors or away are kept like all others.
package struct PresenceLedger: Hashable, Sendable {
  /// The figures of a day, in whole milliseconds and millimetres, and what became of them.
  package struct Entry: Hashable, Sendable {
    /// The figures.
    package struct Figures: Hashable, Sendable {
      package var fixes: Int
      package var home: Int64
      package var away: Int64
      package var covered: Int64
      package var outdoors: Int64
      package var indoors: Int64
      package var distance: Int64

      /// Creates figures.
      package init(
        fixes: Int, home: Int64, away: Int64, covered: Int64, outdoors: Int64, indoors: Int64, distance: Int64
      ) {
        self.fixes = fixes
        self.home = home
        self.away = away
        self.covered = covered
        self.outdoors = outdoors
        self.indoors = indoors
        self.distance = distance
      }
    }

    /// The date as `2026-01-31`.
    package var date: String
    /// The figures.
    package var figures: Figures
    /// How often later data changed the figures; 0 for those of the first time.
    package var revision: Int

    /// Creates an entry.
    package init(date: String, figures: Figures, revision: Int = 0) {
      self.date = date
      self.figures = figures
      self.revision = revision
    }
  }

  /// What became of a day.
  package struct Change: Hashable, Sendable {
    /// The number of times that later data changed the day.
    package var revision: Int
    /// Whether this time did.
    package var isUpdated: Bool
  }

  /// The entries by date.
  package private(set) var entries: [Entry]

  /// Creates a ledger from entries in any order.
  package init(_ entries: [Entry] = []) {
    self.entries = entries.sorted { $0.date < $1.date }
  }

  /// Takes computed days in. Known days that are not among them stay.
  /// - Returns: what became of each day, in the order given.
  package mutating func record(_ days: [PresenceDay]) -> [Change] {
    var places: [String: Int] = [:]
    for (place, entry) in entries.enumerated() { places[entry.date] = place }
    var changes: [Change] = []
    for day in days {
      let figures = day.figures
      if let place = places[day.name] {
        let isUpdated = entries[place].figures != figures
        if isUpdated {
          entries[place].figures = figures
          entries[place].revision += 1
        }
        changes.append(Change(revision: entries[place].revision, isUpdated: isUpdated))
      } else {
        places[day.name] = entries.count
        entries.append(Entry(date: day.name, figures: figures))
        changes.append(Change(revision: 0, isUpdated: false))
      }
    }
    entries.sort { $0.date < $1.date }
    return changes
  }
}

extension PresenceDay {
  /// The figures that a later computation is compared with.
  package var figures: PresenceLedger.Entry.Figures {
    func whole(_ value: Double) -> Int64 { Int64(value.rounded()) }
    return PresenceLedger.Entry.Figures(
      fixes: fixes, home: home, away: away, covered: covered, outdoors: whole(outdoors), indoors: whole(indoors),
      distance: whole(distance * 1_000))
  }
}
