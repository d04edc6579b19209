#if canImport(Glibc)
  import CordonTestSupport
  import Foundation
  import Glibc

  /// The avahi daemon of the tests: that of the system, or one on the loopback interface with a bus of its own.
  enum AvahiDaemon {
    /// The variables with which programs reach a daemon; `nil` where none runs and none can be started.
    static let environment: [String: String]? = {
      guard let browse = TestProcess.tool("avahi-browse"), TestProcess.tool("avahi-publish-service") != nil else {
        return nil
      }
      let ofTheSystem = try? TestProcess.run(browse, ["--parsable", "--terminate", "_cordon-forms._tcp"])
      if ofTheSystem?.status == 0 { return [:] }
      return own.map { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\($0.folder.path("bus"))"] }
    }()

    /// The names that the LAN sees now.
    static func announcedNames() throws -> String {
      guard let browse = TestProcess.tool("avahi-browse"), let environment else { return "" }
      return try TestProcess.run(
        browse, ["--terminate", "--no-db-lookup", "_cordon-forms._tcp"], environment: environment
      ).output
    }

    // MARK: A daemon of the tests

    /// The folder and the shell of a daemon. The shell ends both daemons when its standard input ends, which is at the latest
    /// when the tests end.
    private static let own: (folder: TemporaryFolder, shell: Child)? = {
      guard let folder = try? TemporaryFolder(), (try? folder.write(bus(folder), to: "bus.conf")) != nil,
        (try? folder.write(configuration, to: "avahi.conf")) != nil,
        let shell = try? Child("/bin/sh", ["-c", script, "sh", folder.url.path])
      else { return nil }
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while byte != 0x0A, read(shell.output, &byte, 1) == 1 { bytes.append(byte) }
      guard bytes.elementsEqual("ready\n".utf8) else {
        shell.destroy()
        return nil
      }
      return (folder, shell)
    }()

    private static let script = #"""
      PATH="$PATH:/usr/sbin:/sbin"
      exec 2>/dev/null
      command -v dbus-daemon avahi-daemon >/dev/null || exit 1
      dbus-daemon --config-file="$1/bus.conf" --nofork --nopidfile >/dev/null & d=$!
      trap 'kill $a; kill -9 $d' EXIT
      until [ -S "$1/bus" ]; do kill -0 $d || exit 1; sleep 0.1; done
      export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$1/bus"
      avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "$1/avahi.conf" >/dev/null & a=$!
      until avahi-browse --parsable --terminate _cordon-forms._tcp >/dev/null; do kill -0 $a || exit 1; sleep 0.1; done
      echo ready
      read -r _
      """#

    /// The loopback interface only: the tests announce nothing on the network of the machine.
    private static let configuration = """
      [server]
      use-ipv6=no
      allow-interfaces=lo
      [wide-area]
      enable-wide-area=no
      [publish]
      publish-hinfo=no
      publish-workstation=no
      """

    private static func bus(_ folder: TemporaryFolder) -> String {
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>system</type>
        <listen>unix:path=\(folder.path("bus"))</listen>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
        </policy>
      </busconfig>
      """
    }
  }
#endif
