import CordonCore
import Foundation
import Glibc

/// A walk as a receiver reports it, in NMEA 0183: three sentences for each position.
struct NMEALog {
  private(set) var text = ""

  mutating func add(_ place: Coordinate, at time: Instant) {
    let stamp = NMEALog.stamp(time)
    let (latitude, north) = (NMEALog.angle(abs(place.latitude), digits: 2), place.latitude < 0 ? "S" : "N")
    let (longitude, east) = (NMEALog.angle(abs(place.longitude), digits: 3), place.longitude < 0 ? "W" : "E")
    let position = "\(latitude),\(north),\(longitude),\(east)"
    add("GPGGA,\(stamp.clock),\(position),1,08,0.8,420.0,M,47.0,M,,")
    add("GPGSA,A,3,02,05,07,13,15,20,24,30,,,,,1.4,0.8,1.1")
    add("GPRMC,\(stamp.clock),A,\(position),0.50,90.00,\(stamp.date),,,A")
  }

  private mutating func add(_ sentence: String) {
    let sum = sentence.utf8.reduce(UInt8(0), ^)
    let digits = String(sum, radix: 16, uppercase: true)
    text += "$\(sentence)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  /// `hhmmss.ss` and `ddmmyy`.
  private static func stamp(_ time: Instant) -> (clock: String, date: String) {
    let text = Array(time.rfc3339)
    func part(_ range: Range<Int>) -> String { String(text[range]) }
    let hundredths = time.milliseconds % 1_000 / 10
    let fraction = (hundredths < 10 ? "0" : "") + String(hundredths)
    return (
      part(11..<13) + part(14..<16) + part(17..<19) + "." + fraction, part(8..<10) + part(5..<7) + part(2..<4)
    )
  }

  /// Degrees and decimal minutes.
  private static func angle(_ degrees: Double, digits: Int) -> String {
    let whole = Int(degrees)
    let minutes = String(format: "%09.6f", (degrees - Double(whole)) * 60)
    return String(repeating: "0", count: digits - String(whole).count) + "\(whole)\(minutes)"
  }
}
