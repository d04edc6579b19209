import CordonIngest
import CordonOperators
import CordonServer
import CordonTestSupport
import Foundation
import Testing

@Suite("Keys and operators")
struct DataFolderTests {
  @Test func operatorsAreSealedAndKeysRotate() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("folder")
    let folder = try DataFolder(path)
    let added = try folder.addOperator(name: "Ada Example", role: .operator, venues: nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let data = try #require(FileManager.default.contents(atPath: path + "/" + name))
      #expect(data.range(of: Data("Ada Example".utf8)) == nil)
      #expect(data.range(of: Data(added.key.utf8)) == nil)
      let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    #expect(try folder.accounts().map(\.name) == ["Ada Example"])
    #expect(try folder.operators().first?.keyHash == Operator.hash(ofKey: added.key))
    let before = try folder.keys()
    let name = try folder.rotateKeys()
    let after = try folder.keys()
    #expect(after.tokens.map(\.id) == [name, before.tokens[0].id])
    #expect(after.tombstone == before.tombstone)
    #expect(try folder.removeOperator(id: added.id))
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/operators.sealed"))
    #expect(throws: DataFolder.Fault.self) { try folder.operators() }
  }

  /// Two folders share no secret: there is no default one.
  @Test func everyFolderHasItsOwnKeys() throws {
    let scratch = try TemporaryFolder()
    let paths = ["one", "two"].map { scratch.path($0) }
    var secrets: [[UInt8]] = []
    for path in paths {
      let folder = try DataFolder(path)
      let added = try folder.addOperator(name: "Ada Example", role: .admin, venues: nil)
      let keys = try folder.keys()
      secrets += keys.tokens.map(\.secret) + [keys.tombstone, Array(added.key.utf8)]
      secrets.append(Array(try #require(FileManager.default.contents(atPath: path + "/operators.key"))))
    }
    #expect(secrets.count == 8)
    #expect(Set(secrets).count == 8)
    #expect(secrets.allSatisfy { $0.count >= 32 })
  }

  /// One process writes to a folder at a time.
  @Test func aFolderHasOneOwner() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("folder")
    let folder = try DataFolder(path)
    let lock = try folder.lock()
    #expect(throws: DataFolder.Fault.self) { try DataFolder(path).lock() }
    lock.release()
    try folder.lock().release()
  }

  /// RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func codesMatchTheStandard(key: [UInt8], message: String, code: String) {
    let found = HMACSigner().authenticationCode(of: Array(message.utf8), key: key)
    #expect(found.map { String(UInt16($0) | 0x100, radix: 16).suffix(2) }.joined() == code)
  }
}
