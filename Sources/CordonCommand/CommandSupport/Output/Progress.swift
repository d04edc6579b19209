import CordonConsole
import Dispatch
import Foundation

/// Progress of long work, on standard error: a bar with phase, rate and time left on a terminal,
/// a plain line every few seconds elsewhere. Work that ends within two seconds shows nothing.
///
/// A timer updates it as well, so that work without reports still shows that it continues.
///
/// `@unchecked Sendable` holds because every stored variable is read and written under `lock` only.
final class ProgressLine: @unchecked Sendable {
  private let lock = NSLock()
  private let isTerminal: Bool
  private let isQuiet: Bool
  private let started = ProgressLine.now()
  private let timer: (any DispatchSourceTimer)?
  private var state: State?
  private var lastShown = 0.0
  private var hasLine = false
  /// A message to print once during a phase, if any.
  private let notice: (@Sendable (_ phase: String) -> String?)?
  private var hasNoticed = false

  /// The last reported state.
  private struct State {
    var phase: String
    var since: Double
    var done: Double
    /// 0 when the amount is unknown.
    var total: Double
    var unit: String
  }

  /// - Parameter notice: asked twice a second for a message of a phase; the first message is printed.
  init(quiet: Bool, notice: (@Sendable (_ phase: String) -> String?)? = nil) {
    isQuiet = quiet
    self.notice = notice
    isTerminal = isatty(2) == 1
    timer = quiet ? nil : DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer?.schedule(deadline: .now() + 2.05, repeating: 0.5, leeway: .milliseconds(50))
    timer?.setEventHandler { [weak self] in self?.showAgain() }
    timer?.resume()
  }

  deinit { timer?.cancel() }

  /// Reports the begin of a phase of unknown length.
  func begin(phase name: String) { update(phase: name, done: 0.0, total: 0, unit: "") }

  /// Reports the progress of a phase: `done` of `total` units.
  func update(phase name: String, done: Int, total: Int, unit: String) {
    update(phase: name, done: Double(done), total: Double(total), unit: unit)
  }

  /// The same where a unit can be done in part.
  func update(phase name: String, done: Double, total: Double, unit: String) {
    guard !isQuiet else { return }
    lock.lock()
    defer { lock.unlock() }
    let now = ProgressLine.now()
    let since = state?.phase == name ? state?.since ?? now : now
    state = State(phase: name, since: since, done: done, total: total, unit: unit)
    show(at: now)
  }

  private func showAgain() {
    lock.lock()
    defer { lock.unlock() }
    if !hasNoticed, let phase = state?.phase, let text = notice?(phase) {
      hasNoticed = true
      put((hasLine ? "\r\u{1b}[2K" : "") + text + "\n")
    }
    show(at: ProgressLine.now())
  }

  /// Shows the state when it is time to; under the lock.
  private func show(at now: Double) {
    guard let state else { return }
    let isFirst = lastShown == 0
    guard now - started >= (isFirst ? 2 : 0), now - lastShown >= (isTerminal ? 0.1 : 5) else { return }
    lastShown = now
    let text = ProgressLine.text(
      phase: state.phase, done: state.done, total: state.total, unit: state.unit, elapsed: now - state.since,
      width: isTerminal ? 24 : 0)
    if isTerminal {
      put("\r\u{1b}[2K" + text)
      hasLine = true
    } else {
      put(text + "\n")
    }
  }

  /// Ends the line, so that what follows starts on a fresh one.
  func finish() {
    lock.lock()
    defer { lock.unlock() }
    if hasLine { put("\r\u{1b}[2K") }
    hasLine = false
    state = nil
  }

  /// One line of progress; a bar of `width` characters, or none for 0. Without a total it shows the elapsed time.
  static func text(phase: String, done: Double, total: Double, unit: String, elapsed: Double, width: Int) -> String {
    var parts = [phase.count < 10 ? phase.padding(toLength: 10, withPad: " ", startingAt: 0) : phase]
    guard total > 0 else { return (parts + ["\(Int(elapsed)) s"]).joined(separator: "  ") }
    let share = min(max(done / total, 0), 1)
    if width > 0 {
      let full = Int(share * Double(width))
      parts.append("[" + String(repeating: "#", count: full) + String(repeating: ".", count: width - full) + "]")
    }
    parts.append("\(Int(share * 100)) %")
    if elapsed > 0.2, done > 0 {
      parts.append("\(quantity(done / elapsed)) \(unit)/s")
      if done < total { parts.append("\(Int((elapsed / done * (total - done)).rounded(.up))) s left") }
    }
    return parts.joined(separator: "  ")
  }

  /// `0.4`, `950`, `12.3 k`, `4.5 M`.
  static func quantity(_ value: Double) -> String {
    switch value {
    case ..<10: "\((value * 10).rounded() / 10)"
    case ..<1_000: String(Int(value))
    case ..<1_000_000: "\((value / 100).rounded() / 10) k"
    default: "\((value / 100_000).rounded() / 10) M"
    }
  }

  private func put(_ text: String) {
    StandardOutput.noteRaw(text)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
