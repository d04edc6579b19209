#if canImport(Glibc)
  import CordonForms
  import CordonTestSupport
  import Foundation
  import Glibc
  import Testing

  /// Two processes share records over TLS on loopback.
  @Suite("cordon-server form", .timeLimit(.minutes(5)))
  struct FormSharingTests {
    private let folder: TemporaryFolder
    private let form: String
    private let records: String

    init() throws {
      folder = try TemporaryFolder()
      form = try folder.write(SharingBench.document, to: "form.json")
      let shared = SharingBench.records([
        SharingBench.revision(36.6, remark: "canary"), SharingBench.revision(38.5, record: 2),
      ])
      records = try folder.write(shared.lines, to: "records.jsonl")
    }

    /// The records of a file. Members of objects may have another order there.
    private func read(_ name: String) throws -> FormRecords {
      var records = FormRecords()
      try records.add(lines: Array(folder.text(name).utf8), form: "screening")
      #expect(records.entryCount == 2)
      return records
    }

    /// Types the codes of both on the other one.
    private func compare(_ sharer: SharingProcess, _ receiver: SharingProcess) async throws {
      let asked = await receiver.read(after: "code of this device: ")
      let shown = await sharer.read(after: "code of this device: ")
      sharer.enter(try #require(asked))
      receiver.enter(try #require(shown))
    }

    @Test func recordsTravelOverTLSAndAreStoredOnce() async throws {
      let output = folder.path("received.jsonl")
      for expected in ["2 new revisions, 0 known", "0 new revisions, 2 known"] {
        let sharer = try SharingProcess(["share", form, records, "--host", "127.0.0.1", "--no-announce"])
        let bound = await sharer.read(after: "listening on port ")
        let port = try #require(bound.flatMap { UInt16($0) })
        // A connection in the clear gets no word of the records, and does not end the sharing.
        let clear = try Loopback.connect(port)
        _ = write(clear, "GET / HTTP/1.1\r\n\r\n", 18)
        var answer = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(clear, &answer, answer.count)
        #expect(!Array(answer.prefix(max(count, 0))).contains("canary"))
        close(clear)
        let noted = await sharer.read(after: "a connection failed")
        #expect(noted != nil)

        let receiver = try SharingProcess(["receive", form, "--from", "127.0.0.1:\(port)", "-o", output])
        try await compare(sharer, receiver)
        let (received, sent) = (await receiver.end(), await sharer.end())
        #expect(received.status == 0 && received.output.contains(expected), "\(received)")
        #expect(sent.status == 0 && sent.output.contains("2 revisions sent"), "\(sent)")
        #expect(try read("received.jsonl") == read("records.jsonl"))
      }
      #expect(try folder.contents == ["form.json", "received.jsonl", "records.jsonl"])
    }

    @Test func aWrongCodeSharesNothing() async throws {
      let sharer = try SharingProcess(["share", form, records, "--host", "127.0.0.1", "--no-announce"])
      let bound = await sharer.read(after: "listening on port ")
      let port = try #require(bound)
      let receiver = try SharingProcess(
        ["receive", form, "--from", "127.0.0.1:\(port)", "-o", folder.path("received.jsonl")])
      let asked = await receiver.read(after: "code of this device: ")
      let shown = await sharer.read(after: "code of this device: ")
      let digits = try #require(shown).filter(\.isNumber)
      receiver.enter((digits.first == "0" ? "1" : "0") + digits.dropFirst())
      let received = await receiver.end()
      #expect(received.status == 2 && received.errors.contains("not the code of the other device"), "\(received)")
      // Nothing is sent, even though the person at the sharer types the right code.
      sharer.enter(try #require(asked))
      let sent = await sharer.end()
      #expect(sent.status == 2 && sent.output.isEmpty, "\(sent)")
      #expect(try folder.contents == ["form.json", "records.jsonl"])
    }

    @Test func wrongFilesAndAddressesAreNamed() async throws {
      let broken = try folder.write("{\"temperature\": 37}\n", to: "answers.jsonl")
      for (arguments, word) in [
        (["share", form, broken, "--no-announce"], "answers.jsonl: is not a record"),
        (["share", form, folder.path("none"), "--no-announce"], "no such file"),
        (["receive", form, "--from", "127.0.0.1", "-o", folder.path("x")], "an address with a port"),
        (["receive", form, "--from", "127.0.0.1:1", "-o", folder.path("x")], "connection failed"),
        (["receive", form, "--from", "127.0.0.1:1", "-o", broken], "line 1"),
      ] {
        let result = try TestProcess.run(SharingProcess.program, ["form"] + arguments)
        #expect(result.status == 2 && result.errors.contains(word), "\(word): \(result)")
      }
    }
  }
#endif
