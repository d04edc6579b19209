import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("A phone's day on a SQLite file")
struct FileChainTests {
  @Test func theStoreDeliversItsRows() throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url
    let store = try SQLiteStore(path: folder.appendingPathComponent("phone.sqlite").path)
    let phone = try TestPhone(store: store)
    phone.consentAndStart()
    phone.isOnline = false
    for step in 0..<60 { phone.stay(at: (east: Double(step % 30), north: 2), for: .seconds(10)) }
    phone.send(.stop)
    #expect(phone.accounting.onPhone == phone.accounting.stored)
    let kept = try store.locations(of: phone.runtime.device)
    #expect(kept.count == Int(phone.accounting.stored))
    phone.isOnline = true
    phone.wait(.hours(1))
    #expect(phone.accounting.onPhone == 0)
    #expect(phone.sink.locations == kept)
    #expect(try store.locations(of: phone.runtime.device).isEmpty)
  }
}
