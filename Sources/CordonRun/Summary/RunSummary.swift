import CordonCore
package import CordonSupport

/// The main figures of a run, for terminals and scripts.
public struct RunSummary: Hashable, Sendable {
  /// The number of people who came in.
  public var people: Int
  /// The number of people whom the scenario plans; the others never came in. `nil` for a run without a plan.
  public var planned: Int?
  /// The number of people with a device.
  public var devices: Int
  /// The final state of every fix.
  package var accounting: RunAccounting
  /// The delivery of the locations.
  package var delivery: RunDelivery
  /// The number of true contacts among all people, with or without a device.
  public var trueContacts: Int
  /// The number of observed contacts.
  public var observedContacts: Int
  /// The agreement of observation and truth among people with devices; `nil` if the truth is unknown.
  package var agreement: RunAgreement?

  /// Creates a summary from its figures.
  package init(
    people: Int, planned: Int? = nil, devices: Int, accounting: RunAccounting, delivery: RunDelivery = RunDelivery(),
    trueContacts: Int, observedContacts: Int, agreement: RunAgreement?
  ) {
    self.people = people
    self.planned = planned
    self.devices = devices
    self.accounting = accounting
    self.delivery = delivery
    self.trueContacts = trueContacts
    self.observedContacts = observedContacts
    self.agreement = agreement
  }

  /// Returns the object that `cordon simulate --json` prints.
  ///
  /// - Parameters:
  ///   - cpuSeconds: the user and system time of the process in seconds.
  ///   - peakMebibytes: its maximum resident size in MiB.
  ///   - outputs: the files of the run folder, by role.
  ///   - more: further members, written before `cpu_s`.
  package func json(
    cpuSeconds: Double, peakMebibytes: Double, outputs: [RunOutput], more: [JSONValue.Member] = []
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("schema", "cordon.simulate/1"),
      .init("people", JSONValue(people)),
      .init("planned_people", JSONValue(planned)),
      .init("never_came", JSONValue(planned.map { $0 - people })),
      .init("devices", JSONValue(devices)),
    ]
    members += accounting.jsonMembers
    members += delivery.jsonMembers
    members += [
      .init("true_contacts", JSONValue(trueContacts)),
      .init("observed_contacts", JSONValue(observedContacts)),
      .init("precision_seconds", JSONValue(agreement?.precisionSeconds)),
      .init("recall_seconds", JSONValue(agreement?.recallSeconds)),
      .init("precision_pairs_15min", JSONValue(agreement?.precisionPairs)),
      .init("recall_pairs_15min", JSONValue(agreement?.recallPairs)),
    ]
    members += more
    members += [
      .init("cpu_s", .number((cpuSeconds * 1_000).rounded() / 1_000)),
      .init("peak_mib", .number((peakMebibytes * 10).rounded() / 10)),
      .init("outputs", .object(outputs.map { .init($0.role, .string($0.path)) })),
    ]
    return .object(members)
  }
}

extension RunAccounting {
  /// The counts from `fixes` to `erased`, in the order and under the names that every command uses.
  package var jsonMembers: [JSONValue.Member] {
    [
      .init("fixes", JSONValue(fixes)),
      .init("refused", .object(RunAccounting.ranked(refused).map { .init($0.name, JSONValue($0.count)) })),
      .init("thinned", JSONValue(thinned)),
      .init("stored", JSONValue(stored)),
      .init("acknowledged", JSONValue(acknowledged)),
      .init("on_phone", JSONValue(onPhone)),
      .init("quarantined", JSONValue(quarantined)),
      .init("expired", JSONValue(expiredTotal)),
      .init("erased", JSONValue(erased)),
    ]
  }
}

/// A file of a run folder.
package struct RunOutput: Hashable, Sendable {
  /// The role: `folder`, `report`, `database`, `manifest`, `trajectories`, or the name of a table without its suffix.
  package var role: String
  /// The path of the file.
  package var path: String

  /// Creates an output from its parts.
  package init(role: String, path: String) {
    self.role = role
    self.path = path
  }
}
