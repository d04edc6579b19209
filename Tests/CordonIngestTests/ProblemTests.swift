import CordonIngest
import CordonWire
import Testing

@Suite("Problem documents")
struct ProblemTests {
  @Test(arguments: Problem.Code.allCases)
  func aRefusalAsksForTheCredentialsThatAreMissing(_ code: Problem.Code) throws {
    let challenge = try #require(Problem(401, code, "text").response.header("www-authenticate"))
    let isAboutToken = code.rawValue.hasPrefix("token-")
    #expect(challenge.hasPrefix(isAboutToken ? "Bearer " : "Basic "))
  }

  @Test func theDocumentCarriesTheCode() throws {
    let document = try Problem(413, .tooManyRows, "text", row: 3).response.object
    #expect(document["type"] as? String == "urn:cordon:problem:too-many-rows")
    #expect(document["code"] as? String == "too-many-rows")
    #expect(document["row"] as? Int == 3)
  }

  /// A batch may have more rows than the server allows, or more than any server reads.
  @Test func aBatchBeyondTheFormatHasTooManyRows() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let row = #"{"device":"phone-1"}"#
    let rows = Array(repeating: row, count: PositionBatch.maximumRows + 1).joined(separator: ",")
    let answer = bench.send("POST", "/v1/positions", #"{"rows":[\#(rows)]}"#, phone.bearer)
    #expect(answer.status == 413)
    #expect(answer.code == "too-many-rows")
  }

  /// The text of a request body does not decide the error code.
  @Test func aNameInTheBodyDoesNotChangeTheCode() throws {
    let bench = try Bench()
    let phone = try bench.phone("phone-1")
    let name = "more than \(PositionBatch.maximumRows) rows"
    let answer = bench.send("POST", "/v1/positions", #"{"rows":[{"\#(name)":nope}]}"#, phone.bearer)
    #expect(answer.status == 400)
    #expect(answer.code == "bad-json")
  }
}
