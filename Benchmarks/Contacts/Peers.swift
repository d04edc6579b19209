import Foundation

/// Other programs on the same files: MEOS, and a sketch in C from which the goals were derived.
enum Peers {
  typealias Answer = (rate: Double, result: BenchResult)

  /// Returns the figures of each available peer. They exclude reading, and MEOS's box test, which Cordon does for it.
  static func run(_ workload: Workload, _ options: BenchOptions) throws -> [(String, Answer)] {
    guard !options.peers.isEmpty else { return [] }
    var answers: [(String, Answer)] = []
    let path = "\(options.data)/\(workload.name).bin"
    let gap = String(workload.gap)
    if workload.meosChunk > 0 {
      let arguments = [path, "2", gap, String(workload.meosChunk), "99999999999"]
      answers.append(
        (
          "meos",
          try ask("meosb", arguments, workload, options, "tdwithin in chunks of \(workload.meosChunk / 1_000) s")
        ))
    }
    answers.append(
      ("cfast", try ask("cfast", [path, "2", gap, String(workload.gap / 3)], workload, options, "a sketch in C")))
    return answers
  }

  private static func ask(
    _ program: String, _ arguments: [String], _ workload: Workload, _ options: BenchOptions, _ note: String
  ) throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(options.peers)/\(program)")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw BenchError(message: "the answer of \(program) cannot be read")
    }
    func number(_ key: String) -> Double { (object[key] as? NSNumber)?.doubleValue ?? .nan }
    var isRight = number("pairs") == Double(workload.pairs) && workload.areRight(number("overlap_s"))
    if object["intervals"] != nil { isRight = isRight && number("intervals") == Double(workload.contacts) }
    let result = BenchResult(
      name: "\(workload.name) by \(program == "meosb" ? "MEOS" : program)", isRight: isRight,
      figures: [
        ("pairs", number("pairs")), ("overlap_s", number("overlap_s")), ("cpu_s", number("cpu_s")),
        ("points_per_cpu_s", number("pts_per_cpu_s")),
        // MEOS reports pairs and seconds, but no number of records.
        ("contacts_per_cpu_s", number("intervals") / number("cpu_s")), ("peak_mib", number("rss_mb")),
      ].filter { !$0.1.isNaN }, note: note)
    return (number("pts_per_cpu_s"), result)
  }
}

/// The size of a file.
enum FileSize {
  static func of(_ path: String) throws -> Double {
    (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue ?? 0
  }
}
