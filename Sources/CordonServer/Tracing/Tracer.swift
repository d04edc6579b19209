internal import CordonCore
internal import Foundation
internal import NIOConcurrencyHelpers

/// Records spans in bounded memory, until they are exported.
final class Tracer: Sendable {
  /// A span that has begun.
  struct Open: Sendable {
    var context: TraceContext
    var parent: UInt64?
    var start: UInt64
  }

  private struct State {
    var spans: [TraceSpan] = []
    var dropped = 0
  }

  let settings: TraceSettings
  private let state = NIOLockedValueBox(State())
  private let clock: @Sendable () -> UInt64
  private let random: @Sendable () -> UInt64

  /// The maximum number of finished spans that wait; later ones are dropped and counted.
  static let capacity = 4_096

  /// - Parameters:
  ///   - clock: nanoseconds since 1970.
  ///   - random: random bits.
  init(
    _ settings: TraceSettings, clock: @escaping @Sendable () -> UInt64 = { Tracer.now },
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    self.settings = settings
    self.clock = clock
    self.random = random
  }

  private static var now: UInt64 { UInt64(max(Date().timeIntervalSince1970, 0) * 1e9) }

  private func identifier() -> UInt64 {
    while true {
      let number = random()
      if number != 0 { return number }
    }
  }

  /// Begins the span of a request; `nil` when it is not recorded.
  /// - Parameters:
  ///   - header: its `traceparent`.
  ///   - isTrusted: whether the header comes from a trusted proxy. A header of another client could make the requests of one
  ///     device recognisable, so a new trace begins unless the settings say otherwise.
  func begin(header: String?, isTrusted: Bool) -> Open? {
    if isTrusted || settings.continuesClients, let parent = header.flatMap({ TraceContext(parsing: $0) }) {
      guard parent.isSampled else { return nil }
      let context = TraceContext(trace: parent.trace, span: identifier(), isSampled: true)
      return Open(context: context, parent: parent.span, start: clock())
    }
    return begin()
  }

  /// Begins a new trace; `nil` when it is not recorded.
  func begin() -> Open? {
    let low = identifier()
    // The low bits of the identifier decide, so that other programs decide alike.
    guard Double(low & 0x00ff_ffff_ffff_ffff) < settings.ratio * 0x1p56 else { return nil }
    let context = TraceContext(trace: (identifier(), low), span: identifier(), isSampled: true)
    return Open(context: context, parent: nil, start: clock())
  }

  /// Begins a span within another one.
  func begin(in parent: Open) -> Open {
    let context = TraceContext(trace: parent.context.trace, span: identifier(), isSampled: true)
    return Open(context: context, parent: parent.context.span, start: clock())
  }

  /// Ends a span.
  func end(
    _ open: Open, _ name: String, _ kind: TraceSpan.Kind = .internal, _ attributes: [TraceSpan.Attribute] = [],
    isError: Bool = false
  ) {
    let span = TraceSpan(
      context: open.context, parent: open.parent, name: name, kind: kind, start: open.start,
      end: max(clock(), open.start), attributes: attributes, isError: isError)
    state.withLockedValue { state in
      if state.spans.count < Self.capacity { state.spans.append(span) } else { state.dropped += 1 }
    }
  }

  /// Takes the oldest finished spans, and the number of spans that were dropped since the last call.
  func take(_ limit: Int) -> (spans: [TraceSpan], dropped: Int) {
    state.withLockedValue { state in
      let spans = Array(state.spans.prefix(limit))
      state.spans.removeFirst(spans.count)
      defer { state.dropped = 0 }
      return (spans, state.dropped)
    }
  }
}
