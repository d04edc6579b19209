import CordonTestSupport
import Foundation
import Testing

@Suite("Bad input to cordon contacts")
struct ContactsInputTests {
  private let header = "device,t_ms,x,y\n"

  @Test func badRowsAreListedByLineUpToALimit() throws {
    let scratch = try TemporaryFolder()
    var text = header + "a,0,0,0\n"
    for _ in 0..<25 { text += "a,soon,0,0\n" }
    text += "a,1000,0,0\n"
    let path = try scratch.write(text, to: "points.csv")
    let result = try CordonProcess.run(["contacts", "find", path, "--json"])
    #expect(result.status == 0)
    #expect(try result.json()["bad_rows"] as? Int == 25)
    #expect(result.errors.contains("25 rows could not be read"))
    #expect(result.errors.contains("line 3:") && result.errors.contains("line 22:"))
    #expect(!result.errors.contains("line 23:") && result.errors.contains("and 5 more"))
    let strict = try CordonProcess.run(["contacts", "find", path, "--strict", "--json"])
    #expect(strict.status == 2 && strict.output.isEmpty)
    #expect(strict.errors.contains("\"bad-row\"") && strict.errors.contains("line 3"))
  }

  @Test func timesInMixedUnitsAreRefused() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(
      "device,t,x,y\na,1700000000,0,0\na,1700000001000,0,0\na,1700000002000,0,0\n", to: "points.csv")
    for command in ["find", "exposures", "network", "occupancy"] {
      let result = try CordonProcess.run(["contacts", command, path])
      #expect(result.status == 2)
      for word in ["points.csv", "line 3", "mixed units"] {
        #expect(result.errors.contains(word), "\(result.errors)")
      }
    }
  }

  @Test func aDeviceInTwoPlacesAndLongGapsAreReported() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(
      header + "a,0,0,0\na,0,50,0\na,1000,0,0\na,90000,0,0\nb,0,0,1\nb,1000,0,1\n", to: "points.csv")
    let result = try CordonProcess.run(["contacts", "find", path, "--json"])
    #expect(result.status == 0)
    #expect(try result.json()["conflicting"] as? Int == 1)
    #expect(result.errors.contains("1 time a device was in two places at once"))
    #expect(result.errors.contains("  a at 1970-01-01T00:00:00.000Z\n"))
    #expect(result.errors.contains("33.33 % of the intervals are longer than --maximum-gap (30"), "\(result.errors)")
  }

  @Test func tooLittleMemoryIsPredictedAndSlabsAreSuggested() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("huge.csv")
    #expect(FileManager.default.createFile(atPath: path, contents: Data(header.utf8)))
    // Holes take no room on the disk.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 1 << 42)
    try handle.close()
    let result = try CordonProcess.run(["contacts", "find", path, "--json"])
    #expect(result.status == 2 && result.output.isEmpty)
    for word in ["\"too-large\"", "--slab", "TMPDIR", "huge.csv"] {
      #expect(result.errors.contains(word), "\(result.errors)")
    }
  }

  /// Two hours of ten devices do not fit in one slab; they do in shorter ones, and in those of the default length.
  @Test func aSlabTooLongForTheMemoryIsPredicted() throws {
    let scratch = try TemporaryFolder()
    var text = header
    for k in 0..<6_000 { for device in 0..<10 { text += "d\(device),\(k * 1_200),\(device).5,\(k % 7)\n" } }
    let path = try scratch.write(text, to: "points.csv")
    let little = ["CORDON_MEMORY": "8000000"]
    let expected = try CordonProcess.run(["contacts", "find", path, "--json"]).json()
    #expect(expected["points"] as? Int == 60_000)
    for slab in [["--slab", "1000h"], ["--slab", "3h", "--threads", "2"]] {
      let result = try CordonProcess.run(["contacts", "find", path, "--json"] + slab, environment: little)
      #expect(result.status == 2 && result.output.isEmpty, "\(slab)")
      for word in ["\"too-large\"", "60000 points need about", "--slab", "points.csv"] {
        #expect(result.errors.contains(word), "\(result.errors)")
      }
    }
    for slab in [["--slab", "5m"], []] {
      let found = try CordonProcess.run(["contacts", "find", path, "--json"] + slab, environment: little).json()
      for key in ["points", "pairs", "contacts", "overlap_s"] {
        #expect(found[key] as? Double == expected[key] as? Double, "\(slab) \(key)")
      }
    }
  }

  @Test(arguments: [
    (["--distnace", "2"], "--distance"), (["--rule", "exat"], "exact"), (["--maximum-gap", "3x"], "--maximum-gap"),
    (["--distance", "-1"], "--distance"), (["--distance", "nan"], "--distance"), (["--threads", "0"], "--threads"),
    (["--column", "badge=device"], "the fields are device"), (["--line-of-sight"], "--venue"),
    (["--maximum-gap", "0s"], "--maximum-gap"), (["--slab", "0ms"], "--slab"),
    (["--confidence", "1.5"], "--confidence"),
  ])
  func mistakesAreNamed(arguments: [String], says: String) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(header + "a,0,0,0\n", to: "points.csv")
    let result = try CordonProcess.run(["contacts", "find", path, "-o", scratch.path("out.csv")] + arguments)
    #expect(result.status == 2, "\(arguments)")
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(try scratch.contents == ["points.csv"])
  }

  @Test func missingFilesAndColumnsAreNamed() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write(header + "a,0,0,0\n", to: "points.csv")
    let empty = try scratch.write("", to: "empty.csv")
    let broken = try scratch.write("abc", to: "broken.bin")
    for (arguments, says) in [
      (["find", scratch.path("none.csv")], "none.csv"), (["find", empty], "empty.csv"),
      (["find", broken], "32 bytes of a record"), (["exposures", path, "--index", "z"], "no device z"),
      (["exposures", path, "--onset", "2026-01-05"], "--index"), (["exposures", path, "--rule", "cdc"], "cdc-6ft"),
      (["exposures", path, "--time-zone", "Mars/Olympus"], "Europe/Berlin"),
      (["backtrace", path, "--index", "a", "--onset", "yesterday"], "onset"),
      (["network", path, "-o", scratch.path("net.xyz")], "--output-format"),
      (["occupancy", path, "--bin", "1ms"], "--bin"),
    ] {
      let result = try CordonProcess.run(["contacts"] + arguments)
      #expect(result.status == 2, "\(arguments)")
      #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
      #expect(result.output.isEmpty)
    }
    #expect(try scratch.contents == ["broken.bin", "empty.csv", "points.csv"])
  }

  @Test(arguments: ["find", "exposures", "backtrace", "network", "occupancy"])
  func helpExplainsTheInput(command: String) throws {
    let result = try CordonProcess.run(["contacts", command, "--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Example"), "\(command)")
    #expect(result.output.contains("cordon contacts \(command) "), "\(command)")
  }
}

