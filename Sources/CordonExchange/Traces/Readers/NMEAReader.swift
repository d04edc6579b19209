internal import CordonCore
import CordonSupport

/// A reader of NMEA 0183: RMC (position, date), GGA (position, height), GST (accuracy) and ZDA (date) of any talker,
/// with checksums.
///
/// Sentences with the same time of day form one fix. GST contains the standard deviations of latitude and longitude.
/// The accuracy is their root mean square times 1.5096, the 68 % radius of a circular normal distribution. Without GST
/// the accuracy is unknown, because a dilution of precision is not a distance.
struct NMEAReader: TraceReader {
  private struct Epoch {
    var timeOfDay: Int64
    var date: Int64?
    var coordinate: Coordinate?
    var elevation: Double?
    var accuracy: Double?
    var isMocked = false
    var line: Int
  }

  private var trace = Trace(format: .nmea)
  private var track = TraceTrack()
  private var epoch: Epoch?
  /// The day of the last sentence with a date, in milliseconds since 1970.
  private var day: Int64?
  private var lastTimeOfDay: Int64 = 0
  /// The points before the first date.
  private var undated: [(index: Int, timeOfDay: Int64)] = []
  private var line = 0
  private var sentences = 0
  private let limit: Int
  private static let dayLength: Int64 = 86_400_000

