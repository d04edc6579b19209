import CordonCore
import CordonMonitoring
import Foundation

extension ContactMonitor {
  /// A stream that a monitor reads.
  enum Source: Hashable, Sendable { case location, motion, floor, network, power }

  /// A stream in use.
  struct Listening: Sendable {
    var number: UInt64
    var task: Task<Void, Never>
  }

  /// Starts recording, and reads the provider and the sensors. Reads streams again that have ended since an earlier
  /// start.
  public func start() {
    // Reading comes first: a provider may ignore commands before that.
    if listening[.location] == nil {
      providerEnd = nil
      listen(.location, to: provider)
      for command in standing.all { provider.perform(command) }
    }
    if let motion = sensors.motion { listen(.motion, to: { motion.motions() }) { .motion($0) } }
    if let floor = sensors.floor { listen(.floor, to: { floor.floors() }) { .floor($0) } }
    if let connectivity = sensors.connectivity { listen(.network, to: { connectivity.networks() }) { .network($0) } }
    if let power = sensors.power, listening[.power] == nil {
      read(.power, power.powers()) { $0.handle($1) }
    }
    handle(.start)
  }

  /// Stops recording and reading; the queue is sent.
  public func stop() {
    handle(.stop)
    for source in listening.values { source.task.cancel() }
    listening = [:]
    providerEnd = nil
  }

  private func listen(_ source: Source, to provider: some LocationProvider) {
    read(source, provider.events()) { $0.handle(.provider($1)) }
  }

  private func listen<Element: Sendable>(
    _ source: Source, to stream: () -> AsyncStream<Element>, as event: @escaping @Sendable (Element) -> ProviderEvent
  ) {
    guard listening[source] == nil else { return }
    read(source, stream()) { $0.handle(.provider(event($1))) }
  }

  /// Reads a stream to its end, and records how it ended.
  private func read<Elements: AsyncSequence & Sendable>(
    _ source: Source, _ elements: Elements,
    _ handle: @escaping @Sendable (isolated ContactMonitor, Elements.Element) -> Void
  ) where Elements.Element: Sendable {
    lastListening += 1
    let number = lastListening
    let task = Task { [weak self] in
      var failure: String?
      do {
        for try await element in elements {
          guard let self else { return }
          await handle(self, element)
        }
      } catch {
        failure = error.localizedDescription
      }
      await self?.noteEnd(of: source, number, failure)
    }
    listening[source] = Listening(number: number, task: task)
  }

  private func noteEnd(of source: Source, _ number: UInt64, _ failure: String?) {
    // A stream that was stopped or replaced reports nothing.
    guard listening[source]?.number == number else { return }
    listening[source] = nil
    guard source == .location else { return }
    providerEnd = failure.map { .failed($0) } ?? .finished
    log?.write(.warning, "the location provider has ended; start() reads it again")
    noteChange()
  }

  private func handle(_ state: PowerState) {
    let hasCome = state.isExternal && power?.isExternal == false
    power = state
    // Sending costs no battery now.
    if hasCome { handle(.flush) } else { noteChange() }
  }
}
