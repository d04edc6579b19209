import CordonMonitoring

/// The steps until positions arrive with the phone in a pocket, and the one that is next.
struct PermissionGuide: Equatable {
  struct Step: Equatable {
    var title: String
    var isDone: Bool
  }

  let steps: [Step]

  init(consent: Consent?, permission: Permission) {
    let purposes = consent?.purposes ?? []
    steps = [
      Step(title: "Read what is recorded, and agree", isDone: purposes.contains(.record)),
      Step(title: "Choose whether places outside of venues are recorded", isDone: purposes.contains(.everywhere)),
      Step(title: "Allow location access", isDone: permission != .none),
      Step(title: "Allow it \"always\", so that the phone may stay in the pocket", isDone: permission == .always),
    ]
  }

  /// The first step that is not done; `nil` when all are.
  var next: Step? { steps.first { !$0.isDone } }
}
