internal import CordonConsole
internal import CordonCore
internal import CordonIngest
internal import CordonOperators

extension ServerCheck {
  /// Checks that the operators can be read, that there is an administrator, and that their venues are served.
  func operatorFindings(_ catalog: VenueCatalog?) -> [DiagnosisFinding] {
    guard let folder, foreignOwner == nil else { return [] }
    func finding(_ level: DiagnosisFinding.Level, _ code: String, _ sentence: String, _ remedy: String? = nil)
      -> DiagnosisFinding
    { DiagnosisFinding(level, "operators", code, sentence, remedy: remedy) }
    let (sealed, key) = (folder.path + "/operators.sealed", folder.path + "/operators.key")
    let option = database == nil ? "" : " --config FILE"
    let addition = "Run: cordon-server operator add --data \(folder.path)\(option) --name NAME --role admin."
    guard database != nil || Self.exists(sealed) else {
      return [finding(.failure, "no-operator", "There is no operator, so no device can be invited.", addition)]
    }
    let operators: [OperatorAccount]
    do {
      if let database {
        operators = try database.console.accounts.accounts().filter { !$0.isDisabled }
      } else {
        guard Self.exists(key) else { throw DataFolder.Fault(description: "\(key) is missing") }
        operators = try folder.accounts().filter { !$0.isDisabled }
      }
    } catch let fault as StoreFault {
      return [
        finding(
          .failure, "unreadable", "The accounts cannot be read from the database: \(fault).",
          "Check the database; a server makes its tables at its first start.")
      ]
    } catch {
      return [
        finding(
          .failure, "unreadable", "\(error).", "Put back the copies of operators.sealed and operators.key, or add anew."
        )
      ]
    }
    var findings: [DiagnosisFinding] = []
    if operators.isEmpty {
      findings.append(finding(.failure, "no-operator", "There is no operator, so no device can be invited.", addition))
    } else if !operators.contains(where: { $0.everywhere == .admin || $0.roles.values.contains(.admin) }) {
      findings.append(
        finding(.warning, "no-admin", "No operator is an administrator, who invites and erases.", addition))
    }
    if let catalog {
      for entry in operators {
        let unknown = entry.roles.keys.filter { !catalog.ids.contains($0) }.map(\.rawValue).sorted()
        guard !unknown.isEmpty else { continue }
        findings.append(
          finding(
            .warning, "unknown-venue",
            "\(entry.id) has venues that are not served: \(unknown.joined(separator: ", ")).",
            "Put the bundles into the folder, or remove the operator and add it with other venues."))
      }
    }
    if findings.isEmpty {
      findings.append(finding(.ok, "operators", "\(operators.count) operators can sign in."))
    }
    return findings
  }
}
