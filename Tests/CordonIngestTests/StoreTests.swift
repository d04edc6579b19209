import CordonCore
import CordonIngest
import CordonTestSupport
import CordonTesting
import CordonVenues
import Foundation
import Testing

@Suite("The store in a file")
struct StoreTests {
  @Test func aBackupIsCompleteAndCanReplaceTheStore() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("phone-1")
    try bench.post((0..<200).map { try bench.location("phone-1", at: bench.now - .seconds(Int64($0))) }, by: phone)
    let copy = (bench.folder ?? "") + "/copy.sqlite"
    try bench.store.backUp(to: copy, log: nil)
    try bench.post([try bench.location("phone-1", at: bench.now + .seconds(1))], by: phone)
    try SQLitePositionStore.check(path: copy)
    let consents = try SQLitePositionStore(path: copy).consents(of: try bench.number(of: "phone-1"))
    #expect(consents.map(\.purposes) == [["record", "share"]])
    #expect(try SQLitePositionStore(path: copy).positionCount() == 200)
    #expect(try bench.store.positionCount() == 201)
    var damaged = try Data(contentsOf: URL(fileURLWithPath: copy))
    for index in 5_000..<9_000 { damaged[index] = 0x5a }
    let broken = (bench.folder ?? "") + "/broken.sqlite"
    try damaged.write(to: URL(fileURLWithPath: broken))
    #expect(throws: StoreFault.self) { try SQLitePositionStore.check(path: broken) }
    let text = (bench.folder ?? "") + "/text.sqlite"
    try Data("hello".utf8).write(to: URL(fileURLWithPath: text))
    #expect(throws: StoreFault.self) { try SQLitePositionStore.check(path: text) }
  }

  /// A file of a newer program is left unchanged, whatever opens it.
  @Test func aNewerFileIsRefused() throws {
    let bench = try Bench(inFile: true)
    _ = try bench.phone("phone-1")
    let copy = (bench.folder ?? "") + "/copy.sqlite"
    try bench.store.backUp(to: copy, log: nil)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    // The version stands in bytes 60 to 63 of the file, most significant first.
    #expect(Int(bytes[63]) == SQLitePositionStore.schemaVersion)
    bytes[63] += 1
    try bytes.write(to: URL(fileURLWithPath: copy))
    func isRefused(_ open: () throws -> Void) -> Bool {
      do {
        try open()
        return false
      } catch {
        return (error as? StoreFault)?.kind == .newerVersion
      }
    }
    #expect(isRefused { _ = try SQLitePositionStore(path: copy) })
    #expect(isRefused { try SQLitePositionStore.check(path: copy) })
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
  }

  @Test func readersSeeCommittedDataAndCannotWrite() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("phone-1")
    try bench.post([try bench.location("phone-1", at: bench.now)], by: phone)
    var options = SQLitePositionStore.Options()
    options.isReadOnly = true
    let reader = try SQLitePositionStore(path: bench.path, options: options)
    #expect(try reader.positionCount() == 1)
    #expect(throws: StoreFault.self) {
      try reader.begin()
      _ = try reader.removeInvite(1)
    }
  }

  @Test func aRestartContinues() throws {
    let bench = try Bench(inFile: true)
    let phone = try bench.phone("phone-1")
    let row = try bench.location("phone-1", at: bench.now)
    try bench.post([row], by: phone)
    let again = try Bench(path: bench.path)
    #expect(try again.post([row], by: phone) == [.known])
    #expect(try again.store.positionCount() == 1)
  }

  /// A bundle that is damaged while the server runs causes no failure: the last good version stays in use.
  @Test func aDamagedBundleIsServedFromItsLastCopy() throws {
    let root = Places.package
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    let file = folder + "/office.mvf.zip"
    try FileManager.default.copyItem(atPath: root.path + "/venues/office.mvf.zip", toPath: file)
    let first = VenueCatalog.load(folder: folder)
    #expect(first.catalog.ids.count == 1)
    try Data("half a file".utf8).write(to: URL(fileURLWithPath: file))
    let (again, refused) = VenueCatalog.load(folder: folder, keeping: first.catalog)
    #expect(again.ids == first.catalog.ids)
    #expect(refused.map { $0.reason.contains("served on") } == [true])
    #expect(VenueCatalog.load(folder: folder, keeping: again).catalog.ids == first.catalog.ids, "however often")
    #expect(VenueCatalog.load(folder: folder).catalog.ids.isEmpty)
    // A bundle that was removed is gone.
    try FileManager.default.removeItem(atPath: file)
    #expect(VenueCatalog.load(folder: folder, keeping: again).catalog.ids.isEmpty)
  }

  @Test func venuesAreServedWithTagsAndBundlesOnlyToMembers() throws {
    let root = Places.package
    let (catalog, refused) = VenueCatalog.load(folder: root.path + "/venues")
    #expect(catalog.ids.count == 3)
    #expect(Set(refused.map { $0.path.split(separator: "/").last }) == ["README.md", "scenarios"])
    let bench = try Bench()
    let preprocessor = RequestPreprocessor(
      settings: IngestSettings(), catalog: catalog, signer: PlainSigner(), keys: bench.keys,
      operators: [Operator(id: "op-admin", role: .admin, key: bench.admin)])
    bench.ingest.replace(preprocessor)
    let id = try #require(catalog.ids.first).rawValue
    let packed = bench.send("GET", "/v1/venues/\(id)/packed")
    #expect(packed.status == 200)
    let tag = try #require(packed.header("etag"))
    #expect(bench.send("GET", "/v1/venues/\(id)/packed", "", .init("if-none-match", tag)).status == 304)
    #expect(bench.send("GET", "/v1/venues/\(id)/packed", "", .init("if-none-match", "\"x\", W/\(tag)")).status == 304)
    #expect(bench.send("GET", "/v1/venues/\(id)/packed", "", .init("if-none-match", "\"x\"")).status == 200)
    #expect(bench.send("GET", "/v1/venues/\(id)/bundle").status == 401)
    #expect(bench.asAdmin("GET", "/v1/venues/\(id)/bundle").status == 200)
    #expect(bench.send("GET", "/v1/venues/..%2f..%2fetc/packed").status == 404)
    let code = try bench.invite(venue: id)
    let secret = try bench.activate("phone-1", code: code)
    let token = try bench.token("phone-1", secret: secret)
    let bearer = IngestRequest.Header("authorization", "Bearer \(token)")
    #expect(bench.send("GET", "/v1/venues/\(id)/bundle", "", bearer).status == 200)
    let other = try #require(catalog.ids.last).rawValue
    #expect(bench.send("GET", "/v1/venues/\(other)/bundle", "", bearer).status == 403)
  }
}
