import CordonMonitoring
import CordonSealing
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("AES-GCM under keys of a key store")
struct AESGCMSealerTests {
  let place: [UInt8] = [1, 2, 3]

  @Test func sealedDataOpensOnlyAtItsPlace() throws {
    let sealer = AESGCMSealer(keys: ScriptedKeyStore())
    for count in [0, 1, 45, 10_000] {
      let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let sealed = try sealer.seal(plain, at: place)
      #expect(sealed.count == plain.count + 33)
      #expect(try sealer.open(sealed, at: place) == plain)
      let error = #expect(throws: SealingError.self) { try sealer.open(sealed, at: [1, 2, 4]) }
      #expect(error?.kind == .damaged)
    }
  }

  @Test func everyChangedBitIsDetected() throws {
    let sealer = AESGCMSealer(keys: ScriptedKeyStore())
    let sealed = try sealer.seal([7, 8, 9], at: place)
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let error = #expect(throws: SealingError.self) { try sealer.open(changed, at: place) }
      #expect(error?.kind == .damaged || error?.kind == .lostKey)
    }
    for count in 0..<sealed.count {
      #expect(throws: SealingError.self) { try sealer.open(Array(sealed.prefix(count)), at: place) }
    }
  }

  @Test func sealingEqualBytesGivesDifferentResults() throws {
    let sealer = AESGCMSealer(keys: ScriptedKeyStore())
    let sealed = try (0..<200).map { _ in try sealer.seal([1, 2, 3, 4], at: place) }
    #expect(Set(sealed).count == 200)
  }

  @Test func renewalUsesANewKeyAndOldBytesStillOpen() throws {
    let sealer = AESGCMSealer(keys: ScriptedKeyStore())
    let old = try sealer.seal([1], at: place)
    #expect(sealer.key(of: old) == 1)
    #expect(try sealer.renewKey() == 2)
    let new = try sealer.seal([1], at: place)
    #expect(sealer.key(of: new) == 2)
    #expect(try sealer.open(old, at: place) == [1])
    try sealer.dropKeys(before: 2)
    #expect(try sealer.open(new, at: place) == [1])
    let error = #expect(throws: SealingError.self) { try sealer.open(old, at: place) }
    #expect(error?.kind == .lostKey)
  }

  @Test func aLockedKeyStoreIsNotReadAsEmpty() throws {
    let keys = ScriptedKeyStore()
    let sealed = try AESGCMSealer(keys: keys).seal([1], at: place)
    keys.isLocked = true
    let sealer = AESGCMSealer(keys: keys)
    var error = #expect(throws: SealingError.self) { try sealer.open(sealed, at: place) }
    #expect(error?.kind == .locked)
    error = #expect(throws: SealingError.self) { try sealer.currentKey() }
    #expect(error?.kind == .locked)
    keys.isLocked = false
    #expect(try sealer.open(sealed, at: place) == [1])
    #expect(try keys.keys().count == 1, "no second key was made meanwhile")
  }
}

@Suite("Keys in a file")
struct FileKeyStoreTests {
  @Test func keysAreReadableByTheirOwnerOnly() throws {
    let folder = try TemporaryFolder()
    let keys = FileKeyStore(path: folder.path("keys"))
    #expect(try keys.keys().isEmpty)
    for number in [2, 1] as [UInt32] {
      try keys.add(SealingKey(number: number, bytes: [UInt8](repeating: UInt8(number), count: 32)))
    }
    #expect(try keys.keys().map(\.number) == [1, 2])
    #expect(try keys.keys()[1].bytes == [UInt8](repeating: 2, count: 32))
    let mode = try FileManager.default.attributesOfItem(atPath: keys.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    try keys.remove(1)
    #expect(try keys.keys().map(\.number) == [2])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["keys"])
  }

  @Test func aKeyFileReadableByOthersIsRefused() throws {
    let folder = try TemporaryFolder()
    let keys = FileKeyStore(path: folder.path("keys"))
    try keys.add(SealingKey(number: 1, bytes: [UInt8](repeating: 1, count: 32)))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: keys.path)
    let error = #expect(throws: SealingError.self) { try keys.keys() }
    #expect(error?.description.contains("chmod 600") == true)
  }

  @Test(arguments: ["1", "1 zz", "0 \(String(repeating: "0a", count: 32))", "x \(String(repeating: "0a", count: 32))"])
  func aDamagedKeyFileIsAnErrorAndIsNotQuoted(line: String) throws {
    let folder = try TemporaryFolder()
    let keys = FileKeyStore(path: folder.path("keys"))
    try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: keys.path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys.path)
    let error = #expect(throws: SealingError.self) { try keys.keys() }
    #expect(error?.description.hasSuffix("keys:1: not a number and 64 hexadecimal digits") == true)
  }

  @Test func keysAreNeverPrinted() {
    let key = SealingKey(number: 3, bytes: [UInt8](repeating: 0xab, count: 32))
    #expect("\(key)" == "key 3")
    var text = ""
    dump(key, to: &text)
    #expect(!text.contains("171") && !text.contains("ab"))
  }
}
