import CordonCore
import CordonYAML
import Foundation

extension Scenario {
  /// Reads a scenario from YAML or JSON text that names no other file.
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - file: the name of the file, for messages.
  /// - Throws: ``ScenarioError`` with the line.
  public init(parsing text: String, file: String = "") throws {
    try self.init(parsing: text, file: file, changes: [])
  }

  /// Reads a scenario from YAML or JSON text.
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - file: the name of the file, for messages.
  ///   - changes: values that replace those in the text, applied in order.
  ///   - readFile: reads a file that the scenario names, such as a table of counts, by its name as written.
  /// - Throws: ``ScenarioError`` with the line.
  package init(
    parsing text: String, file: String = "", changes: [ScenarioChange] = [],
    readFile: @escaping (String) throws -> String = { try Scenario.noFile($0) }
  ) throws {
    do {
      var root = try YAMLNode(text: text)
      for change in changes { try change.apply(to: &root) }
      self = try ScenarioReader(readFile: readFile).scenario(YAMLValue(node: root, path: ""))
    } catch let fault as YAMLFault {
      throw ScenarioError(file: file, line: fault.line, path: fault.path, message: fault.message)
    } catch var error as ScenarioError {
      error.file = file
      throw error
    }
  }

  /// Refuses every file.
  package static func noFile(_ name: String) throws -> String {
    throw CocoaError(.fileNoSuchFile)
  }
}

/// Creates a scenario from the values of a file.
struct ScenarioReader {
  let readFile: (String) throws -> String

  static let topKeys = [
    "name", "venue", "time", "populations", "activities", "groups", "policies", "phones", "movement", "contacts",
    "boundary", "seed", "replicas",
    "air",
    "evacuation",
  ]

  func scenario(_ root: YAMLValue) throws -> Scenario {
    let top = try root.fields(ScenarioReader.topKeys)
    let time = try self.time(try top.required("time"))
    var scenario = Scenario(start: time.start, end: time.end, clock: time.clock)
    scenario.name = try top["name"]?.text ?? ""
    scenario.venue = try top["venue"].map(venue)
    scenario.venueLine = top["venue"]?.node.line ?? 0
    scenario.activities = try (top["activities"]?.items ?? []).map(activity)
    try rejectDuplicates(scenario.activities.map { ($0.name, $0.line) }, what: "activities")
    scenario.populations = try top.required("populations").items.map { try population($0, in: scenario) }
    try rejectDuplicates(scenario.populations.map { ($0.name, $0.line) }, what: "populations")
    guard !scenario.populations.isEmpty else {
      throw try top.required("populations").fail("needs at least one population")
    }
    if let groups = top["groups"] { scenario.groups = try self.groups(groups) }
    if let policies = top["policies"] { scenario.policies = try self.policies(policies, in: scenario) }
    if let evacuation = top["evacuation"] { scenario.evacuation = try self.evacuation(evacuation, in: scenario) }
    if let phones = top["phones"] { scenario.phones = try PhoneSetupReader().phones(phones) }
    if let air = top["air"] { scenario.air = try AirReader().air(air) }
    if let movement = top["movement"] { scenario.movement = try self.movement(movement) }
    if let contacts = top["contacts"] { try self.contacts(contacts, into: &scenario) }
    if let boundary = top["boundary"] { scenario.boundary = try self.boundary(boundary) }
    if let seed = top["seed"] {
      guard let number = UInt64(try seed.text) else { throw seed.fail("must be a whole number of at most 64 bits") }
      scenario.seed = number
    }
    scenario.replicas = try top["replicas"]?.whole(in: ScenarioLimits.replicas) ?? 1
    return scenario
  }

  private func rejectDuplicates(_ names: [(String, Int)], what: String) throws {
    var seen: [String: Int] = [:]
    for (name, line) in names {
      if let first = seen.updateValue(line, forKey: name) {
        throw ScenarioError(line: line, path: what, message: "'\(name)' is defined twice; first on line \(first)")
      }
    }
  }
}
