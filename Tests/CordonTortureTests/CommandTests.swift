import CordonTestSupport
import Foundation
import Testing

@testable import CordonTorture

extension TortureTests {
  /// The executable gives the same results with another process, another folder and another hash seed.
  @Suite struct Command {
    /// It lies beside the one that runs the tests.
    static var executable: URL? {
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for _ in 0..<4 {
        let url = folder.appendingPathComponent("cordon-torture")
        if FileManager.default.isExecutableFile(atPath: url.path) { return url }
        folder.deleteLastPathComponent()
      }
      return nil
    }

    struct Result {
      var status: Int32
      var lines: [String]
      /// The values of a run's last line.
      var members: [String: Any]
    }

    static func run(_ arguments: [String], folder: String = "") throws -> Result {
      let scratch = try TemporaryFolder()
      let base = scratch.url.appendingPathComponent("torture\(folder)")
      try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
      let executable = try #require(Self.executable, "it is built with the tests")
      let result = try TestProcess.run(executable, arguments, environment: ["TMPDIR": base.path])
      let lines = result.output.split(separator: "\n").map(String.init)
      let last = Data((lines.last ?? "{}").utf8)
      let members = (try? JSONSerialization.jsonObject(with: last)) as? [String: Any] ?? [:]
      return Result(status: result.status, lines: lines, members: members)
    }

    /// Seeds with power losses that keep a part of the unsynced writes: only the seed chooses the part.
    @Test func aSeedIsTheSameInAnotherProcessAndFolder() throws {
      let seeds = (UInt64(1)...60).filter { seed in
        TorturePlan(seed: seed).faults.count { fault in
          (fault.fault == .powerLossPhone || fault.fault == .powerLossServer) && fault.amount % 3 != 0
        } >= 3
      }
      #expect(seeds.count >= 4)
      for seed in seeds.prefix(4) {
        let arguments = ["--seed", "\(seed)", "--runs", "1", "--no-shrink"]
        let first = try Self.run(arguments)
        let second = try Self.run(arguments, folder: "-and-a-longer-name")
        let digest = try #require(first.members["digest"] as? String)
        #expect(digest == second.members["digest"] as? String, "seed \(seed)")
        #expect(first.status == 0)
      }
    }

    @Test func someFaultsOfASeedCanBeRepeated() throws {
      let plan = TorturePlan(seed: 5, storage: .memory, hours: 0.5)
      let result = try Self.run(
        ["--seed", "5", "--runs", "1", "--store", "memory", "--hours", "0.5", "--faults", "3,17"])
      #expect(result.lines.prefix(2) == ["  \(plan.faults[3].description)", "  \(plan.faults[17].description)"])
      #expect(result.members["digest"] as? String == (try TortureRun(plan.only([3, 17])).run().digest))
    }

    @Test func anInterruptedTestPrintsTheSeedsSoFar() throws {
      let process = Process()
      process.executableURL = Self.executable
      process.arguments = ["--runs", "1000000", "--store", "memory", "--hours", "0.1"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      Thread.sleep(forTimeInterval: 3)
      process.interrupt()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 130)
      let last = Data((output.split(separator: "\n").last ?? "{}").utf8)
      let members = (try? JSONSerialization.jsonObject(with: last)) as? [String: Any] ?? [:]
      #expect(members["schema"] as? String == "cordon.torture/1" && members["partial"] as? Bool == true)
      let seeds = try #require(members["seeds"] as? Int)
      #expect((1..<1_000_000).contains(seeds))
    }
  }
}
