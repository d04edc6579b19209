import CordonCore

/// A step of a visit: an activity, or one of several sequences of steps.
package indirect enum VisitStep: Hashable, Sendable {
  /// An activity.
  case activity(Activity)
  /// One of several sequences; none of them with the probability that is left.
  case branches([Branch])

  /// An activity in the order of a visit.
  package struct Activity: Hashable, Sendable {
    /// The name of the activity.
    package var name: String
    /// The share of visits that include the step, 0 ... 1.
    package var probability: Double
    /// Whether people leave the step out when it is closed or has no room at the time. Otherwise they wait.
    package var isOptional: Bool

    /// Creates a step from its parts.
    package init(name: String, probability: Double = 1, isOptional: Bool = false) {
      self.name = name
      self.probability = probability
      self.isOptional = isOptional
    }
  }

  /// One of several sequences.
  package struct Branch: Hashable, Sendable {
    /// The share of visits that take the branch, 0 ... 1.
    package var probability: Double
    /// The steps of the branch, in order.
    package var steps: [VisitStep]

    /// Creates a branch from its parts.
    package init(probability: Double, steps: [VisitStep]) {
      self.probability = probability
      self.steps = steps
    }
  }
}

extension [VisitStep] {
  /// The names of all activities, in order.
  package var activityNames: [String] {
    flatMap { step in
      switch step {
      case .activity(let activity): [activity.name]
      case .branches(let branches): branches.flatMap(\.steps.activityNames)
      }
    }
  }

  /// Draws the activities of a visit.
  /// - Parameter clinic: the activity of the visit's appointment, which is included together with its branch; `nil` for a
  ///   visit without an appointment.
  func draw(including clinic: String?, _ random: inout RandomStream) -> [VisitStep.Activity] {
    flatMap { step -> [VisitStep.Activity] in
      let chance = random.nextUnit()
      switch step {
      case .activity(let activity): return activity.name == clinic || chance < activity.probability ? [activity] : []
      case .branches(let branches):
        if let clinic, let branch = branches.first(where: { $0.steps.activityNames.contains(clinic) }) {
          return branch.steps.draw(including: clinic, &random)
        }
        var rest = chance
        for branch in branches {
          rest -= branch.probability
          if rest < 0 { return branch.steps.draw(including: clinic, &random) }
        }
        return []
      }
    }
  }

  /// Returns every sequence of two activities in which the second one may follow the first directly.
  ///
  /// The second one is `nil` where the first may be the last step of the visit.
  package var followers: [(first: String, next: String?)] {
    var pairs: [(first: String, next: String?)] = []
    func ends(_ steps: [VisitStep], after open: Set<String>) -> Set<String> {
      var open = open
      for step in steps {
        switch step {
        case .activity(let activity):
          for name in open.sorted() { pairs.append((name, activity.name)) }
          open = activity.probability < 1 ? open.union([activity.name]) : [activity.name]
        case .branches(let branches):
          let total = branches.reduce(0) { $0 + $1.probability }
          var after: Set<String> = total < 1 - 1e-9 ? open : []
          for branch in branches { after.formUnion(ends(branch.steps, after: open)) }
          open = after
        }
      }
      return open
    }
    for name in ends(self, after: []).sorted() { pairs.append((name, nil)) }
    return pairs
  }
}

extension Scenario {
  /// The indices of the activities to whose servers people are called.
  var calledActivities: Set<Int> {
    var names: Set<String> = []
    let waits = Set(activities.filter(\.isUntilCalled).map(\.name))
    for population in populations {
      for pair in population.steps.followers where waits.contains(pair.first) {
        if let next = pair.next { names.insert(next) }
      }
    }
    return Set(activities.indices.filter { names.contains(activities[$0].name) && activities[$0].isServed })
  }
}
