import CordonTesting
import Testing

@Test func nothingIsSentWithoutConsent() throws {
  let phone = try TestPhone(in: SmallVenue())
  phone.send(.start)
  phone.enter()
  phone.stay(at: (east: 3, north: 4), for: .minutes(10))
  phone.leave()
  #expect(phone.sink.count == 0)
}

@Test func rowsWaitWhileThePhoneIsOffline() throws {
  let phone = try TestPhone(in: SmallVenue())
  phone.consentAndStart()
  phone.isOnline = false
  phone.stay(at: (east: 3, north: 4), for: .minutes(10))
  phone.leave()
  #expect(phone.sink.count == 0)
  phone.isOnline = true
  phone.wait(.hours(1))
  #expect(phone.sink.count > 0)
  #expect(phone.accounting.onPhone == 0)
}
