import CordonCore
import CordonSupport
import CordonYAML

/// A positioning technology to compare: a preset, or an error model of one's own.
package struct PhoneKind: Hashable, Sendable {
  /// The name in results: that of the preset, or the given one.
  package var name: String
  /// The technology in words.
  package var title: String
  /// The preset; for an own model the one whose other properties it has.
  package var preset: PhonePreset
  /// The own error model; `nil` for that of the preset.
  package var model: PositionErrorModel?
  /// The floor area that one anchor covers, in square metres; `nil` for a technology without anchors of its own.
  package var anchorArea: Double?

  /// A fault in an own model.
  package struct Fault: Error, Hashable, Sendable {
    /// The key and what is wrong with it.
    package var message: String
  }

  /// The error model in use.
  package var errorModel: PositionErrorModel { model ?? preset.model }

  /// Creates the technology of a preset.
  package init(_ preset: PhonePreset) {
    name = preset.rawValue
    title = preset.words
    self.preset = preset
    anchorArea = preset.anchorArea
  }

  /// Reads the name of a preset, or an own model such as `{error: 0.3m, correlation: 30s}`.
  /// - Throws: ``Fault`` for a model that cannot be read; ``ScenarioError`` for an unknown name.
  package init(parsing text: String) throws {
    let word = String(text.drop(while: \.isWhitespace))
    guard word.hasPrefix("{") else {
      guard let preset = PhonePreset(rawValue: word) else {
        let names = PhonePreset.allCases.map(\.rawValue)
        throw ScenarioError(
          line: 0, path: "",
          message:
            "'\(word)' is not one of \(names.joined(separator: ", "))\(Suggestion.hint(for: word, among: names)), "
            + "or a model such as {error: 0.3m, correlation: 30s}")
      }
      self.init(preset)
      return
    }
    let own: (model: PositionErrorModel, name: String?, anchorArea: Double?)
    do {
      own = try PositionErrorModel.read(YAMLValue(node: try YAMLNode(text: word), path: ""))
    } catch let fault as YAMLFault {
      throw Fault(message: (fault.path.isEmpty ? "" : "\(fault.path): ") + fault.message)
    }
    self.init(.rtt)
    model = own.model
    title = own.name ?? "own model, 68 % within \(YAMLValue.plain((own.model.accuracy * 100).rounded() / 100)) m"
    name = own.name ?? word
    anchorArea = own.anchorArea
  }

  /// Splits a list at its commas, but not within braces.
  package static func split(_ list: String) -> [String] {
    var (parts, part, depth) = ([String](), "", 0)
    for character in list {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == ",", depth <= 0 {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    parts.append(part)
    return parts.filter { !$0.allSatisfy(\.isWhitespace) }
  }
}

extension PositionErrorModel {
  /// The keys of an own model.
  static let keys = [
    "name", "error", "correlation", "offset", "outliers", "outlier_error", "unknown_floor", "wrong_floor",
    "anchor_area",
  ]

  /// Reads an own model.
  ///
  /// `error` is the radius that contains 68 % of the fixes of all devices; `offset`, a part of it, is the constant error of
  /// a device, and the rest is correlated over `correlation`.
  static func read(
    _ value: YAMLValue
  ) throws -> (model: PositionErrorModel, name: String?, anchorArea: Double?) {
    let fields = try value.fields(keys)
    func metres(_ key: String, _ range: ClosedRange<Double>) throws -> Double? {
      guard let field = fields[key] else { return nil }
      let text = try field.text
      guard let number = Double(text.hasSuffix("m") ? String(text.dropLast()) : text), range.contains(number) else {
        throw field.fail(
          "must be a distance from \(YAMLValue.plain(range.lowerBound))m to \(YAMLValue.plain(range.upperBound))m, not '\(text)'"
        )
      }
      return number
    }
    guard let error = try metres("error", 0...1_000) else { throw value.fail("needs 'error', such as 0.3m") }
    let offset = try metres("offset", 0...1_000) ?? 0
    guard offset <= error else { throw try fields.required("offset").fail("is larger than the error") }
    let scale = 1 / radiusFactor
    let model = PositionErrorModel(
      sigma: (error * error - offset * offset).squareRoot() * scale,
      correlationTime: try fields["correlation"]?.span(in: .zero...(.hours(1))).seconds ?? 20,
      biasSigma: offset * scale,
      outlierProbability: try fields["outliers"]?.number(in: 0...1) ?? 0,
      outlierSigma: (try metres("outlier_error", 0...10_000) ?? 10 * error) * scale,
      unknownFloorProbability: try fields["unknown_floor"]?.number(in: 0...1) ?? 0,
      wrongFloorProbability: try fields["wrong_floor"]?.number(in: 0...1) ?? 0)
    return (model, try fields["name"]?.text, try fields["anchor_area"]?.number(in: 0.1...1e6))
  }

  /// The radius that contains 68 % of a circular normal distribution, in standard deviations of an axis.
  static let radiusFactor = 1.5096
}

extension PhonePreset {
  /// The positioning technology in words.
  package var words: String {
    switch self {
    case .perfect: "no error"
    case .uwb: "ultra-wideband"
    case .rtt: "Wi-Fi round-trip time"
    case .rttSight: "Wi-Fi round-trip time in line of sight"
    case .rttBehindWalls: "Wi-Fi round-trip time behind walls"
    case .rttWalking: "Wi-Fi round-trip time while walking"
    case .ble: "Bluetooth beacons"
    case .bleSparse: "sparse Bluetooth beacons"
    case .wifi: "Wi-Fi signal strength"
    case .gpsNear: "satellites near windows"
    case .gps: "satellites through a roof"
    case .network: "cell towers and Wi-Fi networks"
    }
  }

  /// The floor area that one anchor of the technology covers, in square metres; `nil` without anchors of its own.
  ///
  /// Beacons: the densities of the presets (Faragher and Harle 2015). Round-trip time and ultra-wideband: assumptions, five
  /// access points in range with one for each 80 m², and four anchors in a hall of 200 m².
  package var anchorArea: Double? {
    switch self {
    case .ble: 30
    case .bleSparse: 100
    case .uwb: 50
    case .rtt, .rttSight, .rttBehindWalls, .rttWalking: 80
    case .perfect, .wifi, .gpsNear, .gps, .network: nil
    }
  }
}
