internal import CordonCore
internal import CordonSupport
internal import Foundation

/// Reads a configuration from a file and from the environment.
///
/// A file has `name = value` lines, or is a JSON object. An unknown key is an error, since a mistyped limit would otherwise have
/// no effect; the message names the nearest key.
package struct ConfigurationReader<Target> {
  package let keys: [ConfigurationKey<Target>]

  package init(_ keys: [ConfigurationKey<Target>]) { self.keys = keys }

  /// Sets a key.
  package func set(_ name: String, to text: String, of target: inout Target) throws(ConfigurationError) {
    guard let key = keys.first(where: { $0.name == name }) else { throw unknown(name) }
    do throws(ConfigurationError) {
      try key.set(&target, text)
    } catch {
      throw ConfigurationError("\(name): \(error.message)", source: error.source, place: error.place)
    }
  }

  /// The error about an unknown key.
  /// - Parameter others: keys that the caller reads itself.
  package func unknown(_ name: String, among others: [String] = []) -> ConfigurationError {
    let names = keys.map(\.name) + others
    let shown = name.prefix(64)
    let hint = Suggestion.hint(for: name, among: names)
    guard hint.isEmpty else { return ConfigurationError("'\(shown)' is not a known key\(hint)") }
    return ConfigurationError("'\(shown)' is not a known key; the keys are \(names.sorted().joined(separator: ", "))")
  }

  /// Reads a file of `name = value` lines. Empty lines and lines that begin with # are ignored.
  package func read(lines text: String, file: String, into target: inout Target) throws(ConfigurationError) {
    var seen: [String: Int] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let number = index + 1
      do throws(ConfigurationError) {
        let pair = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard pair.count == 2 else { throw ConfigurationError("a line is 'name = value', or begins with #") }
        if let first = seen.updateValue(number, forKey: pair[0]) {
          throw ConfigurationError("'\(pair[0])' is set in line \(first) already")
        }
        try set(pair[0], to: pair[1], of: &target)
      } catch {
        throw ConfigurationError(error.message, source: file, place: "\(number)")
      }
    }
  }

  /// Reads the variables of the environment, such as `CORDON_TOKEN_LIFETIME` for `token-lifetime`.
  ///
  /// A variable with the prefix and a name near that of a key is an error. Other programs have variables with the prefix:
  /// distant names are ignored, and so are the variables that Kubernetes makes of services (`CORDON_PORT=tcp://10.0.0.1:8089`).
  /// - Parameter ignored: the prefix of variables of another program.
  package func read(
    environment: [String: String], prefix: String, ignored: String? = nil, into target: inout Target
  ) throws(ConfigurationError) {
    let environment = environment.filter { name, value in
      name.hasPrefix(prefix) && !(ignored.map(name.hasPrefix) ?? false)
        && !["tcp://", "udp://", "sctp://"].contains(where: value.hasPrefix)
    }
    let names = keys.map { $0.name.uppercased().replacing("-", with: "_") }
    for variable in environment.keys.sorted() {
      let name = String(variable.dropFirst(prefix.count))
      if !names.contains(name), let near = Suggestion.nearest(to: name, in: names) {
        throw ConfigurationError(
          "'\(variable)' is not a known variable (did you mean '\(prefix)\(near)'?)", source: "environment")
      }
    }
    for (key, name) in zip(keys, names) {
      guard let text = environment[prefix + name] else { continue }
      do throws(ConfigurationError) {
        try key.set(&target, text)
      } catch {
        throw ConfigurationError("\(prefix)\(name): \(error.message)", source: "environment")
      }
    }
  }

  /// Reads the members of a JSON object whose values are texts, numbers, or true and false.
  /// - Parameters:
  ///   - place: the place of the object in the file, such as `sinks[0]`; empty for the file itself.
  ///   - others: members that the caller reads itself.
  package func read(
    members: [String: ConfigurationNode], at place: String = "", except others: [String] = [], into target: inout Target
  ) throws(ConfigurationError) {
    for name in members.keys.sorted() where !others.contains(name) {
      let path = place.isEmpty ? name : "\(place).\(name)"
      guard let key = keys.first(where: { $0.name == name }) else {
        throw ConfigurationError(unknown(name, among: others).message, place: path)
      }
      guard let text = members[name]?.text else { throw ConfigurationError("is not a single value", place: path) }
      do throws(ConfigurationError) {
        try key.set(&target, text)
      } catch {
        throw ConfigurationError(error.message, place: path)
      }
    }
  }
}
