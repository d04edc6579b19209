extension Scenario {
  /// A sentence for each activity that people of a population never choose, because its weight is 0 and nothing requires it.
  var activitiesThatNobodyChooses: [String] {
    activities.compactMap { activity in
      guard activity.weight == 0, activity.minimum == 0, activity.collective == nil else { return nil }
      let names = populations.filter { $0.steps.isEmpty && $0.includes(activity) }
        .map { "'\($0.name)'" }
      guard !names.isEmpty else { return nil }
      return
        "nobody of \(names.joined(separator: ", ")) does '\(activity.name)': its weight is 0, and its repeat has no "
        + "minimum"
    }
  }
}
