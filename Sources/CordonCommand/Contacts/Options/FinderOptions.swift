import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore

/// How contacts are found.
struct FinderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The contact distance; the boundary belongs to it. 2m by default, for a run what it was made with.",
      valueName: "metres"))
  var distance: DistanceArgument?

  @Option(
    help: """
      What to do when a floor is not known: flagged (the two may have met; the row has no floor) or never (they did \
      not).
      """)
  var unknownFloors = ChoiceArgument(ContactFinder.UnknownFloors.flagged)

  @Option(help: "How many threads to use. The answer does not depend on it.")
  var threads = 1

  @Option(
    help: ArgumentHelp(
      "The length of the slabs of time that are worked on one after the other; chosen by default.",
      valueName: "duration"))
  var slab: DurationArgument?

  func validate() throws {
    if let distance = distance?.metres, !(distance.isFinite && distance >= 0 && distance <= 1e6) {
      throw ValidationError("--distance must be from 0 to 1000000 metres")
    }
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads must be 1 to 1024") }
    if let slab, slab.span.milliseconds < 1 { throw ValidationError("--slab must be at least 1ms") }
  }

  /// The contact distance in metres: as asked, else the run's, else 2.
  func distance(in tracks: ContactTracks) -> Double { distance?.metres ?? tracks.runDistance ?? 2 }

  func finder(for tracks: ContactTracks) -> ContactFinder {
    var finder = ContactFinder(
      distance: distance(in: tracks), unknownFloors: unknownFloors.value, threads: threads)
    finder.slab = slab?.span
    return finder
  }
}
