import Foundation
import Testing

@testable import CordonServer

/// The address by which a request is counted.
@Suite("The sender's address", .timeLimit(.minutes(10)))
struct SenderAddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:50123", "192.0.2.1"), (" \"192.0.2.1:80\" ", "192.0.2.1"),
    ("::ffff:192.0.2.1", "192.0.2.1"), ("[::ffff:192.0.2.1]:80", "192.0.2.1"), ("::FFFF:C000:201", "192.0.2.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("[2001:DB8:1:2::9]:443", "2001:db8:1:2::/64"),
    ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"), ("::1", "::1"),
    ("2001:db8::192.0.2.1", "2001:db8:0:0::/64"),
  ])
  func addressesAreReadInEveryProxyNotation(text: String, counted: String) throws {
    #expect(try #require(NetworkAddress(text)).countedAs == counted)
  }

  @Test(arguments: [
    "", " ", "unknown", "_hidden", "192.0.2", "192.0.2.256", "192.0.2.1:", "192.0.2.1:port", "192.0.2.1:123456", "[::1",
    "[::1]x", "[::1]:", "::g", "1.2.3.4.5", "192.0.2.1/24", "example.org", String(repeating: "1", count: 10_000),
  ])
  func invalidAddressesAreNotRead(text: String) { #expect(NetworkAddress(text) == nil) }

  @Test func rangesAreReadAndContainTheirAddresses() throws {
    func contains(_ range: String, _ address: String) throws -> Bool {
      try #require(NetworkRange(range)).contains(try #require(NetworkAddress(address)))
    }
    for (range, address, expected) in [
      ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.7", "192.0.2.7", true),
      ("192.0.2.7", "192.0.2.8", false), ("192.0.2.0/31", "::ffff:192.0.2.1", true), ("10.0.0.0/8", "a00::1", false),
      ("fd00::/8", "fdff:1::1", true), ("fd00::/8", "fe00::1", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
      ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::1", "::1", true), ("::1", "127.0.0.1", false),
      ("128.0.0.0/1", "200.0.0.1", true), ("128.0.0.0/1", "2001:db8::1", false),
    ] { #expect(try contains(range, address) == expected, "\(range) \(address)") }
    for text in ["", "10.0.0.0/0", "::/0", "10.0.0.0/33", "::1/129", "10.0.0.0/x", "10.0.0.0/", "proxy", "10.0.0.1:80"]
    {
      #expect(NetworkRange(text) == nil, "\(text)")
    }
    #expect(
      try NetworkRange.list(" 10.0.0.0/8,::1  192.0.2.7 ").map(\.description) == ["10.0.0.0/8", "::1", "192.0.2.7"])
    #expect(throws: NetworkRange.Unreadable(text: "all")) { try NetworkRange.list("10.0.0.0/8, all") }
    #expect(NetworkRange.loopback.count { $0.isLoopback } == 2)
    #expect(NetworkRange("127.0.0.0/7")?.isLoopback == false)
  }

  /// Each proxy appends the address of its client; entries of the client itself stand in front and decide nothing.
  @Test func theLastUntrustedHopIsTheClient() throws {
    let senders = SenderAddress(proxies: try NetworkRange.list("127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48"))
    for (socket, forwarded, counted) in [
      ("127.0.0.1", "192.0.2.1", "192.0.2.1"), ("127.0.0.1", "8.8.8.8, 192.0.2.1", "192.0.2.1"),
      ("127.0.0.1", "8.8.8.8, 192.0.2.1:1001", "192.0.2.1"), ("127.0.0.1", "192.0.2.1, 10.1.2.3", "192.0.2.1"),
      ("127.0.0.1", "8.8.8.8,192.0.2.1,10.1.2.3,10.9.9.9", "192.0.2.1"),
      ("127.0.0.1", "[2001:db8:1:2::77]:443, 2001:db8:ffff:9::1", "2001:db8:1:2::/64"),
      // Only trusted proxies: the first of them is the sender.
      ("127.0.0.1", "10.1.2.3, 10.1.2.4", "10.1.2.3"),
      // An unreadable entry hides the entries in front of it; the hop behind it is the last known one.
      ("127.0.0.1", "192.0.2.1, unknown", "127.0.0.1"), ("127.0.0.1", "192.0.2.1, junk, 10.1.2.3", "10.1.2.3"),
      ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", ",", "127.0.0.1"),
      // An untrusted proxy's entries about others are ignored.
      ("192.0.2.9", "8.8.8.8", "192.0.2.9"), ("192.0.2.9", "127.0.0.1", "192.0.2.9"),
    ] { #expect(senders.find(socket: socket, forwarded: forwarded) == counted, "\(socket) \(forwarded)") }
    #expect(senders.find(socket: "2001:db8:1:2::5", forwarded: nil) == "2001:db8:1:2::/64")
    #expect(SenderAddress(proxies: []).find(socket: "127.0.0.1", forwarded: "192.0.2.1") == "127.0.0.1")
  }

  private static let published = [
    "CORDON_PUBLISHED_USER": "user", "CORDON_PUBLISHED_PASSWORD": "a password of the owner",
  ]

  /// The number of 60 names that are looked up for a client that changes its `X-Forwarded-For` each time; `nil` when a minute of the
  /// clock ended meanwhile, with which counts begin anew.
  private func lookedUp(_ server: LiveServer, _ forwarded: (Int) -> String) async throws -> Int? {
    func minute() -> Int { Int(Date.now.timeIntervalSince1970 / 60) }
    let start = minute()
    var count = 0
    for k in 0..<60 {
      let answer = try await server.send("GET", "/device/name-\(k)/token", nil, ["x-forwarded-for": forwarded(k)])
      if answer.status == 400 { count += 1 }
    }
    return minute() == start ? count : nil
  }

  /// The client's entries, its port, and the rest of an IPv6 address change nothing.
  @Test func headersDoNotEvadeTheLimit() async throws {
    try await LiveServer.with(Self.published, arguments: ["--behind-proxy"]) { server in
      // Each attempt is another client.
      let clients: [(Int, Int) -> String] = [
        { "203.0.113.\($1), 192.0.2.1\($0)" }, { "192.0.2.2\($0):\(1_000 + $1)" },
        { "2001:db8:1:2\($0)::\(String($1, radix: 16))" },
        { "[2001:db8:1:3\($0)::\(String($1, radix: 16))]:\(1_000 + $1)" },
      ]
      for client in clients {
        var count: Int?
        for attempt in 0..<9 where count == nil { count = try await lookedUp(server) { client(attempt, $0) } }
        #expect(count == 30, "\(client(0, 7))")
      }
    }
  }

  @Test func headersNotSentByAProxyAreIgnored() async throws {
    let elsewhere = ["--behind-proxy", "--trusted-proxies", "192.0.2.0/24"]
    for arguments in [[], elsewhere] {
      var count: Int?
      // Each attempt has a server of its own: its client is always this one.
      for _ in 0..<9 where count == nil {
        try await LiveServer.with(Self.published, arguments: arguments) { server in
          count = try await lookedUp(server) { "192.0.2.\($0)" }
          let line = try await server.program.line(with: "X-Forwarded-For")
          if arguments.isEmpty {
            #expect(line.contains("--behind-proxy") && !line.contains("192.0.2"), "\(line)")
          } else {
            #expect(line.contains("trusted-proxies"), "\(line)")
          }
        }
      }
      #expect(count == 30, "\(arguments)")
    }
  }

  /// Many devices at one address indicate an unconfigured proxy.
  @Test func manyDevicesAtOneAddressCauseAWarning() async throws {
    try await LiveServer.with { server in
      for k in 0..<ProxyNotices.sharingDevices { _ = try await server.token("phone-\(k)") }
      let line = try await server.program.line(with: "many devices share one address")
      #expect(line.contains("--behind-proxy") && !line.contains("127.0.0.1"), "\(line)")
    }
  }

  @Test func settingsNameTheProxies() async throws {
    let listed = try await Program.run(Program.server, ["settings"])
    #expect(listed.output.contains("trusted-proxies = 127.0.0.0/8, ::1\n"), "\(listed.output)")
    let serve = ["serve", "--data", "/tmp/cordon-none", "--venues", "/tmp/cordon-none", "--behind-proxy"]
    let wrong = try await Program.run(Program.server, serve + ["--trusted-proxies", "10.0.0.0/8,everybody"])
    #expect(wrong.status == 2 && wrong.errors.contains("'everybody'"), "\(wrong.errors)")
  }
}
