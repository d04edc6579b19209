import Foundation
import Measuring

func run() {
  var areas = AreaMeasurements(table: Table(schema: "cordon.bench-gate/1"))
  do {
    try areas.run()
  } catch {
    FileHandle.standardError.write(Data("bench-gate: no sample venue: \(error)\n".utf8))
  }
  measureWalls(into: &areas.table)
  measureCircles(into: &areas.table)
  measureFunctions(into: &areas.table)
  areas.table.show(asJSON: CommandLine.arguments.contains("--json"))
}

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "judge", let count = Int(arguments[2]) {
  try judge(count: count)
} else {
  run()
}
