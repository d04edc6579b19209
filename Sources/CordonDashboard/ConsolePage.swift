/// A page of the operators' console. Its raw value is the last part of its address: `/console/overview`.
package enum ConsolePage: String, CaseIterable, Sendable {
  case overview, plan, device, cases, utilisation, alerts, quality, devices, venues, operators, audit, status, account
  case person, forms, designer, studies, participate
  case signIn = "sign-in"

  /// The address of the first page.
  package static let start = ConsolePage.overview.address

  /// The address of the page.
  package var address: String { "/console/\(rawValue)" }

  /// The pages that are finished; others have no address.
  package static let served: [ConsolePage] = [
    .overview, .plan, .utilisation, .alerts, .device, .cases, .devices, .venues, .quality, .status, .signIn, .operators,
    .audit, .account, .person, .forms, .designer, .studies, .participate,
  ]

  /// The pages of the navigation, in groups.
  static var navigation: [[ConsolePage]] {
    let groups: [[ConsolePage]] = [
      [.overview, .plan, .utilisation, .alerts], [.device, .cases], [.forms, .designer], [.devices, .venues, .quality],
      [.studies],
      [.operators, .audit, .status, .account],
    ]
    return groups.map { $0.filter(served.contains) }.filter { !$0.isEmpty }
  }

  /// The pages of forms, which a server without forms leaves out.
  package static let ofForms: Set<ConsolePage> = [.forms, .designer]

  /// The pages of studies, which a server without studies leaves out.
  package static let ofStudies: Set<ConsolePage> = [.studies, .participate]

  /// Whether it is for persons or participants: it has no navigation and no operator.
  var isForPersons: Bool { self == .person || self == .participate }

  /// The key of the title in the string tables.
  var titleKey: String { "title.\(rawValue)" }

  /// The page at an address; `nil` for others.
  package init?(path: String) {
    guard let page = ConsolePage.served.first(where: { $0.address == path }) else { return nil }
    self = page
  }
}
