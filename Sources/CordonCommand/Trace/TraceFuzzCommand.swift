import ArgumentParser
import CordonCore
import CordonExchange
import CordonSupport

/// `cordon trace fuzz`
struct TraceFuzzCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz",
    abstract: "Spoil a recorded file the ways that receivers and networks do.",
    discussion: """
      Example:

        cordon trace fuzz walk.gpx --rate 0.2 --seed 7 -o spoilt.gpx

      Points are dropped, repeated, swapped, moved far away, told late or from the future, or lose accuracy and floor. The same \
      seed spoils alike.
      """)

  @Argument(help: "The recorded file, or - for standard input.")
  var path: String

  @OptionGroup var reading: TraceReading
  @OptionGroup var venue: TraceVenue

  @Option(help: "The part of points that meet a fault, 0 to 1.")
  var rate = 0.1

  @Option(help: "Decides everything.")
  var seed: UInt64 = 1

  @OptionGroup var selection: TraceSelection
  @OptionGroup var output: TraceOutput

  func validate() throws {
    guard rate.isFinite, (0...1).contains(rate) else { throw ValidationError("--rate must be from 0 to 1") }
  }

  func run() throws {
    let destination = try output.destination(inputs: [path] + [venue.path].compactMap(\.self))
    let source = try reading.read(path, floors: venue.floors())
    let (trace, faults) = TraceFuzzing(rate: rate, seed: seed).apply(to: source)
    let counts = TraceFuzzing.Fault.allCases.compactMap { fault in
      faults[fault].map { JSONValue.Member(fault.rawValue, .count($0)) }
    }
    try output.write(
      try selection.selected(trace), to: destination,
      command: ["cordon", "trace", "fuzz", source.name] + reading.words + venue.words + [
        "--rate", "\(rate)", "--seed", "\(seed)",
      ]
        + selection.words,
      schema: "cordon.trace-fuzz/1", more: [.init("faults", .object(counts))])
  }
}
