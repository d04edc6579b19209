import CordonCore
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Glibc
import Testing

@Suite("A store's file has one owner")
struct OwnershipTests {
  /// Opens a store that must be refused.
  private func refusal(_ path: String) -> StoreError? {
    do throws(StoreError) {
      _ = try SQLiteStore(path: path)
      return nil
    } catch {
      return error
    }
  }

  private func phone(on store: any Store) throws -> TestPhone {
    try TestPhone(store: store)
  }

  @Test func aSecondStoreInOneProcessIsRefused() throws {
    let folder = try TemporaryFolder()
    let link = folder.path("link.sqlite")
    var first: SQLiteStore? = try SQLiteStore(path: folder.path("store.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("store.sqlite"))
    for path in [folder.path("store.sqlite"), folder.url.path + "/./store.sqlite", link] {
      let error = try #require(refusal(path))
      #expect(error.kind == .inUse)
      #expect(error.description.contains("by this process"), "\(error)")
    }
    // The refused store has not touched the locks of the first, nor its rows.
    let phone = try phone(on: try #require(first))
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 1), for: .minutes(1))
    #expect(phone.accounting.stored > 0 && !phone.runtime.hasUnfinishedWrites)
    withExtendedLifetime(phone) {}
    first = nil
  }

  @Test func aFileIsFreeAgainWhenItsStoreIsReleased() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<3 {
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      #expect(refusal(folder.path("store.sqlite"))?.kind == .inUse)
      withExtendedLifetime(store) {}
    }
    // A store that could not be opened releases all locks.
    try SQLiteFile.execute(folder.path("store.sqlite"), "INSERT INTO grdb_migrations VALUES ('999')")
    for _ in 0..<2 { #expect(refusal(folder.path("store.sqlite"))?.kind == .newerVersion) }
    try SQLiteFile.execute(folder.path("store.sqlite"), "DELETE FROM grdb_migrations WHERE identifier = '999'")
    #expect(refusal(folder.path("store.sqlite")) == nil)
  }

  @Test func aFileWithTwoNamesIsRefused() throws {
    let folder = try TemporaryFolder()
    let other = folder.path("other.sqlite")
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      try FileManager.default.linkItem(atPath: folder.path("store.sqlite"), toPath: other)
      #expect(refusal(other)?.kind == .inUse)
      withExtendedLifetime(store) {}
    }
    #expect(refusal(other)?.kind == .inUse, "another process may have it open under the other name")
    unlink(folder.path("store.sqlite"))
    #expect(refusal(other) == nil)
  }

