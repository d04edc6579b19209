import CordonTestSupport

#if os(Linux)
  import Foundation
  import Glibc
  import Testing

  /// The output of commands: through devices and links, never over an existing file without an option, and never cut
  /// short without an error.
  @Suite("Output of commands")
  struct OutputTests {
    private static let points = """
      device,time,x,y
      a,2026-01-01T08:00:00Z,0,0
      a,2026-01-01T08:00:10Z,0,0
      b,2026-01-01T08:00:00Z,1,0
      b,2026-01-01T08:00:10Z,1,0

      """

    /// Commands that write to standard output; `POINTS` and `TRACE` stand for files.
    private static let printing: [[String]] = [
      ["contacts", "find", "POINTS", "--json"], ["contacts", "find", "POINTS", "-o", "-"],
      ["contacts", "network", "POINTS", "--json"], ["contacts", "occupancy", "POINTS"],
      ["contacts", "exposures", "POINTS"], ["trace", "info", "TRACE"], ["trace", "info", "TRACE", "--json"],
      ["trace", "convert", "TRACE", "--output-format", "csv", "-o", "-"], ["venue", "info", "OFFICE"],
      ["venue", "convert", "OFFICE", "--output-format", "geojson", "-o", "-"],
      ["replay", "TRACE", "--venue", "OFFICE"],
      ["--help"], ["contacts", "find", "--help"], ["--version"],
    ]

    private static func words(_ command: [String], _ points: String) -> [String] {
      command.map { word in
        switch word {
        case "POINTS": points
        case "TRACE": Places.package.path + "/Tests/Traces/in-and-out.gpx"
        case "OFFICE": Places.office
        default: word
        }
      }
    }

    /// Runs a command whose standard output is an open file.
    private func run(_ arguments: [String], to output: FileHandle) throws -> (status: Int32, errors: String) {
      let result = try TestProcess.run(CordonProcess.executable, arguments, output: output)
      return (result.status, result.errors)
    }

    @Test(arguments: printing)
    func aFullDiskIsAnError(command: [String]) throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let result = try run(Self.words(command, points), to: full)
      #expect(result.status == 2, "\(command): \(result.errors)")
      #expect(result.errors.contains("No space left on device"), "\(command): \(result.errors)")
    }

    @Test(arguments: printing)
    func aClosedPipeIsNotAnError(command: [String]) throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let result = try run(Self.words(command, points), to: pipe.fileHandleForWriting)
      #expect(!result.errors.contains("error") && !result.errors.contains("cordon:"), "\(command): \(result.errors)")
      #expect(result.status == 141 || result.status == SIGPIPE, "\(command): \(result.status)")
    }

    @Test func devicesAreWrittenThroughAndNotReplaced() throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      let node = scratch.path("null.csv")
      // Device nodes need rights that not every user has.
      guard mknod(node, S_IFCHR | 0o666, dev_t(1) << 8 | 3) == 0 else { return }
      for arguments in [
        ["contacts", "find", points, "-o", node], ["contacts", "occupancy", points, "-o", node],
        [
          "trace", "convert", Places.package.path + "/Tests/Traces/in-and-out.gpx", "--output-format", "csv", "-o",
          node,
        ],
      ] {
        let result = try CordonProcess.run(arguments)
        #expect(result.status == 0, "\(arguments): \(result.errors)")
        var status = stat()
        #expect(lstat(node, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR, "\(arguments) replaced the device")
      }
    }

    @Test func linksAreKeptAndTheirTargetsWritten() throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      let target = try scratch.write("old", to: "target.csv")
      let link = scratch.path("link.csv")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      #expect(try CordonProcess.run(["contacts", "find", points, "-o", link]).status == 2, "the target exists")
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "old")
      #expect(try CordonProcess.run(["contacts", "find", points, "-o", link, "--force"]).status == 0)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
      #expect(try String(contentsOfFile: target, encoding: .utf8).contains("device_a"))
    }

    @Test func anInputIsNeverReplaced() throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      let other = scratch.path("other.csv")
      try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: points)
      for output in [points, other] {
        let result = try CordonProcess.run(["contacts", "find", points, "-o", output, "--force"])
        #expect(result.status == 2, "\(output)")
        #expect(try String(contentsOfFile: points, encoding: .utf8) == Self.points)
      }
      let trace = try scratch.write(
        String(contentsOfFile: Places.package.path + "/Tests/Traces/in-and-out.gpx", encoding: .utf8), to: "w.gpx")
      let before = try Data(contentsOf: URL(fileURLWithPath: trace))
      #expect(try CordonProcess.run(["trace", "pseudonymise", trace, "-o", trace, "--force"]).status == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: trace)) == before)
    }

    @Test func theFileEndingDecidesTheFormat() throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      for (name, hint) in [("x.parquet", "the Python package"), ("x.xlsx", ".csv")] {
        let result = try CordonProcess.run(["contacts", "find", points, "-o", scratch.path(name)])
        #expect(result.status == 2 && result.errors.contains(hint), "\(name): \(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path(name)))
      }
      // Checked by the commands themselves before they run; the parser makes an error of its own of that.
      let run = scratch.path("run")
      let options = ["--people", "2", "--duration", "1m", "-q", "-o", run]
      #expect(try CordonProcess.run(["simulate", Places.office] + options).status == 0)
      for command in [
        ["run", "export", run, "-o", scratch.path("x.xlsx")],
        ["compare", run, run, "-o", scratch.path("x.pdf")],
        ["venue", "render", Places.office, "--floor", "0", "-o", scratch.path("x.png")],
        ["venue", "render", Places.office, "-o", scratch.path("x.png")],
      ] {
        let result = try CordonProcess.run(command)
        #expect(result.status == 2 && !result.errors.contains("Command"), "\(command): \(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: command.last ?? ""))
      }
      #expect(try CordonProcess.run(["contacts", "find", points, "-o", scratch.path("x.csv.gz")]).status == 0)
      let packed = try Data(contentsOf: URL(fileURLWithPath: scratch.path("x.csv.gz")))
      #expect(packed.prefix(2) == Data([0x1f, 0x8b]))
    }

    @Test(arguments: [
      (["contacts", "exposures", "POINTS", "--day-offset", "-5h"], Int32(0), ""),
      (["contacts", "find", "POINTS", "--distance", "-1"], 2, "--distance"),
      (["contacts", "find", "POINTS", "--dist", "2"], 2, "did you mean '--distance'"),
    ])
    func valuesMayBeginWithAHyphen(command: [String], status: Int32, says: String) throws {
      let scratch = try TemporaryFolder()
      let points = try scratch.write(Self.points, to: "points.csv")
      let result = try CordonProcess.run(Self.words(command, points))
      #expect(result.status == status, "\(result.errors)")
      #expect(says.isEmpty || result.errors.contains(says), "\(result.errors)")
      #expect(!result.errors.contains("Missing value"))
    }
  }
#endif
