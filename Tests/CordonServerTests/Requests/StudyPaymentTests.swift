#if canImport(Glibc)
  import CordonCore
  import CordonTestSupport
  import Foundation
  import Testing

  @testable import CordonServer
  @testable import CordonServerCommand
  @testable import CordonStudies

  /// The settings of payments in tokens, and their payment by the command of the server.
  @Suite("Payments in tokens by the server", .serialized, .timeLimit(.minutes(5)))
  struct StudyPaymentTests {
    /// The key of the example of EIP-155, which everybody knows.
    private static let key = String(repeating: "46", count: 32)
    private static let account = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"
    private static let token = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
    private static let receiver = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private static let library = try? Secp256k1()
    private static let hasLibrary = ConditionTrait.enabled(
      if: library != nil, "scripts/setup --tests installs libsecp256k1")

    private static func settings(_ changes: [String: String]) throws -> StudySettings {
      var environment = [
        "CORDON_STUDIES": "yes", "CORDON_STUDY_CHAIN_NODE": "http://127.0.0.1:1",
        "CORDON_STUDY_CHAIN_CONTRACT": token,
      ]
      for (name, value) in changes { environment["CORDON_STUDY_CHAIN_\(name)"] = value }
      return try SettingsFile.read(file: nil, environment: environment).server.studies
    }

    private static func file(_ folder: TemporaryFolder, _ text: String, mode: Int = 0o600) throws -> String {
      let path = try folder.write(text, to: "payment.key")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      return path
    }

    @Test(hasLibrary) func theAccountIsThatOfTheKey() throws {
      let folder = try TemporaryFolder()
      let path = try Self.file(folder, Self.key + "\n")
      let settings = try Self.settings(["KEY_FILE": path, "NUMBER": "131277322940537"])
      let expected = ChainAccount(
        chain: 131_277_322_940_537, address: try #require(EthereumAddress(Self.account)))
      #expect(try settings.payments()?.account == expected)
      #expect(try Self.settings(["KEY_FILE": path, "PAYER": Self.account]).payments()?.account?.chain == 1)
    }

    @Test(hasLibrary) func aKeyThatCannotBeUsedIsNamedAndNotShown() throws {
      let folder = try TemporaryFolder()
      func fault(_ changes: [String: String]) throws -> String {
        let settings = try Self.settings(changes)
        let error = #expect(throws: DataFolder.Fault.self) { try settings.payments() }
        return error?.description ?? ""
      }
      let path = try Self.file(folder, Self.key, mode: 0o640)
      #expect(try fault(["KEY_FILE": path]).contains("run `chmod 600"))
      #expect(
        try fault(["KEY_FILE": try Self.file(folder, Self.key), "PAYER": Self.token]).contains("another account"))
      #expect(try fault(["KEY_FILE": folder.path("none")]).contains("cannot be read as a key"))
      for text in ["46464646", Self.key + "46", "{\"crypto\": 1}"] {
        let message = try fault(["KEY_FILE": try Self.file(folder, text)])
        #expect(message.hasPrefix(path) && message.contains("64 hexadecimal digits") && !message.contains(text))
      }
    }

    @Test func settingsThatDoNotFitAreRefused() throws {
      for (changes, word) in [
        (["KEY_FILE": "k", "SIGNER": "http://127.0.0.1:2"], "excludes study-chain-signer"),
        ([:], "study-chain-key-file"), (["PAYER": Self.account, "TIP": "100"], "base fee"),
        (["PAYER": Self.account, "FEES": "none"], "market or legacy"),
        (["PAYER": Self.account, "CONTRACT": Self.token.lowercased().replacing("f", with: "F")], "checksum"),
      ] as [([String: String], String)] {
        let error = #expect(throws: (any Error).self) { try Self.settings(changes) }
        #expect(error.map { "\($0)".contains(word) } == true, "\(changes)")
      }
      let lone = #expect(throws: (any Error).self) {
        try SettingsFile.read(file: nil, environment: ["CORDON_STUDY_CHAIN_KEY_FILE": "k"])
      }
      #expect(lone.map { "\($0)".contains("needs study-chain-node") } == true)
    }

    /// A data folder with a payout of 20 for one participant.
    private func makeStudy(_ folder: DataFolder) throws -> StudyCode {
      let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
      let begins = now - .days(10)
      let service = try folder.studies(StudySettings())
      let code = try #require(StudyCode("air"))
      var study = Study(
        code: code, title: "Air", state: .open, begins: begins, ends: now + .days(60),
        consents: [ConsentText(version: 1, texts: [.init("en", "I agree")])])
      var rules = RewardRules()
      rules.minimumPayout = 1
      rules.minutesPerCredit = 10
      rules.minimumMinutes = 10
      study.rewards = rules
      try service.save(study, by: "op", now: begins)
      let participant = try service.enrol(
        EnrolmentRequest(study: code, consent: 1, identity: Identity(payment: Self.receiver)), now: begins
      ).participant
      func id() -> FixID { FixID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }
      _ = try service.store.add([
        StudyEvent(
          id: id(), participant: participant.id, time: begins, received: begins, kind: .trackingStarted,
          permission: nil, value: nil)
      ])
      // Noon of a day that is closed, so that no day ends in between.
      let noon = Instant(milliseconds: (now - .days(5)).milliseconds / 86_400_000 * 86_400_000) + .hours(12)
      _ = try service.store.add(
        (0..<21).map { minute in
          StudyLocation(
            id: id(), participant: participant.id, time: noon + .minutes(Int64(minute)),
            coordinate: Coordinate(longitude: 13 + Double(minute) * 1e-4, latitude: 52), accuracy: 8,
            activity: .walking)
        })
      return code
    }

    /// The command is killed while the node keeps the answer back, after it took the transaction. The next run settles the same
    /// transaction: the balance rises once.
    @Test(
      hasLibrary, .enabled(if: LocalChain.isAvailable, "scripts/setup --tests installs eth-tester and Vyper"))
    func aKillBetweenSendingAndRecordingPaysOnce() async throws {
      let scratch = try TemporaryFolder()
      let folder = try DataFolder(scratch.path("data"))
      let code = try makeStudy(folder)
      let chain = try LocalChain(payer: Self.account)
      let environment = [
        "CORDON_STUDIES": "yes", "CORDON_STUDY_CHAIN_NODE": chain.url, "CORDON_STUDY_CHAIN_CONTRACT": chain.token,
        "CORDON_STUDY_CHAIN_NUMBER": String(chain.number),
        "CORDON_STUDY_CHAIN_KEY_FILE": try Self.file(scratch, Self.key), "CORDON_STUDY_CHAIN_CONFIRMATIONS": "2",
      ]
      let command = ["study", "reward", "--data", folder.path, code.rawValue]
      try await chain.fault("hold")
      let first = try Program(Program.server, command, environment: environment)
      try await wait { try await chain.sends().count == 1 }
      first.signal(SIGKILL)
      _ = await first.end()
      try await chain.fault("")
      #expect(try await chain.balance(of: Self.receiver) == 20)
      func run() async throws -> String {
        let result = try await Program.run(Program.server, command, environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        #expect(!(result.output + result.errors).contains(Self.key))
        return result.output
      }
      // One block confirms it, and two are wanted.
      #expect(try await run() == "earned 0, reserved 0, paid 0, refused 0, unknown 1\n")
      try await chain.call("test_mine", [1])
      #expect(try await run() == "earned 0, reserved 0, paid 1, refused 0, unknown 0\n")
      #expect(try await run() == "earned 0, reserved 0, paid 0, refused 0, unknown 0\n")
      #expect(try await chain.balance(of: Self.receiver) == 20)
      #expect(Set(try await chain.sends()).count == 1)
      let ledger = try folder.studies(StudySettings()).store.ledger(of: code)
      #expect(ledger.map(\.kind) == [.earned, .reserved, .approved, .signed, .settled])
      // The key is in none of the files.
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let data = FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data()
        #expect(data.range(of: Data(Self.key.utf8)) == nil && data.range(of: Data(repeating: 0x46, count: 32)) == nil)
      }
    }

    /// The owner used the nonce of a payout by hand: the command releases it when the chain proves that, and the next run pays.
    @Test(
      hasLibrary, .enabled(if: LocalChain.isAvailable, "scripts/setup --tests installs eth-tester and Vyper"))
    func theCommandReleasesAPayout() async throws {
      let scratch = try TemporaryFolder()
      let folder = try DataFolder(scratch.path("data"))
      let code = try makeStudy(folder)
      let chain = try LocalChain(payer: Self.account)
      let environment = [
        "CORDON_STUDIES": "yes", "CORDON_STUDY_CHAIN_NODE": chain.url, "CORDON_STUDY_CHAIN_CONTRACT": chain.token,
        "CORDON_STUDY_CHAIN_NUMBER": String(chain.number),
        "CORDON_STUDY_CHAIN_KEY_FILE": try Self.file(scratch, Self.key), "CORDON_STUDY_CHAIN_CONFIRMATIONS": "2",
      ]
      func run(_ command: String, _ arguments: String...) async throws -> (status: Int32, text: String) {
        let end = try await Program.run(
          Program.server, ["study", command, "--data", folder.path, code.rawValue] + arguments,
          environment: environment)
        return (end.status, end.output + end.errors)
      }
      try await chain.fault("drop")
      #expect(try await run("reward").status == 0)
      try await chain.fault("")
      let early = try await run("release", "1", "--reason", "nonce used by hand")
      #expect(early.status != 0 && early.text.contains("payout 1 stays open"), "\(early)")
      let key = try ChainKey(contents: Array(Self.key.utf8), library: try #require(Self.library))
      let other = TransactionDraft(
        nonce: 0, fee: .market(maximum: 90_000_000_000, tip: 1_000_000_000), gasLimit: 21_000,
        to: try #require(EthereumAddress(Self.token)), data: [], chain: chain.number)
      try await chain.call("test_spend", [Hexadecimal.text(other.signed(try key.sign(other.signingHash)))])
      try await chain.call("test_mine", [1])
      let released = try await run("release", "1", "--reason", "nonce used by hand")
      #expect(released.text == "payout 1 released: another transaction with the nonce 0 has 2 confirmations\n")
      #expect(released.status == 0)
      let again = try await run("release", "1", "--reason", "nonce used by hand")
      #expect(again.status != 0 && again.text.contains("payout 1 is not approved and unpaid"))
      #expect(try await run("reward").text == "earned 0, reserved 1, paid 0, refused 0, unknown 1\n")
      #expect(try await chain.balance(of: Self.receiver) == 20)
      let ledger = try folder.studies(StudySettings()).store.ledger(of: code)
      #expect(
        ledger.map(\.kind) == [.earned, .reserved, .approved, .signed, .released, .reserved, .approved, .signed])
    }
  }
#endif
