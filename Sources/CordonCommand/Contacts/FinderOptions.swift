import ArgumentParser
import CordonContacts
import CordonCore

/// How contacts are found.
struct FinderOptions: ParsableArguments {
  @Option(help: "The contact distance in metres; the boundary belongs to it.")
  var distance = 2.0

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
    guard distance.isFinite, distance >= 0, distance <= 1e6 else {
      throw ValidationError("--distance must be a number of metres from 0 to 1000000")
    }
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads must be 1 to 1024") }
    if let slab, slab.span.milliseconds < 1 { throw ValidationError("--slab must be at least 1ms") }
  }

  var finder: ContactFinder {
    var finder = ContactFinder(distance: distance, unknownFloors: unknownFloors.value, threads: threads)
    finder.slab = slab?.span
    return finder
  }
}
