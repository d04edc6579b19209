package import CordonCore
import CordonSupport

/// Values of spaces over time, which a player shows as colours: carbon dioxide, temperature, load.
///
/// A report shows the layers of ``RunContents/layers``; a page of its own gives them to ``PlayerPart``.
package struct SpaceLayer: Hashable, Sendable {
  /// The identifier in the page: `a-z`, `0-9` and `-`.
  package var id: String
  /// The name on the button (`CO₂`).
  package var name: String
  /// The unit after a value (`ppm`).
  package var unit: String
  /// The start of the first value.
  package var start: Instant
  /// The time that a value covers; greater than 0.
  package var step: TimeSpan
  /// The values by the number of the space, each list from ``start`` on. A space without values has no colour.
  package var values: [Int: [Double]]
  /// The upper limits of the classes of colours, ascending, at most six; the last class has no upper limit.
  package var limits: [Double]
  /// The number of decimals of the values in the page and in its texts, 0 ... 6.
  package var decimals: Int

  /// Creates a layer from its parts.
  package init(
    id: String, name: String, unit: String, start: Instant, step: TimeSpan, values: [Int: [Double]], limits: [Double],
    decimals: Int = 1
  ) {
    self.id = id
    self.name = name
    self.unit = unit
    self.start = start
    self.step = step
    self.values = values
    self.limits = limits
    self.decimals = decimals
  }

  /// The layer for the script.
  var json: JSONValue {
    let scale = (0..<min(max(decimals, 0), 6)).reduce(1.0) { power, _ in power * 10 }
    func rounded(_ value: Double) -> JSONValue { value.isFinite ? .number((value * scale).rounded() / scale) : .null }
    return [
      "id": .string(id), "name": .string(name), "unit": .string(unit), "start": .integer(start.milliseconds),
      "step": .integer(max(step.milliseconds, 1)), "limits": .array(limits.prefix(6).map { .number($0) }),
      "decimals": JSONValue(min(max(decimals, 0), 6)),
      "values": .object(
        values.keys.sorted().map { space in
          .init(String(space), .array((values[space] ?? []).map(rounded)))
        }),
    ]
  }
}
