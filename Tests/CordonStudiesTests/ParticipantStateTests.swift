import CordonCore
import Testing

@testable import CordonStudies

@Suite("States of participants") struct ParticipantStateTests {
  private func events(
    _ list: [(Int64, StudyEvent.Kind, StudyEvent.Permission?, Int64?)], _ participant: Participant
  ) -> [StudyEvent] {
    list.map { minute, kind, permission, value in
      StudyEvent(
        id: Fixture.id(), participant: participant.id, time: start + .minutes(minute), received: start, kind: kind,
        permission: permission, value: value)
    }
  }

  private let participant = Participant(
    id: ParticipantID(.system), study: StudyCode("abc")!, account: "a", keyHash: "k", enrolled: start, consent: 1)

  @Test func theLatestStateOfEachPermissionCounts() {
    let list = events(
      [
        (1, .permissionsUpdate, .location, 0), (5, .permissionsUpdate, .location, 1),
        (3, .permissionsUpdate, .motion, 1), (7, .permissionsUpdate, .motion, 0),
        (9, .permissionsUpdate, .motion, 0), (2, .permissionsUpdate, .background, 0),
      ], participant)
    // In any order of arrival.
    for order in [list, list.reversed(), Array(list[3...] + list[..<3])] {
      let state = ParticipantState(participant, order)
      #expect(state.granted == [.location])
      #expect(state.losses.map(\.permission) == [.background, .motion])
      // The loss began with the first report of it, not with the last.
      #expect(state.losses.map(\.since) == [start + .minutes(2), start + .minutes(7)])
    }
  }

  @Test func onlyTimesOfRecordingCount() {
    let list = events(
      [
        (0, .trackingStarted, nil, nil), (10, .paused, nil, nil), (20, .resumed, nil, nil),
        (30, .trackingStopped, nil, nil), (40, .paused, nil, nil), (50, .trackingStarted, nil, nil),
        (60, .resumed, nil, nil), (65, .trackingStarted, nil, nil),
      ], participant)
    let state = ParticipantState(participant, list)
    #expect(state.phase == .active)
    #expect(state.spans.map { ($0.from - start).milliseconds / 60_000 } == [0, 20, 60])
    #expect(state.spans.map { $0.to.map { ($0 - start).milliseconds / 60_000 } } == [10, 30, nil])
    #expect(!state.counts(start + .minutes(15)) && state.counts(start + .minutes(25)))
    var gone = participant
    gone.left = start + .minutes(90)
    #expect(ParticipantState(gone, list).spans.last?.to == start + .minutes(90))
    #expect(ParticipantState(gone, list).phase == .left)
  }
}
