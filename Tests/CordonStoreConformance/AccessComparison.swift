import CordonCore
package import CordonIngest
package import CordonOperators
import CordonTestSupport

/// The conformance test of the stores by which servers agree on who may do what: two of each kind receive the same calls, and must give
/// the same answers.
///
/// One is in memory, which is simple enough to be read.
package struct AccessComparison {
  private let sessions: [any SessionStore]
  private let failures: [any FailureStore]
  private let codes: [any PageCodeStore]
  private let accounts: [any OperatorAccounts]
  private var random: RandomStream
  private var made: UInt8 = 0
  /// The calls that were answered differently; empty when the stores agree.
  package private(set) var differences: [String] = []

  /// Empty stores that nothing else uses.
  /// - Parameter seed: the seed of the calls.
  package init(
    sessions: any SessionStore, failures: any FailureStore = MemoryFailureStore(),
    codes: any PageCodeStore = MemoryPageCodeStore(), accounts: any OperatorAccounts, seed: UInt64
  ) {
    self.sessions = [MemorySessionStore(), sessions]
    self.failures = [MemoryFailureStore(), failures]
    self.codes = [MemoryPageCodeStore(), codes]
    self.accounts = [MemoryAccounts(), accounts]
    random = RandomStream(seed: seed, stream: 0x33)
  }

  private mutating func below(_ bound: Int) -> Int { random.nextIndex(below: bound) }

  private mutating func ask<Store, T>(_ what: String, _ stores: [Store], _ query: (Store) throws -> T) {
    let answers = stores.map { store in
      do { return String(describing: try query(store)) } catch { return "\(error)" }
    }
    if answers[0] != answers[1] { differences.append("\(what): \(answers[0]) is not \(answers[1])") }
  }

  private static let start = Instant.testStart
  private static let devices = (0..<3).compactMap { DeviceID("phone-\($0)") }

  /// Makes calls at random.
  package mutating func run(steps: Int = 200) {
    for _ in 0..<steps {
      let now = Self.start + .minutes(Int64(below(60)))
      switch below(4) {
      case 0: signIn(now)
      case 1: fail(now)
      case 2: useCodes(now)
      default: changeAccounts()
      }
    }
  }

  private mutating func signIn(_ now: Instant) {
    let name = "op-\(below(3))"
    switch below(6) {
    case 0, 1:
      let counter = Int64(below(30))
      ask("use code", sessions) { try $0.useCode(counter, of: name) }
    case 2, 3:
      made &+= 1
      let attempt = PendingSignIn(key: [made], value: [0, made, 255], created: now)
      ask("save attempt", sessions) { try $0.save(attempt, maximum: 5) }
    case 4:
      let key = [made &- UInt8(below(4))]
      ask("take attempt", sessions) { try $0.takeAttempt(key) }
      ask("take it again", sessions) { try $0.takeAttempt(key) }
    default:
      if below(2) == 0 { ask("forget", sessions) { try $0.forget(name) } }
      if below(3) == 0 { ask("remove attempts", sessions) { try $0.removeAttempts(createdBefore: now) } }
    }
  }

  private mutating func fail(_ now: Instant) {
    let (name, address) = ("n\(below(2))", "a\(below(2))")
    let key: [UInt8] = [1, 2, 3]
    var subjects = [
      FailureSubject(.signInNameAtAddress, name, address, key: key), FailureSubject(.signInName, name, key: key),
      FailureSubject(.peer, address, key: key),
    ]
    // The order of the subjects is that of the counts.
    if below(2) == 0 { subjects.reverse() }
    let (change, isForgotten) = (Int64(below(3)), below(5) == 0)
    ask("update", failures) { store in
      try store.update(subjects) { counts -> String in
        for index in counts.indices {
          counts[index].failures += change + Int64(index)
          counts[index].free = now + .seconds(Int64(index))
          counts[index].ends = now + .minutes(5)
        }
        if isForgotten { counts[0] = FailureCount() }
        return "\(counts)"
      }
    }
    ask("counts", failures) { try $0.counts(of: subjects) }
    if below(4) == 0 { ask("expire", failures) { try $0.expire(failuresAt: now) } }
  }

  private mutating func useCodes(_ now: Instant) {
    let device = Self.devices[below(3)]
    made &+= 1
    let code = PageCode(hash: [7, made], device: device, generation: Int64(below(3)), end: now)
    let earlier = [UInt8(7), made &- UInt8(below(9))]
    switch below(8) {
    case 0: ask("save code", codes) { try $0.save(code: code) }
    case 1, 2, 3: ask("save key", codes) { try $0.save(key: code) }
    case 4:
      ask("take code", codes) { try $0.take(code: earlier) }
      ask("take it again", codes) { try $0.take(code: earlier) }
    case 5: if below(3) == 0 { ask("forget", codes) { try $0.forgetCodes(of: device) } }
    case 6: if below(3) == 0 { ask("expire", codes) { try $0.expire(codesAt: now - .minutes(30)) } }
    default: break
    }
    for back in UInt8(0)..<12 {
      let hash = [UInt8(7), made &- back]
      ask("key", codes) { try $0.key(hash) }
    }
  }

  private struct Refusal: Error {}

  private mutating func changeAccounts() {
    let id = "op-\(below(6))"
    let (action, byte) = (below(5), UInt8(below(256)))
    let venue = VenueID("hall")
    ask("change accounts", accounts) { store in
      try store.changeAccounts { list -> Int in
        let index = list.firstIndex { $0.id == id }
        switch (action, index) {
        case (0, _), (1, nil):
          guard index == nil else { return -1 }
          var account = OperatorAccount(id: id, name: "Ada \"\(byte)\" Ü", everywhere: byte % 2 == 0 ? .admin : nil)
          if let venue, byte % 3 != 0 || account.everywhere == nil { account.roles[venue] = .viewer }
          account.keyHash = [byte, 0]
          list.append(account)
        case (1, let index?):
          list[index].signInName = "ada\(byte)"
          list[index].password = "$scrypt$\(byte)"
          list[index].codeSecret = [byte, 1]
        case (2, let index?):
          list[index].isDisabled.toggle()
          list[index].pendingCodeSecret = [0, byte]
          list[index].subject = .init(issuer: "https://id.example", name: "\(byte)")
        case (3, let index?): list.remove(at: index)
        case (4, _):
          list.removeAll()
          throw Refusal()
        default: break
        }
        return list.count
      }
    }
    do {
      let (one, other) = (try accounts[0].accounts(), try accounts[1].accounts())
      if one != other { differences.append("accounts: \(one.map(\.id)) is not \(other.map(\.id))") }
    } catch {
      differences.append("accounts: \(error)")
    }
  }
}
