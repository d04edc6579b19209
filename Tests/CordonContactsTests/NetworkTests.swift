import CordonContacts
import CordonCore
import CordonExchange
import Testing

@Suite struct NetworkTests {
  @Test func degreesDurationsAndGaps() {
    let network = ContactNetwork([
      AgreementTests.contact(0, 1, 0, 10), AgreementTests.contact(0, 1, 25, 30), AgreementTests.contact(1, 2, 5, 6),
    ])
    #expect(network.nodes.map { [Int($0.device), $0.degree, $0.contacts] } == [[0, 1, 2], [1, 2, 3], [2, 1, 1]])
    #expect(network.nodes.map(\.total) == [15_000_000, 16_000_000, 1_000_000])
    #expect(network.durations == [1_000_000, 5_000_000, 10_000_000])
    #expect(network.gaps == [15_000_000])
    #expect(network.degreeCounts == [0, 2, 1])
    #expect(abs(network.density - 2.0 / 3) < 1e-12)
    #expect(ContactNetwork.quantile(0.5, of: network.durations) == 5_000_000)
    #expect(ContactNetwork.shareReaching([0, 5_000_000, 11_000_000], of: network.durations) == [1, 2.0 / 3, 0])
    #expect(ContactNetwork([]).degreeCounts.isEmpty)
  }

  @Test func devicesWithoutContactsAreNodes() {
    let network = ContactNetwork([AgreementTests.contact(0, 1, 0, 10)], among: [2, 0, 1, 7])
    #expect(network.nodes.map { [Int($0.device), $0.degree] } == [[0, 1], [1, 1], [2, 0], [7, 0]])
    #expect(network.degreeCounts == [2, 2])
    #expect(abs(network.density - 1.0 / 6) < 1e-12)
    #expect(network.communities() == [0, 0, 1, 2])
    #expect(ContactNetwork([], among: [3]).degreeCounts == [1])
    #expect(ContactNetwork([AgreementTests.contact(0, 1, 0, 10)]).density == 1)
    var graph = ""
    NetworkWriter(network) { "d\($0)" }.write(.graphML) { graph += $0 }
    #expect(graph.contains("<node id=\"d7\">"))
  }

  @Test func theDevicesOfASetAreListedInOrder() {
    var set = DeviceSet()
    for device in [5, Int32.max, 0, 5] as [Int32] { set.insert(device) }
    #expect(set.members == [0, 5, .max] && set.count == 3)
  }

  @Test func twoCliquesAreTwoCommunities() {
    var contacts: [Contact] = []
    for base in [0, 10] as [Int32] {
      for a in 0..<5 as Range<Int32> {
        for b in (a + 1)..<5 { contacts.append(AgreementTests.contact(base + a, base + b, 0, 100)) }
      }
    }
    contacts.append(AgreementTests.contact(4, 10, 0, 5))
    let network = ContactNetwork(contacts)
    #expect(network.communities() == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
  }

  @Test func reachFollowsContactsInTime() {
    let contacts = [
      AgreementTests.contact(0, 1, 10, 20), AgreementTests.contact(1, 2, 15, 18), AgreementTests.contact(2, 3, 0, 16),
      AgreementTests.contact(3, 4, 0, 14), AgreementTests.contact(1, 5, 0, 9),
    ]
    let reached = ContactNetwork(contacts).reachable(from: 0, at: Instant(milliseconds: 12_000))
    // 3 left 4 before it could have been infected; 5 left 1 before.
    #expect(reached.map(\.device) == [0, 1, 2, 3])
    #expect(reached.map(\.time) == [12_000_000, 12_000_000, 15_000_000, 15_000_000])
  }

  private func text(_ format: NetworkFormat) -> String {
    let contacts = [AgreementTests.contact(0, 1, 5, 45), AgreementTests.contact(1, 2, 40, 41)]
    let names = ["a,\"b\"", "<c & d>", "é"]
    var text = ""
    NetworkWriter(ContactNetwork(contacts)) { names[Int($0)] }.write(format) { text += $0 }
    return text
  }

  @Test func tableFormatsQuoteNames() {
    #expect(
      text(.csv).split(separator: "\n")[1]
        == "\"a,\"\"b\"\"\",<c & d>,1,40,1970-01-01T00:00:05.000000Z,1970-01-01T00:00:45.000000Z,1")
    #expect(text(.tij) == "20\ta,\"b\"\t<c & d>\n40\ta,\"b\"\t<c & d>\n60\ta,\"b\"\t<c & d>\n60\t<c & d>\té\n")
    #expect(text(.jsonLines).hasPrefix("{\"device_a\":\"a,\\\"b\\\"\",\"device_b\":"))
  }

  /// A contact that ends at a tick is not in the next one; one that begins at a tick is not in the former one.
  @Test func ticksEndWithTheirContacts() {
    var text = ""
    let contacts = [AgreementTests.contact(0, 1, 0, 40), AgreementTests.contact(1, 2, 20, 60)]
    NetworkWriter(ContactNetwork(contacts)) { "\($0)" }.write(.tij) { text += $0 }
    #expect(text == "20\t0\t1\n40\t0\t1\n40\t1\t2\n60\t1\t2\n")
  }

  /// Ticks are written one after the other: a contact of centuries needs no memory for its rows.
  @Test func ticksOfALongContactAreWrittenAsTheyCome() {
    struct Enough: Error {}
    let contacts = [AgreementTests.contact(0, 1, 0, 9_000_000_000), AgreementTests.contact(1, 2, 25, 45)]
    var text = ""
    #expect(throws: Enough.self) {
      try NetworkWriter(ContactNetwork(contacts)) { "\($0)" }.write(.tij) {
        text += $0
        if text.utf8.count > 40 { throw Enough() }
      }
    }
    #expect(text.hasPrefix("20\t0\t1\n40\t0\t1\n40\t1\t2\n60\t0\t1\n60\t1\t2\n80\t0\t1\n"))
  }

  @Test func graphFormatsEscapeNames() {
    #expect(text(.graphML).contains("<node id=\"&lt;c &amp; d&gt;\"><data key=\"degree\">2</data>"))
    #expect(
      text(.graphML).contains(
        "<edge source=\"a,&quot;b&quot;\" target=\"&lt;c &amp; d&gt;\"><data key=\"weight\">40</data>"))
    #expect(text(.gexf).contains("<node id=\"é\" label=\"é\">"))
    #expect(text(.gexf).contains("weight=\"1\""))
  }
}
