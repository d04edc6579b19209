#if canImport(Glibc)
  import CordonForms
  import CordonTestSupport
  import Foundation
  import NIOCore
  import Testing

  @testable import CordonServerCommand
  @testable import CordonSharing

  /// A device between two others: it ends TLS on both sides with keys of its own.
  @Suite("A device in the middle over TLS", .timeLimit(.minutes(5)))
  struct ShareInTheMiddleTests {
    private let folder: TemporaryFolder
    private let form: String
    private let records: String

    init() throws {
      folder = try TemporaryFolder()
      form = try folder.write(SharingBench.document, to: "form.json")
      records = try folder.write(
        SharingBench.records([SharingBench.revision(36.6, remark: "canary")]).lines, to: "records.jsonl")
    }

    private func share() async throws -> (process: SharingProcess, port: Int) {
      let sharer = try SharingProcess(["share", form, records, "--host", "127.0.0.1", "--no-announce"])
      let bound = await sharer.read(after: "listening on port ")
      return (sharer, try #require(bound.flatMap { Int($0) }))
    }

    private func receive(from port: Int) throws -> SharingProcess {
      try SharingProcess(["receive", form, "--from", "127.0.0.1:\(port)", "-o", folder.path("received.jsonl")])
    }

    /// The device in the middle takes part in the protocol with each side, and claims that its person has typed the right code.
    @Test func theCodesOfBothSidesDoNotFit() async throws {
      let (sharer, port) = try await share()
      defer { sharer.destroy() }
      let middle = try await DeviceInTheMiddle(to: port, .takingPart)
      let receiver = try receive(from: middle.port)
      defer { receiver.destroy() }
      async let relayed: Void = middle.run()
      let asked = await receiver.read(after: "code of this device: ")
      let shown = await sharer.read(after: "code of this device: ")
      sharer.enter(try #require(asked))
      receiver.enter(try #require(shown))
      for end in [await receiver.end(), await sharer.end()] {
        #expect(end.status == 2 && end.output.isEmpty, "\(end)")
        #expect(end.errors.contains("not the code of the other device"), "\(end)")
        #expect(end.errors.contains("another device is in between"), "\(end)")
      }
      try await relayed
      let seen = await middle.seen.bytes
      #expect(seen.contains("reveal") && !seen.contains("canary") && !seen.contains("bundle"))
      #expect(try folder.contents == ["form.json", "records.jsonl"])
    }

    /// The device in the middle passes on what the two send, without a change. The commitment is one to other keys.
    @Test func aCommitmentToOtherKeysIsRefused() async throws {
      let (sharer, port) = try await share()
      defer { sharer.destroy() }
      let middle = try await DeviceInTheMiddle(to: port, .passingOn)
      let receiver = try receive(from: middle.port)
      defer { receiver.destroy() }
      async let relayed: Void = middle.run()
      let asked = await receiver.read(after: "code of this device: ")
      #expect(asked != nil)
      // The sharer shows no code, and waits for another device.
      let failed = await sharer.read(after: "a connection failed: ")
      #expect(failed?.contains("another device may be in between") == true, "\(failed ?? "")")
      receiver.enter(try #require(asked))
      let end = await receiver.end()
      #expect(
        end.status == 2 && end.output.isEmpty && end.errors.contains("not the code of the other device"), "\(end)")
      try await relayed
      let seen = await middle.seen.bytes
      #expect(seen.contains("reveal") && !seen.contains("canary") && !seen.contains("bundle"))
      #expect(try folder.contents == ["form.json", "records.jsonl"])
    }
  }

  /// A device that listens like a sharer, and connects to the real one like a receiver.
  private struct DeviceInTheMiddle {
    enum Manner {
      case takingPart, passingOn
    }

    /// All that the two sent, as the device reads it.
    actor Record {
      private(set) var bytes: [UInt8] = []

      func add(_ buffer: ByteBuffer) { bytes += Array(buffer.readableBytesView) }
    }

    let seen = Record()
    let port: Int
    private let target: Int
    private let manner: Manner
    private let listener: NIOAsyncChannel<ShareLink.Connection, Never>
    private let near = ShareIdentity()
    private let far = ShareIdentity()

    init(to target: Int, _ manner: Manner) async throws {
      self.target = target
      self.manner = manner
      listener = try await ShareLink(identity: near).listen(host: "127.0.0.1", port: 0)
      port = listener.channel.localAddress?.port ?? 0
    }

    /// Serves one receiver, until both connections have ended.
    func run() async throws {
      try await listener.executeThenClose { connections in
        for try await receiver in connections {
          let sharer = try await ShareLink(identity: far).connect(host: "127.0.0.1", port: target)
          switch manner {
          case .takingPart:
            let form = try SharingBench.form()
            async let first: Void = takePart(receiver) { peer in
              ShareSession(
                sharing: FormRecords(), of: form, identity: near, peer: peer, nonce: FormReceiveCommand.nonce())
            }
            async let second: Void = takePart(sharer) { peer in
              ShareSession(receiving: form, identity: far, peer: peer, nonce: FormReceiveCommand.nonce())
            }
            _ = await (first, second)
          case .passingOn: try await passOn(receiver, sharer)
          }
          return
        }
      }
    }

    /// Speaks with one side as an honest device would, and confirms every code.
    private func takePart(
      _ connection: ShareLink.Connection, _ make: @Sendable (_ peer: [UInt8]) -> ShareSession
    ) async {
      // The other side ends the connection in the end.
      try? await connection.bytes().executeThenClose { inbound, outbound in
        try await connection.channel.setOption(ChannelOptions.autoRead, value: true).get()
        var session = make(try await connection.peer.get())
        func answer(_ outputs: [ShareSession.Output]) async throws {
          for output in outputs {
            switch output {
            case .send(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
            case .show: try await outbound.write(ByteBuffer(bytes: ShareMessage.confirmed.frame))
            case .received, .finished: break
            }
          }
        }
        try await answer(session.start())
        for try await buffer in inbound {
          await seen.add(buffer)
          try await answer((try? session.receive(Array(buffer.readableBytesView))) ?? [])
        }
      }
    }

    /// Passes on bytes in both directions until one side ends.
    private func passOn(_ receiver: ShareLink.Connection, _ sharer: ShareLink.Connection) async throws {
      try await receiver.bytes().executeThenClose { fromReceiver, toReceiver in
        try await sharer.bytes().executeThenClose { fromSharer, toSharer in
          for connection in [receiver, sharer] {
            try await connection.channel.setOption(ChannelOptions.autoRead, value: true).get()
          }
          await withTaskGroup(of: Void.self) { group in
            for (source, target) in [(fromReceiver, toSharer), (fromSharer, toReceiver)] {
              group.addTask {
                do {
                  for try await buffer in source {
                    await seen.add(buffer)
                    try await target.write(buffer)
                  }
                } catch {
                  // The end of either side is the end of both.
                }
              }
            }
            _ = await group.next()
            group.cancelAll()
          }
        }
      }
    }
  }
#endif
