import ArgumentParser
import CordonCommandLine
import CordonContacts
import CordonCore

/// How contacts are found.
struct FinderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The contact distance, inclusive. (default: 2m, or that of the run)",
      valueName: "metres"))
  var distance: DistanceArgument?

  @Option(
    help: ArgumentHelp(
      "Whether devices on unknown floors can meet: flagged (yes, and the row has no floor) or never.", valueName: "rule"
    ))
  var unknownFloors = ChoiceArgument(ContactFinder.UnknownFloors.flagged)

  @Option(help: ArgumentHelp("The maximum number of threads; the result does not depend on it.", valueName: "count"))
  var threads = 1

  @Option(
    help: ArgumentHelp(
      "The length of the slabs of time that are computed one after the other. (default: by the number of points)",
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
