import CordonTesting
import Testing

@Test func aDayInTheOfficeArrives() throws {
  let phone = try TestPhone(in: SmallVenue())
  phone.consentAndStart()
  phone.stay(at: (east: 3, north: 4), for: .hours(8))
  phone.leave()
  #expect(phone.sink.count > 0)
}
