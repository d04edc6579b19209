import CordonCore
import CordonGeometry
import CordonVenues
import Foundation
import Measuring

/// The cost of loading a venue, compared with parsing the same bytes in Node and Python.
///
///     bench-venues BUNDLE...        each bundle, --runs processes (default 7): CPU milliseconds and peak MiB
///     bench-venues load BUNDLE      one load in this process
///     bench-venues campus FOLDER [COLUMNS]  writes a 24-floor MVF 3 campus, by default of 24.4 MB
@main
struct BenchVenues {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "load" where arguments.count == 2: try loadOnce(arguments[1])
      case "campus" where arguments.count == 2: try Campus().write(to: arguments[1])
      case "campus" where arguments.count == 3: try Campus(columns: Int(arguments[2]) ?? 20).write(to: arguments[1])
      case .some: try compare(arguments)
      case nil: print("usage: bench-venues [load] PATH... | campus FOLDER [COLUMNS]")
      }
    } catch {
      FileHandle.standardError.write(Data("bench-venues: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Prints the milliseconds of reading, of reading with gate and graph, the peak memory, and the contents.
  private static func loadOnce(_ path: String) throws {
    let before = Usage.now
    let loaded = try VenueLoader.load(path: path)
    let read = Usage.now
    let venue = loaded.venue
    let locator = VenueLocator(venue, boundary: try venue.boundary(.buildings))
    let graph = try RouteGraph(venue)
    let after = Usage.now
    let inside = venue.spaces.first.map { locator.locate($0.outline.vertices[0], floor: nil).isInside }
    print(
      String(
        format:
          "%.1f %.1f %.1f %d floors, %d spaces, %d walls, %d nodes, %d edges (%@), %d findings, first corner inside: %@",
        (read.cpuSeconds - before.cpuSeconds) * 1000, (after.cpuSeconds - before.cpuSeconds) * 1000, after.peakMiB,
        venue.floors.count, venue.spaces.count, venue.walls.count, graph.nodeCount, graph.edgeCount, graph.source,
        loaded.findings.count, "\(inside ?? false)"))
  }

  private static func compare(_ bundles: [String]) throws {
    let runs = 7
    print("CPU ms (user + sys; least and median of \(runs) processes) and peak MiB")
    for bundle in bundles {
      print(bundle)
      var results: [(cpu: Double, peak: Double)] = []
      var ready: [(cpu: Double, peak: Double)] = []
      var what = ""
      for _ in 0..<runs {
        let words = try run(CommandLine.arguments[0], ["load", bundle]).split(separator: " ", maxSplits: 3)
        guard words.count == 4, let cpu = Double(words[0]), let all = Double(words[1]), let peak = Double(words[2])
        else {
          continue
        }
        results.append((cpu, peak))
        ready.append((all, peak))
        what = words[3].trimmingCharacters(in: .whitespacesAndNewlines)
      }
      report("cordon, zip or folder to Venue", results)
      report("cordon, gate and graph ready", ready)
      print("  " + what)
      let folder = try unpacked(bundle)
      report("node, JSON.parse only", try (0..<runs).map { _ in try parse("node", ["-e", Scripts.node, folder]) })
      report(
        "python3, json.loads only", try (0..<runs).map { _ in try parse("python3", ["-c", Scripts.python, folder]) })
    }
  }

  private static func report(_ name: String, _ results: [(cpu: Double, peak: Double)]) {
    let times = results.map(\.cpu).sorted()
    guard !times.isEmpty else { return }
    print(
      String(
        format: "  %@: %.1f (median %.1f) ms, %.1f MiB", name.padding(toLength: 32, withPad: " ", startingAt: 0),
        times[0],
        times[times.count / 2], results.map(\.peak).max() ?? 0))
  }

  private static func parse(_ program: String, _ arguments: [String]) throws -> (cpu: Double, peak: Double) {
    let words = try run("/usr/bin/env", [program] + arguments).split(whereSeparator: \.isWhitespace).compactMap {
      Double($0)
    }
    return words.count == 2 ? (words[0], words[1]) : (.nan, .nan)
  }

  // Node has no zip reader, so both peers get a folder.
  private static func unpacked(_ bundle: String) throws -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: bundle, isDirectory: &isFolder), isFolder.boolValue { return bundle }
    let folder = NSTemporaryDirectory() + "bench-venues-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if bundle.hasSuffix(".zip") {
      _ = try run("/usr/bin/env", ["python3", "-m", "zipfile", "-e", bundle, folder])
    } else {
      try? FileManager.default.copyItem(atPath: bundle, toPath: folder + "/venue.json")
    }
    return folder
  }

  private static func run(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

/// CPU and memory of this process.
struct Usage {
  var cpuSeconds: Double
  var peakMiB: Double

  static var now: Usage {
    Usage(cpuSeconds: Measuring.cpuSeconds(), peakMiB: peakBytes() / 1_048_576)
  }
}

/// The other parsers: read every file, then time the parsing alone.
enum Scripts {
  static let node = """
    const fs = require('fs'), path = require('path'); const files = [];
    const walk = d => { for (const e of fs.readdirSync(d, {withFileTypes: true})) { const p = path.join(d, e.name);
      if (e.isDirectory()) walk(p); else if (/json$/.test(e.name)) files.push(fs.readFileSync(p, 'utf8')); } };
    walk(process.argv[1]); const before = process.cpuUsage(); for (const f of files) JSON.parse(f);
    const used = process.cpuUsage(before);
    console.log((used.user + used.system) / 1000, process.resourceUsage().maxRSS / 1024);
    """

  static let python = """
    import json, os, resource, sys, time
    files = [open(os.path.join(d, n), encoding='utf-8-sig').read() for d, _, ns in os.walk(sys.argv[1]) for n in ns if n.endswith('json')]
    before = time.process_time()
    for f in files: json.loads(f)
    print((time.process_time() - before) * 1000, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    """
}
