public import CordonCore

/// The figures of a run: what the terminal shows, and what scripts read.
public struct RunSummary: Hashable, Sendable {
  /// How many people took part.
  public var people: Int
  /// How many of them carried a device.
  public var devices: Int
  /// Where every fix ended.
  public var accounting: RunAccounting
  /// How the locations travelled.
  public var delivery: RunDelivery
  /// Contacts that happened among all people, with a device or without.
  public var trueContacts: Int
  /// Contacts that were observed.
  public var observedContacts: Int
  /// Observed against true, among people who carry devices; `nil` when the truth is not known.
  public var agreement: RunAgreement?

  /// Takes the figures as they are.
  public init(
    people: Int, devices: Int, accounting: RunAccounting, delivery: RunDelivery = RunDelivery(), trueContacts: Int,
    observedContacts: Int, agreement: RunAgreement?
  ) {
    self.people = people
    self.devices = devices
    self.accounting = accounting
    self.delivery = delivery
    self.trueContacts = trueContacts
    self.observedContacts = observedContacts
    self.agreement = agreement
  }

  /// The object that `cordon simulate --json` prints.
  ///
  /// - Parameters:
  ///   - cpuSeconds: user and system time of the process.
  ///   - peakMebibytes: its largest resident size.
  ///   - outputs: the files of the run folder, by role.
  ///   - more: further members, written before `cpu_s`.
  public func json(
    cpuSeconds: Double, peakMebibytes: Double, outputs: [RunOutput], more: [JSONValue.Member] = []
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("schema", "cordon.simulate/1"),
      .init("people", JSONValue(people)),
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
  /// `fixes` to `erased`, in the order and under the names that every command uses.
  public var jsonMembers: [JSONValue.Member] {
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
public struct RunOutput: Hashable, Sendable {
  /// What it is: `folder`, `database`, `contacts`, `occupancy`, `report`, `manifest`.
  public var role: String
  /// Where it is.
  public var path: String

  /// A role and a path.
  public init(role: String, path: String) {
    self.role = role
    self.path = path
  }
}
