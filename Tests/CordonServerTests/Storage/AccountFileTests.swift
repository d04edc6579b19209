import CordonOperators
import CordonServer
import CordonStoreConformance
import CordonTestSupport
import Foundation
import Testing

/// Accounts and sessions in the files of a data folder answer as those in memory do.
@Suite("Accounts in files") struct AccountFileTests {
  @Test(arguments: UInt64(1)...4)
  func filesAnswerAlike(_ seed: UInt64) throws {
    let scratch = try TemporaryFolder()
    let folder = try DataFolder(scratch.path("data"))
    var comparison = AccessComparison(
      sessions: try SQLiteSessionStore(path: folder.sessionsPath), accounts: folder.sealedAccounts, seed: seed)
    comparison.run(steps: 120)
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// Accounts in a database need the key of the folder in which they were encrypted; none is made to open them.
  @Test func accountsOpenWithTheirKeyAlone() throws {
    let scratch = try TemporaryFolder()
    let (one, other) = (try DataFolder(scratch.path("one")), try DataFolder(scratch.path("other")))
    let ada = OperatorAccount(id: "op-a", name: "Ada Example", everywhere: .admin)
    let sealed = try one.accountSeal.seal([ada])
    #expect(try one.accountSeal.open(sealed) == [ada])
    #expect(Data(sealed).range(of: Data("Ada".utf8)) == nil)
    #expect(throws: DataFolder.Fault.self) { try other.accountSeal.open(sealed) }
    #expect(!FileManager.default.fileExists(atPath: other.path + "/operators.key"))
    _ = try other.accountSeal.seal([])
    #expect(throws: DataFolder.Fault.self) { try other.accountSeal.open(sealed) }
  }
}
