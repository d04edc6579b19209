/// The contact tables of a run folder.
///
/// The database holds every contact with each of them.
package enum ContactFiles: String, Hashable, Sendable, CaseIterable {
  /// `contacts.csv` and `pairs.csv`.
  case all
  /// `pairs.csv` only.
  case pairs
  /// Neither of them.
  case none

  /// The maximum number of contacts in `contacts.csv` by default. Spreadsheets end at 1 048 576 rows.
  package static let maximumRows = 1_000_000

  /// Returns the default for a number of contacts: all of them up to ``maximumRows``, else pairs.
  package static func standard(contacts: Int) -> ContactFiles { contacts > maximumRows ? .pairs : .all }

  /// Returns a sentence about a file that the default left out; `nil` if it left out none.
  package static func note(contacts: Int) -> String? {
    guard standard(contacts: contacts) == .pairs else { return nil }
    return "contacts.csv is left out, because \(Quantity.grouped(contacts)) contacts are more than "
      + "\(Quantity.grouped(maximumRows)); pairs.csv and run.sqlite hold them, and --contacts all writes it"
  }
}
