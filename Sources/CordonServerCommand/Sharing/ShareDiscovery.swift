import CordonConsole
import CordonSharing
import Foundation

/// DNS-SD by the programs of avahi (`avahi-utils`), where they are installed. Without them the address is typed.
enum ShareDiscovery {
  /// A program on the path; `nil` when it is not installed.
  private static func program(_ name: String) -> URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Announces a service until the process ends, or until ``Announcement/end()``. Standard error has its name, or the reason
  /// why there is none.
  static func announce(_ name: String, port: Int) -> Announcement? {
    let unavailable = "not announced: %; the other device needs --from and the address of this one\n"
    guard let program = program("avahi-publish-service") else {
      StandardOutput.note(unavailable.replacing("%", with: "avahi-publish-service is not installed"))
      return nil
    }
    // The shell ends the program when the pipe ends: at the end of this process, however it ends. A signal from here could be
    // blocked there. For the same reason it waits for no child: it would not notice that one ended. Only the program has the
    // output, which ends with it.
    let script = #""$@" & exec >/dev/null 2>&1; read -r _; kill -9 $!"#
    let process = Process()
    let (lifeline, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", program.path, name, ShareService.type, String(port)]
    process.standardInput = lifeline
    process.standardOutput = output
    process.standardError = output
    do {
      try process.run()
    } catch {
      StandardOutput.note(unavailable.replacing("%", with: "avahi-publish-service cannot be started"))
      return nil
    }
    let reading = output.fileHandleForReading
    Thread.detachNewThread {
      var text = ""
      var isEstablished = false
      while true {
        let bytes = reading.availableData
        guard !bytes.isEmpty else { break }
        // The programs write little; a longer text is not kept.
        text = String((text + String(decoding: bytes, as: UTF8.self)).suffix(4_096))
        if !isEstablished, let start = text.range(of: "Established under name '"),
          let end = text[start.upperBound...].range(of: "'\n")
        {
          isEstablished = true
          StandardOutput.note("announced as \(text[start.upperBound..<end.lowerBound])\n")
        }
      }
      if !isEstablished { StandardOutput.note(unavailable.replacing("%", with: "avahi is not running")) }
    }
    return Announcement(lifeline: lifeline.fileHandleForWriting)
  }

  /// An announced service, withdrawn at the end of the process.
  struct Announcement {
    fileprivate let lifeline: FileHandle

    /// Withdraws the service.
    func end() { try? lifeline.close() }
  }

  /// Returns the devices on the LAN that share records; `nil` without avahi.
  static func services() -> [ShareService]? {
    guard let program = program("avahi-browse") else { return nil }
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = ["--parsable", "--resolve", "--terminate", ShareService.type]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let bytes = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return ShareService.list(avahi: String(decoding: bytes, as: UTF8.self))
  }
}
