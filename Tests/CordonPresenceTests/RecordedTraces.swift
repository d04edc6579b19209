import CordonExchange
import CordonPresence
import CordonTestSupport
import Foundation

extension FixReading {
  /// Reads a recorded log of a receiver.
  static func nmea(_ name: String, _ body: (PresenceFix) -> Void) throws -> FixReading {
    var options = TraceReadOptions()
    options.format = .nmea
    let path = Places.realTraces.appendingPathComponent("nmea/\(name).nmea").path
    return try FixReader.read(path: path, options: options) { row in
      body(PresenceFix(time: row.time, until: row.until, coordinate: row.coordinate, accuracy: row.accuracy))
    }
  }
}
