import CordonRun
import CordonSimulator

/// Differences between runs that a comparison of their figures does not show.
enum RunNotes {
  /// Returns a note for each parameter or map in which a run differs from the first one, and for partial runs.
  static func list(_ sides: [(name: String, run: RunReader)]) throws -> [String] {
    guard let base = sides.first else { return [] }
    let (first, venue) = (try base.run.parameters(), try base.run.venue())
    return try sides.enumerated().flatMap { index, side -> [String] in
      let letter = ComparisonSide.letter(index)
      let partial = try side.run.isPartial() ? ["\(letter) was interrupted, and covers only a part of its time"] : []
      guard index > 0 else { return partial }
      let own = try side.run.parameters()
      var notes = partial
      if try side.run.venue().contentHash != venue.contentHash {
        notes.append("\(letter) has another map, or other policies for it, than A")
      }
      for (what, isSame) in [
        ("length", own.duration == first.duration), ("contact distance", own.contactDistance == first.contactDistance),
        ("contact duration that triggers a warning", own.warningThreshold == first.warningThreshold),
        ("width of a bin of occupancy", own.occupancyBin == first.occupancyBin),
      ] where !isSame {
        notes.append("\(letter) has another \(what) than A")
      }
      return notes
    }
  }
}
