import CordonCore
import Foundation
import Testing

@testable import CordonIngest

/// The person's own page: short codes, what they open, and the export by an administrator.
@Suite("The page of a person") struct PersonPageTests {
  private static func code(_ bench: Bench, _ phone: Bench.Phone, _ name: String) throws -> String {
    let answer = bench.send("POST", "/v1/devices/\(name)/page-code", "", phone.bearer)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(try answer.object["code"] as? String)
  }

  private static func use(_ bench: Bench, _ code: String) -> IngestResponse {
    bench.send("POST", "/v1/page-code", #"{"code": "\#(code)"}"#)
  }

  @Test func aCodeOpensOnceForTenMinutes() throws {
    let bench = try Bench()
    let phone = try bench.phone("ada")
    let first = try Self.code(bench, phone, "ada")
    let code = try Self.code(bench, phone, "ada")
    #expect(code.count == 12 && code != first)
    #expect(Self.use(bench, first).status == 403, "a new code replaces the former one")
    let typed = code.prefix(4).lowercased() + "-" + code.dropFirst(4) + " "
    let answer = Self.use(bench, typed)
    #expect(try answer.status == 200 && answer.object["device"] as? String == "ada")
    let token = try #require(try answer.object["token"] as? String)
    #expect(bench.send("GET", "/v1/devices/ada/data", "", .init("authorization", "Bearer \(token)")).status == 200)
    #expect(Self.use(bench, code).status == 403)
    let late = try Self.code(bench, phone, "ada")
    bench.now = bench.now + .minutes(10)
    #expect(Self.use(bench, late).status == 403)
  }

  @Test func thePageErasesItsDeviceAndNoOther() throws {
    let bench = try Bench()
    let phones = [try bench.phone("ada"), try bench.phone("bea")]
    let answer = Self.use(bench, try Self.code(bench, phones[0], "ada"))
    let key = try #require(try answer.object["key"] as? String)
    #expect(bench.send("DELETE", "/v1/devices/bea", #"{"page_key": "\#(key)"}"#).status == 403)
    #expect(bench.send("DELETE", "/v1/devices/ada", #"{"page_key": "\#(key)x"}"#).status == 403)
    let receipt = bench.send("DELETE", "/v1/devices/ada", #"{"page_key": "\#(key)"}"#)
    #expect(try receipt.status == 200 && receipt.object["device"] as? String == "ada")
    #expect(bench.send("GET", "/v1/devices/ada/data", "", phones[0].bearer).status == 410)
    let other = Self.use(bench, try Self.code(bench, phones[1], "bea"))
    let late = try #require(try other.object["key"] as? String)
    bench.now = bench.now + .minutes(30)
    #expect(bench.send("DELETE", "/v1/devices/bea", #"{"page_key": "\#(late)"}"#).status == 403)
  }

  /// A device that was set free has another holder: a code of the former one opens nothing.
  @Test func aCodeEndsWithItsHolder() throws {
    let bench = try Bench()
    let phone = try bench.phone("ada")
    let code = try Self.code(bench, phone, "ada")
    #expect(bench.asAdmin("POST", "/v1/operator/devices/ada/reset", #"{"reason": "case 9"}"#).status < 300)
    #expect(Self.use(bench, code).status == 403)
  }

  @Test func anAdministratorExportsWithAReasonThatThePersonSees() throws {
    let bench = try Bench()
    let phone = try bench.phone("ada")
    let path = "/v1/operator/devices/ada/data"
    #expect(bench.asAdmin("POST", path, "{}").status == 400, "a reason is needed")
    let viewer = bench.send("POST", path, #"{"reason": "case 9"}"#, Bench.basic("op-viewer", "viewer's"))
    #expect(viewer.status == 403)
    let answer = bench.asAdmin("POST", path, #"{"reason": "asked for a copy"}"#)
    #expect(try answer.status == 200 && answer.object["device"] as? String == "ada")
    #expect(try answer.object["devices_met"] as? Int == 0)
    #expect(bench.asAdmin("POST", "/v1/operator/devices/nobody/data", #"{"reason": "case 9"}"#).status == 404)
    let own = bench.send("GET", "/v1/devices/ada/data", "", phone.bearer)
    let accesses = try #require(try own.object["accesses"] as? [[String: Any]])
    #expect(
      accesses.contains { $0["action"] as? String == "export data" && $0["reason"] as? String == "asked for a copy" })
  }
}