  @Test func aRenamedFileIsTheSameFile() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    try FileManager.default.moveItem(atPath: folder.path("store.sqlite"), toPath: folder.path("moved.sqlite"))
    #expect(refusal(folder.path("moved.sqlite"))?.kind == .inUse)
    withExtendedLifetime(store) {}
  }

  @Test func theLockFileContainsOnlyTheProcess() throws {
    let folder = try TemporaryFolder()
    let lock = folder.path("store.sqlite") + ".lock"
    do {
      let store = try SQLiteStore(path: folder.path("store.sqlite"))
      #expect(try String(contentsOfFile: lock, encoding: .utf8) == "\(getpid())\n")
      withExtendedLifetime(store) {}
    }
    #expect(try String(contentsOfFile: lock, encoding: .utf8).isEmpty)
    #expect(try FileManager.default.attributesOfItem(atPath: lock)[.posixPermissions] as? Int == 0o600)
  }

  @Test(.enabled(if: KilledProcessTests.writer != nil, "the writer is built"))
  func anotherOwnerIsNamedAndItsDeathFreesTheFile() throws {
    let writer = try #require(KilledProcessTests.writer)
    let folder = try TemporaryFolder()
    for _ in 0..<5 {
      let child = try Child(writer.path, [folder.path("store.sqlite"), "1767254400000"])
      // It has the store when it prints its first row.
      var byte: UInt8 = 0
      #expect(read(child.output, &byte, 1) == 1)
      let error = try #require(refusal(folder.path("store.sqlite")))
      #expect(error.kind == .inUse)
      #expect(error.description.contains("process \(child.number)"), "\(error)")
      // Other processes may still read.
      #expect(try SQLiteFile.row(folder.path("store.sqlite"), "SELECT count(*) > 0 FROM device") == ["1"])
      child.signal(SIGKILL)
      #expect(child.wait() == 128 + SIGKILL)
      #expect(refusal(folder.path("store.sqlite")) == nil, "nothing has to be cleaned up")
    }
  }

  @Test func aSupersededStoreWritesNothing() throws {
    let folder = try TemporaryFolder()
    let first = try SQLiteStore(path: folder.path("store.sqlite"))
    let phone = try phone(on: first)
    phone.consentAndStart()
    phone.stay(at: (east: 1, north: 1), for: .minutes(1))
    let rows = try first.locations(of: phone.runtime.device)
    let device = phone.runtime.device
    // A program that does not use the lock.
    let second = try SQLiteStore(path: folder.path("store.sqlite"), sealer: nil, locks: false)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try first.begin(.normal) }
      #expect(error?.kind == .superseded)
    }
    #expect(throws: StoreError.self) { try first.beginGroup() }
    #expect(throws: StoreError.self) { try first.scrub() }
    #expect(try first.locations(of: device) == rows, "it may still be read")
    try second.begin(.normal)
    _ = try second.wipe(device)
    try second.commit()
    #expect(try second.locations(of: device).isEmpty)
    // The other way round: a store that read the file before another wrote to it is out of date.
    try first.takeOver()
    try first.begin(.normal)
    try first.commit()
    let error = #expect(throws: StoreError.self) { try second.begin(.normal) }
    #expect(error?.kind == .superseded)
  }

  /// Two programs, one of which ignores locks: the second withdraws, and the first continues.
  @Test func aWithdrawalIsNotUndoneByAnOlderOwner() throws {
    let folder = try TemporaryFolder()
    let first = try phone(on: try SQLiteStore(path: folder.path("store.sqlite")))
    first.isOnline = false
    first.consentAndStart()
    first.stay(at: (east: 1, north: 1), for: .minutes(2))
    let device = first.runtime.device
    do {
      let second = try TestPhone(
        store: try SQLiteStore(path: folder.path("store.sqlite"), sealer: nil, locks: false), seed: 2,
        start: first.now.wall)
      second.isOnline = false
      #expect(second.runtime.device == device)
      second.send(.withdraw)
      #expect(!second.runtime.hasUnfinishedWrites)
    }
    #expect(first.fix(at: (east: 2, north: 1)) != .none)
    first.stay(at: (east: 4, north: 1), for: .minutes(2))
    first.wait(.hours(2))
    #expect(first.runtime.isSuperseded)
    #expect(first.runtime.nextTimer == nil, "it does not try again and again")
    #expect(first.fix(at: (east: 2, north: 1)) == .refused(.storeFailed))
    let failures = first.notices.filter { if case .storeFailed = $0 { true } else { false } }
    #expect(failures.count == 1, "\(failures)")
    #expect(first.commands.suffix(3) == [.stopPositioning, .unwatchRegion, .unwatchWakeFence])
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: nil, locks: false)
    let record = try #require(try store.devices().first)
    let state = try #require(MonitorState(decoding: record.state))
    #expect(state.consent == nil, "the consent is not back")
    #expect(state.erasures.map(\.device) == [device], "the server is still asked to erase")
    #expect(try store.devices().count == 1 && store.locations(of: record.id).isEmpty)
  }

  /// The person withdraws in the program that no longer owns the store.
  @Test(arguments: [true, false])
  func aWithdrawalReclaimsTheStore(isKnown: Bool) throws {
    let folder = try TemporaryFolder()
    let first = try phone(on: try SQLiteStore(path: folder.path("store.sqlite")))
    first.isOnline = false
    first.consentAndStart()
    first.stay(at: (east: 1, north: 1), for: .minutes(2))
    let second = try TestPhone(
      store: try SQLiteStore(path: folder.path("store.sqlite"), sealer: nil, locks: false), seed: 2,
      start: first.now.wall)
    second.isOnline = false
    second.send(.start)
    second.stay(at: (east: 1, north: 1), for: .minutes(2))
    #expect(second.accounting.stored > first.accounting.stored)
    let device = second.runtime.device
    if isKnown {
      first.stay(at: (east: 1, north: 1), for: .minutes(1))
      #expect(first.runtime.isSuperseded)
    }
    first.send(.withdraw)
    #expect(!first.runtime.isSuperseded && !first.runtime.hasUnfinishedWrites)
    #expect(first.runtime.device != device && first.runtime.phase == .needsConsent)
    #expect(first.runtime.accounting.erased == second.accounting.onPhone)
    second.stay(at: (east: 2, north: 1), for: .minutes(2))
    #expect(second.runtime.isSuperseded)
    second.wait(.hours(2))
    let store = try SQLiteStore(path: folder.path("store.sqlite"), sealer: nil, locks: false)
    let record = try #require(try store.devices().first)
    let state = try #require(MonitorState(decoding: record.state))
    #expect(state.consent == nil && state.erasures.map(\.device) == [device])
    #expect(try store.devices().count == 1 && store.locations(of: record.id).isEmpty)
  }
}