  init(_ options: TraceReadOptions) {
    limit = options.limits.points
    day = options.day.map { $0.milliseconds / NMEAReader.dayLength * NMEAReader.dayLength }
  }

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      line += 1
      read(line: UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end + 1
      if track.points.count > limit { throw TraceError(.tooLarge, "has more than \(limit) points", line: line) }
    }
  }

  mutating func finish() throws(TraceError) -> Trace {
    endEpoch()
    guard sentences > 0 else { throw TraceError(.malformed, "holds no NMEA sentence", line: 1) }
    if !undated.isEmpty { trace.remark("no sentence gives a date; \(undated.count) points have no time") }
    if !track.points.isEmpty { trace.tracks = [track] }
    return trace
  }

  private mutating func read(line bytes: UnsafeBufferPointer<UInt8>) {
    // Loggers put a time or a tag block in front of some sentences.
    guard let dollar = bytes.firstIndex(of: UInt8(ascii: "$")) else {
      if bytes.contains(where: { $0 > 0x20 }), bytes.first != UInt8(ascii: "#"), bytes.first != UInt8(ascii: "!") {
        trace.leaveOut(line: line, "is not a sentence")
      }
      return
    }
    var body = bytes[(dollar + 1)...]
    while let last = body.last, last <= 0x20 { body = body.dropLast() }
    if let star = body.lastIndex(of: UInt8(ascii: "*")) {
      let digits = String(decoding: body[(star + 1)...], as: UTF8.self)
      let sum = body[..<star].reduce(UInt8(0)) { $0 ^ $1 }
      guard digits.utf8.count == 2, let expected = UInt8(digits, radix: 16), expected == sum else {
        trace.leaveOut(
          line: line,
          "the checksum is \(Quotation.of(digits, limit: 8)), but the sentence adds up to \(NMEAReader.hex(sum))")
        return
      }
      body = body[..<star]
    } else {
      trace.remark("sentences without a checksum are read")
    }
    guard let text = String(validating: body, as: UTF8.self) else {
      trace.leaveOut(line: line, "is not text")
      return
    }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let name = fields.first, name.utf8.count >= 5 else { return }
    sentences += 1
    switch name.suffix(3) {
    case "RMC": readRMC(fields)
    case "GGA": readGGA(fields)
    case "GST": readGST(fields)
    case "ZDA": readZDA(fields)
    default: break
    }
  }

  static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.utf8.count == 1 ? "0" + text : text
  }

  /// Returns hhmmss.sss in milliseconds.
  private static func timeOfDay(_ text: Substring) -> Int64? {
    guard text.utf8.count >= 6, let hours = Int64(text.prefix(2)), let minutes = Int64(text.dropFirst(2).prefix(2)),
      let seconds = Double(text.dropFirst(4)), hours < 24, minutes < 60, seconds >= 0, seconds < 61, hours >= 0,
      minutes >= 0
    else { return nil }
    return (hours * 60 + minutes) * 60_000 + Int64((seconds * 1_000).rounded())
  }

  /// Returns ddmm.mmmm and a hemisphere in degrees.
  private static func angle(_ text: Substring, _ hemisphere: Substring) -> Double? {
    guard let point = text.firstIndex(of: ".") ?? Optional(text.endIndex), let value = Double(text), value >= 0 else {
      return nil
    }
    guard text.distance(from: text.startIndex, to: point) >= 3 else { return nil }
    let degrees = (value / 100).rounded(.down)
    let minutes = value - degrees * 100
    guard minutes < 60 else { return nil }
    // Rounded to 1e-9 degrees, about a tenth of a millimetre; receivers write fewer decimals.
    let angle = ((degrees + minutes / 60) * 1e9).rounded() / 1e9
    switch hemisphere {
    case "N", "E": return angle
    case "S", "W": return -angle
    default: return nil
    }
  }

  private static func coordinate(_ fields: ArraySlice<Substring>) -> Coordinate? {
    let list = Array(fields)
    guard list.count == 4, let latitude = angle(list[0], list[1]), let longitude = angle(list[2], list[3]) else {
      return nil
    }
    let coordinate = Coordinate(longitude: longitude, latitude: latitude)
    return coordinate.isValid ? coordinate : nil
  }

  private mutating func open(_ time: Int64) {
    if let epoch, epoch.timeOfDay != time { endEpoch() }
    if epoch == nil { epoch = Epoch(timeOfDay: time, line: line) }
  }

  private mutating func readRMC(_ fields: [Substring]) {
    guard fields.count >= 10 else {
      return trace.leaveOut(line: line, "RMC has \(fields.count - 1) fields, not at least 9")
    }
    guard let time = NMEAReader.timeOfDay(fields[1]) else {
      if fields[2] == "A" { trace.leaveOut(line: line, "RMC without a time") }
      return
    }
    open(time)
    if let date = NMEAReader.date(
      day: fields[9].prefix(2), month: fields[9].dropFirst(2).prefix(2), year: fields[9].dropFirst(4))
    {
      epoch?.date = date
    }
    guard fields[2] == "A" else { return }
    guard let coordinate = NMEAReader.coordinate(fields[3...6]) else {
      return trace.leaveOut(line: line, "RMC with a place that is out of range")
    }
    if epoch?.coordinate == nil { epoch?.coordinate = coordinate }
    if fields.count > 12, fields[12] == "S" { epoch?.isMocked = true }
  }

  private mutating func readGGA(_ fields: [Substring]) {
    guard fields.count >= 11 else {
      return trace.leaveOut(line: line, "GGA has \(fields.count - 1) fields, not at least 10")
    }
    guard let quality = Int(fields[6]), quality > 0 else { return }
    guard let time = NMEAReader.timeOfDay(fields[1]) else { return trace.leaveOut(line: line, "GGA without a time") }
    open(time)
    guard let coordinate = NMEAReader.coordinate(fields[2...5]) else {
      return trace.leaveOut(line: line, "GGA with a place that is out of range")
    }
    epoch?.coordinate = coordinate
    epoch?.elevation = Double(fields[9])
    // 7 is manual input, 8 a simulator.
    if quality == 7 || quality == 8 { epoch?.isMocked = true }
  }

  private mutating func readGST(_ fields: [Substring]) {
    guard fields.count >= 9, let time = NMEAReader.timeOfDay(fields[1]) else { return }
    open(time)
    guard let north = Double(fields[6]), let east = Double(fields[7]), north >= 0, east >= 0 else { return }
    epoch?.accuracy = ((north * north + east * east) / 2).squareRoot() * 1.5096
  }

  private mutating func readZDA(_ fields: [Substring]) {
    guard fields.count >= 5, let time = NMEAReader.timeOfDay(fields[1]) else { return }
    open(time)
    if let date = NMEAReader.date(day: fields[2], month: fields[3], year: fields[4]) { epoch?.date = date }
  }

  private static func date(day: Substring, month: Substring, year: Substring) -> Int64? {
    guard let number = Int(year), year.utf8.count == 2 || year.utf8.count == 4 else { return nil }
    // Two digits: receivers exist since 1980.
    let full = year.utf8.count == 4 ? number : number >= 80 ? 1_900 + number : 2_000 + number
    return (try? Instant(rfc3339: "\(full)-\(month)-\(day)T00:00:00Z"))?.milliseconds
  }

  private mutating func endEpoch() {
    guard let epoch else { return }
    self.epoch = nil
    if let date = epoch.date {
      day = date
      for (index, timeOfDay) in undated {
        // The point is older than the date; a later time of day belongs to the previous day.
        let shift = timeOfDay > epoch.timeOfDay ? NMEAReader.dayLength : 0
        track.points[index].time = Instant(milliseconds: date - shift + timeOfDay)
      }
      undated = []
    } else if let known = day, epoch.timeOfDay < lastTimeOfDay - NMEAReader.dayLength / 2 {
      day = known + NMEAReader.dayLength
    }
    lastTimeOfDay = epoch.timeOfDay
    guard let coordinate = epoch.coordinate else { return }
    var point = TracePoint(
      place: .degrees(coordinate), accuracy: epoch.accuracy, elevation: epoch.elevation, isMocked: epoch.isMocked,
      line: epoch.line)
    if let day {
      point.time = Instant(milliseconds: day + epoch.timeOfDay)
    } else {
      undated.append((track.points.count, epoch.timeOfDay))
    }
    track.points.append(point)
  }
}
