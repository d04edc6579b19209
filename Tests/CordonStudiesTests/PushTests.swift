import CordonCore
import CordonSupport
import CordonWire
import Crypto
import Foundation
import Testing

@testable import CordonStudies

@Suite("Push messages") struct PushTests {
  private let message = PushMessage(
    service: "apns", token: "00aa", key: "0123456789abcdef0123456789abcdef", language: "en", permissions: [.location])

  @Test func appleGetsAProviderTokenAndOneKeyForRepetitions() throws {
    let key = P256.Signing.PrivateKey()
    let adapter = try APNsRequest(
      topic: "org.example.app", keyID: "ABC123DEFG", team: "DEF123GHIJ", privateKey: key.pemRepresentation)
    let token = try adapter.providerToken(now: start)
    let parts = token.split(separator: ".").map(String.init)
    func decoded(_ text: String) -> Data? {
      let padded = text.replacing("-", with: "+").replacing("_", with: "/")
      return Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
    }
    #expect(decoded(parts[0]).map { String(decoding: $0, as: UTF8.self) } == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
    #expect(decoded(parts[1]).map { String(decoding: $0, as: UTF8.self) } == #"{"iss":"DEF123GHIJ","iat":1767225600}"#)
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(decoded(parts[2])))
    #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    let request = adapter.request(message, providerToken: token)
    #expect(request.url == "https://api.push.apple.com/3/device/00aa")
    #expect(request.headers.contains(.init("apns-collapse-id", message.key)) && message.key.utf8.count <= 64)
    #expect(throws: StudyError.self) { try APNsRequest(topic: "", keyID: "", team: "", privateKey: "x") }
  }

  @Test func firebaseGetsTheMessageOfItsProtocol() throws {
    let request = FCMRequest(project: "p-1").request(message, accessToken: "ya29")
    let body = try JSONReader.value(of: request.body)
    #expect(request.url == "https://fcm.googleapis.com/v1/projects/p-1/messages:send")
    #expect(body["message"]?["token"] == "00aa" && body["message"]?["android"]?["collapse_key"] == .string(message.key))
    #expect(request.headers.contains(.init("authorization", "Bearer ya29")))
  }

  @Test func answersAreSentFailedOrGone() {
    func answer(_ status: Int, _ body: String) -> IncomingResponse {
      IncomingResponse(status: status, body: Array(body.utf8))
    }
    #expect(APNsRequest.result(answer(200, "")) == .sent)
    #expect(APNsRequest.result(answer(410, #"{"reason":"Unregistered"}"#)) == .gone)
    #expect(APNsRequest.result(answer(400, #"{"reason":"BadDeviceToken"}"#)) == .gone)
    #expect(APNsRequest.result(answer(429, #"{"reason":"TooManyRequests"}"#)) == .failed)
    #expect(APNsRequest.result(nil) == .failed)
    #expect(FCMRequest.result(answer(200, "{}")) == .sent)
    #expect(FCMRequest.result(answer(404, #"{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}"#)) == .gone)
    #expect(FCMRequest.result(answer(503, "")) == .failed)
  }
}
