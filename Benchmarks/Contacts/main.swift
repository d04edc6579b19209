import Foundation

// bench-contacts [--data FOLDER] [--meos PROGRAM] [--runs N] [--threads N] [--json] [WORKLOAD ...]
//
// Workloads: w1 w1a w2 w2a w3 (files of the peers' generator), probable, walls, stream, csv.

var options = BenchOptions(CommandLine.arguments.dropFirst())
var results: [BenchResult] = []
for name in options.workloads {
  do {
    results += try Bench.run(name, options)
  } catch {
    FileHandle.standardError.write(Data("bench-contacts: \(name): \(error)\n".utf8))
    exit(2)
  }
}
if options.json {
  let lines = results.map(\.json).joined(separator: ",")
  print("{\"schema\":\"cordon.bench-contacts/1\",\"results\":[\(lines)]}")
} else {
  for result in results { print(result.text) }
}
exit(results.allSatisfy(\.isRight) ? 0 : 1)