/// Input that does not fit is reported before memory runs out.
@Suite("Memory of cordon contacts")
struct ContactsMemoryTests {
  /// Seventy devices in one place: 2 415 pairs for a quarter of an hour, each separated repeatedly.
  @Test(arguments: [["network"], ["exposures"], ["backtrace", "--index", "d1", "--onset", "2026-01-05"]])
  func contactsThatDoNotFitAreCounted(command: [String]) throws {
    let scratch = try TemporaryFolder()
    var text = "device,t_ms,x,y\n"
    for k in 0..<80 {
      for device in 0..<70 { text += "d\(device),\(1_767_603_600_000 + k * 10_000),\(k % 2 == 0 ? device * 5 : 0),0\n" }
    }
    let path = try scratch.write(text, to: "points.csv")
    let arguments = ["contacts", command[0], path, "--json"] + command.dropFirst()
    #expect(try CordonProcess.run(arguments).status == 0)
    let result = try CordonProcess.run(arguments, environment: ["CORDON_MEMORY": "6000000"])
    #expect(result.status == 2 && result.output.isEmpty)
    for word in ["\"too-large\"", "contacts, which need about", "split the input by day", "points.csv"] {
      #expect(result.errors.contains(word), "\(result.errors)")
    }
    #expect(!result.errors.contains("--slab"))
  }

  @Test func segmentsOfALongSlabAreCounted() throws {
    let scratch = try TemporaryFolder()
    let run = scratch.path("run")
    let made = try CordonProcess.run([
      "simulate", Places.office, "--people", "60", "--duration", "90m", "-o", run, "--quiet",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let arguments = ["contacts", "find", run, "--source", "truth", "--json", "--slab", "1000h"]
    #expect(try CordonProcess.run(arguments).status == 0)
    let result = try CordonProcess.run(arguments, environment: ["CORDON_MEMORY": "300000"])
    #expect(result.status == 2 && result.output.isEmpty)
    for word in ["\"too-large\"", "segments of one window", "--slab"] {
      #expect(result.errors.contains(word), "\(result.errors)")
    }
  }
}
