#if canImport(Glibc)
  import CordonForms
  import CordonTestSupport
  import Foundation
  import Glibc
  import Testing

  /// Two processes find each other by DNS-SD.
  @Suite(
    "cordon-server form with avahi", .timeLimit(.minutes(5)),
    .enabled(if: AvahiDaemon.environment != nil, "avahi is not installed, or its daemon cannot be started here"))
  struct ShareDiscoveryTests {
    private let folder: TemporaryFolder
    private let form: String
    private let records: String
    /// The name on the LAN, which no other test has.
    private let name = "Cordon test \(UInt32.random(in: 0 ... .max))"

    init() throws {
      folder = try TemporaryFolder()
      form = try folder.write(SharingBench.document, to: "form.json")
      records = try folder.write(SharingBench.records([SharingBench.revision(36.6)]).lines, to: "records.jsonl")
    }

    private func share() async throws -> SharingProcess {
      let environment = try #require(AvahiDaemon.environment)
      let sharer = try SharingProcess(["share", form, records, "--name", name], environment: environment)
      let announced = await sharer.read(after: "announced as ")
      #expect(announced == name)
      return sharer
    }

    /// Waits until the LAN does not see the name any more, and no process works for it.
    private func waitForWithdrawal() async throws {
      while try AvahiDaemon.announcedNames().contains(name) || Self.hasProcess(name) { await Task.yield() }
    }

    /// Whether a process has a text in its arguments.
    private static func hasProcess(_ text: String) throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { number in
        guard number.allSatisfy(\.isNumber), let words = FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
        else { return false }
        return words.range(of: Data(text.utf8)) != nil
      }
    }

    @Test func devicesFindEachOther() async throws {
      let sharer = try await share()
      defer { sharer.destroy() }
      let receiver = try SharingProcess(
        ["receive", form, "--name", name, "-o", folder.path("received.jsonl")],
        environment: try #require(AvahiDaemon.environment))
      defer { receiver.destroy() }
      let asked = await receiver.read(after: "code of this device: ")
      let shown = await sharer.read(after: "code of this device: ")
      sharer.enter(try #require(asked))
      receiver.enter(try #require(shown))
      let (received, sent) = (await receiver.end(), await sharer.end())
      #expect(received.status == 0 && sent.status == 0, "\(received) \(sent)")
      var copy = FormRecords()
      try copy.add(lines: Array(folder.text("received.jsonl").utf8), form: "screening")
      #expect(copy.entryCount == 1)
      try await waitForWithdrawal()
    }

    /// A share that is killed withdraws its name, and leaves no process behind.
    @Test func anAnnouncementEndsWithItsProcess() async throws {
      let sharer = try await share()
      #expect(try AvahiDaemon.announcedNames().contains(name))
      sharer.kill()
      try await waitForWithdrawal()
    }
  }
#endif
