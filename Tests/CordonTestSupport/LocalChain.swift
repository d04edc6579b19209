#if canImport(Glibc)
  package import Foundation
  import Glibc

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A chain of eth-tester on loopback with a token (`Tests/Chain/chain.py`). It ends with the process that started it.
  package final class LocalChain: Sendable {
    /// Its JSON-RPC.
    package let url: String
    /// The number of the chain.
    package let number: UInt64
    /// The address of the token.
    package let token: String
    private let child: Child

    /// The Python with eth-tester and the compiler of the token.
    package static let python = Places.file(".build/chain/bin/python")

    /// Whether the tests can run one.
    package static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    /// A failure of the chain or of a call.
    package struct Failure: Error {
      package let description: String
    }

    /// Starts a chain.
    /// - Parameters:
    ///   - payer: the account that gets units of the token, and wei for gas.
    ///   - supply: the units.
    ///   - wei: the wei.
    package init(payer: String, supply: UInt64 = 1_000_000, wei: UInt64 = 1_000_000_000_000_000_000) throws {
      let child = try Child(
        LocalChain.python.path, [Places.file("Tests/Chain/chain.py").path, payer, String(supply), String(wei)])
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while read(child.output, &byte, 1) == 1, byte != 0x0a { line.append(byte) }
      guard let place = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        let port = place["port"] as? Int, let number = place["chain"] as? Int, let token = place["token"] as? String
      else {
        child.destroy()
        throw Failure(description: String(decoding: LocalChain.rest(of: child.errors), as: UTF8.self))
      }
      self.child = child
      url = "http://127.0.0.1:\(port)"
      self.number = UInt64(number)
      self.token = token
    }

    private static func rest(of descriptor: Int32) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptor, &bytes, bytes.count)
      return Array(bytes.prefix(max(count, 0)))
    }

    /// Posts JSON; `nil` when the connection ended without an answer.
    package func post(_ body: Data) async -> Data? {
      guard let address = URL(string: url) else { return nil }
      var request = URLRequest(url: address)
      request.httpMethod = "POST"
      request.httpBody = body
      request.setValue("application/json", forHTTPHeaderField: "content-type")
      return try? await URLSession.shared.data(for: request).0
    }

    /// Calls a method of the chain or of the tests; the result as JSON allows it.
    @discardableResult
    package func call(_ method: String, _ parameters: [Any] = []) async throws -> Any? {
      let body = try JSONSerialization.data(
        withJSONObject: ["jsonrpc": "2.0", "id": 1, "method": method, "params": parameters])
      guard let data = await post(body), let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any],
        answer["error"] == nil
      else { throw Failure(description: "\(method) failed") }
      return answer["result"]
    }

    /// The units of the token that an account has.
    package func balance(of account: String) async throws -> Int {
      Int(try await call("test_balance", [account]) as? String ?? "") ?? -1
    }

    /// The signed transactions that were sent, with repetitions.
    package func sends() async throws -> [String] { try await call("test_sends") as? [String] ?? [] }

    /// Changes the answers from now on: `down`, `nonsense`, `hold`, `lose`, `drop`, or empty for none.
    package func fault(_ name: String) async throws { try await call("test_fault", [name]) }

    /// Ends it.
    package func stop() { child.destroy() }
  }
#endif
