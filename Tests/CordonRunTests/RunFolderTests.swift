import CordonCore
import CordonRun
import Foundation
import Testing

@Suite("Run folders")
struct RunFolderTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func whatIsReadIsWhatWasWritten() throws {
    let contents = SampleRun().contents
    let path = scratch.path("run")
    let outputs = try RunFolder.prepare(at: path, replacing: false).write(contents) { RunTimings() }
    for output in outputs { #expect(FileManager.default.fileExists(atPath: output.path), "\(output.role)") }
    let run = try RunReader(path: path)
    #expect(try run.parameters() == contents.parameters)
    #expect(try run.venue() == contents.venue)
    #expect(try run.people() == contents.people)
    #expect(try Set(run.truth()) == Set(contents.truth))
    #expect(try run.truth().count == contents.truth.count)
    #expect(try Set(run.locations()) == Set(contents.locations))
    #expect(try Set(run.contacts()) == Set(contents.contacts))
    #expect(try Set(run.occupancy()) == Set(contents.occupancy))
    #expect(try run.summary() == contents.summary)
  }
}

/// A folder of a test's own, removed with the test.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("cordon-run-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { folder + "/" + name }
}
