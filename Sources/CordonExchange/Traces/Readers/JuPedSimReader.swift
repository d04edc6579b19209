internal import CordonCore
internal import CordonGeometry

/// A reader of text trajectories of JuPedSim and PeTrack: identifier, frame, x, y (and z), after comments with the
/// frame rate.
///
/// Times count from 1970. A replay needs the start time (`--start`) and the position of the origin (`--origin`).
struct JuPedSimReader: TraceReader {
  private let options: TraceReadOptions
  private var trace = Trace(format: .jupedsim)
  private var tracks: [String: Int] = [:]
  private var frameRate: Double?
  private var isCentimetres: Bool
  private var line = 0
  private var count = 0

  init(_ options: TraceReadOptions) {
    self.options = options
    frameRate = options.frameRate
    isCentimetres = options.isCentimetres
  }

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      line += 1
      let row = UnsafeBufferPointer(rebasing: bytes[start..<end])
      start = end + 1
      if row.first == UInt8(ascii: "#") {
        readComment(String(decoding: row, as: UTF8.self).lowercased())
      } else if row.contains(where: { $0 > 0x20 }) {
        try readRow(row)
      }
    }
  }

  mutating func finish() throws(TraceError) -> Trace { trace }

  private mutating func readComment(_ text: String) {
    if text.contains("framerate"), let colon = text.lastIndex(of: ":") {
      let number = text[text.index(after: colon)...].split(whereSeparator: { $0.isWhitespace }).first
      if options.frameRate == nil, let number, let rate = Double(number), rate > 0, rate.isFinite { frameRate = rate }
    }
    // Column heads contain units: x/cm, or x[in cm].
    if text.contains("x/cm") || text.contains("[in cm]") { isCentimetres = true }
  }

  private mutating func readRow(_ row: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    guard let frameRate else {
      throw TraceError(.missing, "no comment gives the frame rate; name it (--frame-rate)", line: line)
    }
    let words = row.split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: ";") })
    guard words.count >= 4, let frame = NumberParsing.double(UnsafeBufferPointer(rebasing: words[1])),
      let x = NumberParsing.double(UnsafeBufferPointer(rebasing: words[2])),
      let y = NumberParsing.double(UnsafeBufferPointer(rebasing: words[3])), abs(frame) < 1e12
    else { return trace.leaveOut(line: line, "is not a line of identifier, frame, x and y") }
    let scale = isCentimetres ? 0.01 : 1.0
    var point = TracePoint(place: .metres(PlanePoint(x: x * scale, y: y * scale)), line: line)
    let milliseconds = (frame * 1_000 / frameRate).rounded()
    guard abs(milliseconds) < 9e15 else { return trace.leaveOut(line: line, "the frame is out of range") }
    point.time = Instant(milliseconds: Int64(milliseconds))
    count += 1
    guard count <= options.limits.points else {
      throw TraceError(.tooLarge, "has more than \(options.limits.points) points", line: line)
    }
    trace.append(point, device: String(decoding: words[0], as: UTF8.self), index: &tracks)
  }
}
