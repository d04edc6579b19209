import CordonGeometry
import CordonVenues

/// Smoke: people walk more slowly in it, and cannot move any more after a full dose.
extension EvacuationWalk {
  /// Adds the doses of all people since the last call, at their current places, and sets their speeds.
  func breathe() {
    guard !rules.smoke.isEmpty else { return }
    let minutes = Double(state.now - smokeTime) / 60_000
    smokeTime = state.now
    for person in state.itineraries.indices {
      switch state.walkers[person].phase {
      case .away, .gone, .trapped, .leaving: continue
      default: break
      }
      let floor = state.walkers[person].floor
      let smoke = state.world.plan.space(at: state.bodyPosition(of: person), floor: floor).flatMap { rules.smoke[$0] }
      state.crowd.setFreeSpeed(state.itineraries[person].freeSpeed * (smoke?.pace ?? 1), of: person)
      doses[person] += (smoke?.dosePerMinute ?? 0) * minutes
      // On stairs and in elevators, people reach the next floor first.
      if doses[person] >= 1 - 1e-9, [.walking, .dwelling, .steppingAside].contains(state.walkers[person].phase) {
        stop(person)
      }
    }
  }

  /// Makes a person who has taken in a full dose stay until the end.
  private func stop(_ person: Int) {
    giveUpMeeting(person)
    state.stay(person)
    state.recorders[person].rest(until: state.now)
    state.tracks[person].isIncapacitated = true
    state.walkers[person].phase = .trapped
  }
}
