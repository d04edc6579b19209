/// The output of a step. Reuse one for many steps, and for many runtimes.
package struct MonitorOutput: Sendable {
  /// Requests to send.
  package var requests: [SinkRequest] = []
  /// Commands for the operating system.
  package var commands: [ProviderCommand] = []
  /// Notices for the app.
  package var notices: [MonitorNotice] = []
  package var effects = EffectBuffer()

  /// Makes an empty output.
  package init() {}

  /// Whether there are no requests, commands or notices.
  package var isEmpty: Bool { requests.isEmpty && commands.isEmpty && notices.isEmpty }

  /// Forgets everything and keeps the memory.
  package mutating func removeAll() {
    if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
    if !commands.isEmpty { commands.removeAll(keepingCapacity: true) }
    if !notices.isEmpty { notices.removeAll(keepingCapacity: true) }
  }
}
