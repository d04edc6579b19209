import CordonCore
import CordonSupport
import Testing

@testable import CordonStudies

@Suite("Documents of studies") struct StudyReadingTests {
  @Test func aStudyReadsBackFromItsOwnDocument() throws {
    let fixture = try Fixture()
    var study = try fixture.service.study(fixture.code)
    study.reminders.quietFrom = 22 * 60 + 30
    study.maximumParticipants = 12
    let text = study.json.text()
    #expect(try Study(Array(text.utf8)) == study)
    #expect(try Study(Array(text.utf8)).json.text() == text)
  }

  @Test(arguments: [
    (#"{"code":"ab"}"#, "code: a text of 3 to 32 characters"),
    (#"{"code":"join","title":"x","begins":0,"ends":1}"#, "code: 3 to 32 lower-case"),
    (#"{"code":"abc","titel":"x"}"#, "titel: not a known key (did you mean 'title'?)"),
    (#"{"code":"abc","title":"x","begins":"2026-01-01","ends":1}"#, "begins: a time such as"),
    (#"{"code":"abc","title":"x","begins":5,"ends":5}"#, "ends: after the beginning"),
    (#"{"code":"abc","title":"x","begins":1,"ends":5,"state":"open"}"#, "consents: "),
    (#"{"code":"abc","title":"x","begins":1,"ends":5,"rewards":{"budget":-1}}"#, "rewards.budget: a whole number"),
    (
      #"{"code":"abc","title":"x","begins":1,"ends":5,"reminders":{"quiet_from":"25:00"}}"#,
      "reminders.quiet_from: a time of day"
    ), ("[]", "an object is needed"), ("{", "not JSON"),
  ])
  func errorsNameTheirPlace(_ text: String, _ message: String) {
    let error = #expect(throws: StudyError.self) { try Study(Array(text.utf8)) }
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(String(describing: error))")
  }

  @Test func textsToWhichPeopleAgreedStay() throws {
    let fixture = try Fixture()
    var study = try fixture.service.study(fixture.code)
    study.consents[0].texts[0].text = "something else"
    #expect(throws: StudyError.self) { try fixture.service.save(study, by: "op-1", now: start) }
    study = try fixture.service.study(fixture.code)
    study.consents.append(ConsentText(version: 2, texts: [.init("en", "New")]))
    try fixture.service.save(study, by: "op-1", now: start)
    #expect(try fixture.service.study(fixture.code).consent?.version == 2)
  }
}
