import Foundation

// bench-contacts [--data FOLDER] [--peers FOLDER] [--runs N] [--json] [ROW ...]
//
// Rows: w1 w1a w2 w2a w3 (files of the peers' generator), threads, sight, probable, stream, csv. Each row runs in its
// own process, so that its peak of memory is its own.

do {
  let options = try BenchOptions(CommandLine.arguments.dropFirst())
  if options.isRow {
    for name in options.rows { for result in try Bench.run(name, options) { print(result.json) } }
  } else {
    exit(try BenchReport(options).run() ? 0 : 1)
  }
} catch {
  FileHandle.standardError.write(Data("bench-contacts: \(error)\n".utf8))
  exit(2)
}
