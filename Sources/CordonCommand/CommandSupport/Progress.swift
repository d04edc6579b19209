import Foundation

/// Progress of long work, on standard error: a bar with phase, rate and time left on a terminal,
/// a plain line every few seconds elsewhere. Work that ends within two seconds shows nothing.
///
/// `@unchecked Sendable` holds because every stored variable is read and written under `lock` only.
final class ProgressLine: @unchecked Sendable {
  private let lock = NSLock()
  private let isTerminal: Bool
  private let isQuiet: Bool
  private let started = ProgressLine.now()
  private var phase = ""
  private var phaseStarted = 0.0
  private var lastShown = 0.0
  private var hasLine = false

  init(quiet: Bool) {
    isQuiet = quiet
    isTerminal = isatty(2) == 1
  }

  /// Tells how far a phase is: `done` of `total` units.
  func update(phase name: String, done: Int, total: Int, unit: String) {
    guard !isQuiet else { return }
    lock.lock()
    defer { lock.unlock() }
    let now = ProgressLine.now()
    if name != phase {
      phase = name
      phaseStarted = now
    }
    let isFirst = lastShown == 0
    guard now - started >= (isFirst ? 2 : 0), now - lastShown >= (isTerminal ? 0.1 : 5) else { return }
    lastShown = now
    let text = ProgressLine.text(
      phase: name, done: done, total: total, unit: unit, elapsed: now - phaseStarted, width: isTerminal ? 24 : 0)
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
  }

  /// One line of progress; a bar of `width` characters, or none for 0.
  static func text(phase: String, done: Int, total: Int, unit: String, elapsed: Double, width: Int) -> String {
    let share = total > 0 ? min(Double(done) / Double(total), 1) : 0
    var parts = [phase.padding(toLength: 10, withPad: " ", startingAt: 0)]
    if width > 0 {
      let full = Int(share * Double(width))
      parts.append("[" + String(repeating: "#", count: full) + String(repeating: ".", count: width - full) + "]")
    }
    parts.append("\(Int(share * 100)) %")
    if elapsed > 0.2, done > 0 {
      parts.append("\(quantity(Double(done) / elapsed)) \(unit)/s")
      if done < total { parts.append("\(Int((elapsed / Double(done) * Double(total - done)).rounded(.up))) s left") }
    }
    return parts.joined(separator: "  ")
  }

  /// `950`, `12.3 k`, `4.5 M`.
  static func quantity(_ value: Double) -> String {
    switch value {
    case ..<1_000: String(Int(value))
    case ..<1_000_000: "\((value / 100).rounded() / 10) k"
    default: "\((value / 100_000).rounded() / 10) M"
    }
  }

  private func put(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
