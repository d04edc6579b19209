import CordonCrowd

/// Sentences about the parts of a scenario that a plan could not follow.
extension ScenarioPlanner {
  func remarks(on plan: CrowdPlan, arrivals: ArrivalPlanner) -> [String] {
    let tooLate = arrivals.tooLate
    let meant = Set(arrivals.visits.map(\.person))
    var remarks: [String] = []
    for (index, count) in arrivals.noShows.sorted(by: { $0.key < $1.key }) {
      remarks.append(
        "nobody came to \(count == 1 ? "1 appointment" : "\(count) appointments") of '\(scenario.populations[index].name)' (no_shows)"
      )
    }
    if tooLate > 0 {
      remarks.append(
        "\(tooLate == 1 ? "1 visit was" : "\(tooLate) visits were") left out: after the delay (policies.stagger, policies.masks), "
          + "they would begin after their end")
    }
    for (index, count) in unmet.sorted(by: { $0.key < $1.key }) {
      let rule = scenario.activities[index]
      let reason =
        rule.collective == nil ? "too little time, or no room" : "no free seat, or no event during the visit"
      remarks.append(
        "\(count == 1 ? "1 person" : "\(count) people") left without '\(rule.name)', or with fewer of it than 'repeat' asks for: \(reason)"
      )
    }
    remarks += scenario.activitiesThatNobodyChooses
    for (index, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      remarks.append(
        "\(count == 1 ? "1 person" : "\(count) people") left out the step '\(scenario.activities[index].name)': closed, or no room"
      )
    }
    let cutOff = places.cutOffByDoors.count
    if cutOff > 0 {
      remarks.append(
        "people cannot stay in \(cutOff == 1 ? "1 place" : "\(cutOff) places") that policies.one_way leaves without a way in or out"
      )
    }
    for (index, people) in withoutPlace.sorted(by: { $0.key < $1.key }) {
      let who = people.count == 1 ? "1 person has" : "\(people.count) people have"
      remarks.append(
        desks.counts[index].map { "\(who) no desk for '\(scenario.activities[index].name)': it has \($0)" }
          ?? "\(who) no place for '\(scenario.activities[index].name)': its spaces are full")
    }
    let idle = meant.subtracting(plan.itineraries.map(\.person)).count
    if idle > 0 {
      remarks.append(
        "\(idle) of \(plan.people.count) people never entered: every place was full while they waited outside, or they had "
          + "no activity at that time")
    }
    return remarks
  }
}
