import ArgumentParser
import CordonCore
import CordonExchange
import CordonSupport

/// The command `cordon trace fuzz`.
struct TraceFuzzCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz",
    abstract: "Add the faults of receivers and networks to a trace.",
    discussion: """
      Example:

        cordon trace fuzz walk.gpx --rate 0.2 --seed 7 -o spoilt.gpx

      Points are dropped, repeated, swapped, moved far away, delayed or dated in the future, or lose accuracy and floor. The \
      same seed gives the same faults.
      """)

  @Argument(help: "The trace, or - for standard input.")
  var path: String

  @OptionGroup(title: "Input") var reading: TraceReading
  @OptionGroup(title: "Input") var venue: TraceVenue

  /// The faults.
  struct FaultOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The share of points with a fault, 0 to 1.", valueName: "share"))
    var rate = 0.1

    @Option(help: "The seed of the faults.")
    var seed: UInt64 = 1

    func validate() throws {
      guard rate.isFinite, (0...1).contains(rate) else { throw ValidationError("--rate must be from 0 to 1") }
    }
  }

  @OptionGroup(title: "Faults") var faultOptions: FaultOptions

  @OptionGroup(title: "Output") var selection: TraceSelection
  @OptionGroup(title: "Output") var output: TraceOutput

  func run() throws {
    let destination = try output.destination(inputs: [path] + [venue.path].compactMap(\.self))
    let source = try reading.read(path, floors: venue.floors())
    let (trace, faults) = TraceFuzzing(rate: faultOptions.rate, seed: faultOptions.seed).apply(to: source)
    let counts = TraceFuzzing.Fault.allCases.compactMap { fault in
      faults[fault].map { JSONValue.Member(fault.rawValue, .count($0)) }
    }
    try output.write(
      try selection.selected(trace), to: destination,
      command: ["cordon", "trace", "fuzz", source.name] + reading.words + venue.words + [
        "--rate", "\(faultOptions.rate)", "--seed", "\(faultOptions.seed)",
      ]
        + selection.words,
      schema: "cordon.trace-fuzz/1", more: [.init("faults", .object(counts))])
  }
}
