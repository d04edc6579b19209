import CordonSharing
import Testing

@Suite("Devices on the LAN")
struct ShareServiceTests {
  @Test func theListOfAvahiIsRead() {
    let lines = [
      #"+;eth0;IPv4;Clinic\032north;_cordon-forms._tcp;local"#,
      #"=;lo;IPv4;Clinic\032north;_cordon-forms._tcp;local;vm.local;127.0.0.1;4711;"v=1""#,
      #"=;eth0;IPv6;Clinic\032north;_cordon-forms._tcp;local;vm.local;fd00::2;4711;"v=1""#,
      #"=;eth0;IPv4;Clinic\032north;_cordon-forms._tcp;local;vm.local;192.0.2.2;4711;"v=1""#,
      #"=;eth0;IPv6;A\195\164\059\.\\;_cordon-forms._tcp;local;vm.local;fd00::3;80;"#,
      #"=;eth0;IPv6;link;_cordon-forms._tcp;local;vm.local;fe80::1;80;"#,
      #"=;eth0;IPv4;other;_http._tcp;local;vm.local;192.0.2.3;80;"#,
      #"=;eth0;IPv4;bad\255;_cordon-forms._tcp;local;vm.local;192.0.2.3;80;"#,
      #"=;eth0;IPv4;line\010end;_cordon-forms._tcp;local;vm.local;192.0.2.3;80;"#,
      #"=;eth0;IPv4;escape\027[2J;_cordon-forms._tcp;local;vm.local;192.0.2.3;80;"#,
      #"=;eth0;IPv4;port;_cordon-forms._tcp;local;vm.local;192.0.2.3;70000;"#, "=;", "garbage",
    ]
    let services = ShareService.list(avahi: lines.joined(separator: "\n") + "\n")
    #expect(services.map(\.name) == [#"Aä;.\"#, "Clinic north"])
    #expect(services.map(\.host) == ["fd00::3", "192.0.2.2"] && services.map(\.port) == [80, 4711])
    #expect(ShareService.list(avahi: "").isEmpty)
  }

  @Test func aFloodOfNamesIsCutOff() {
    let lines = (0..<500).map { "=;eth0;IPv4;n\($0);_cordon-forms._tcp;local;h.local;192.0.2.9;80;\n" }
    #expect(ShareService.list(avahi: lines.joined()).count == 100)
  }
}
