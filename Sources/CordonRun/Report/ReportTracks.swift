import CordonContacts
import CordonCore
import CordonGeometry
import Foundation

/// The positions of people at equal time steps, enough to move dots over a plan.
struct ReportTracks {
  /// The time between samples in milliseconds.
  let step: Int64
  let steps: Int
  /// The number of people shown: every n-th person if there are too many.
  let people: Int
  /// The number of people that each of them represents.
  let share: Int
  /// The length of a unit of the samples in metres.
  let unit: Double
  /// The position in metres of the sample value 0.
  let left: Double
  let bottom: Double
  /// The storey of each sample, by step and then by person; ``absent`` for an absent person.
  private(set) var storey: [Int8]
  private(set) var x: [Int16]
  private(set) var y: [Int16]

  static let absent: Int8 = -128
  /// The maximum number of samples (5 bytes each); more need longer steps.
  private static let maximumSamples: Int64 = 700_000

  /// Creates tracks; `nil` if the run has no positions.
  init?(contents: RunContents, storeys: ReportStoreys) {
    guard !contents.truth.isEmpty || !contents.locations.isEmpty, !contents.people.isEmpty else { return nil }
    let duration = contents.parameters.duration.milliseconds
    let everybody = Int64(contents.people.count)
    let seconds: [Int64] = [10, 15, 20, 30, 60, 120, 300, 600, 1_800, 3_600]
    let chosen = seconds.first { (duration / ($0 * 1_000) + 1) * everybody <= ReportTracks.maximumSamples } ?? 3_600
    step = chosen * 1_000
    steps = Int(min(duration / step + 1, ReportTracks.maximumSamples))
    let most = max(ReportTracks.maximumSamples / Int64(steps), 1)
    share = Int((everybody + most - 1) / most)
    people = (contents.people.count + share - 1) / share

    var box = storeys.box
    box.include(PlanePoint(x: 0, y: 0))
    for segment in contents.truth {
      box.include(PlanePoint(x: segment.x0, y: segment.y0))
      box.include(PlanePoint(x: segment.x1, y: segment.y1))
    }
    let frame = LocalFrame(origin: contents.parameters.frameOrigin)
    if contents.truth.isEmpty {
      for location in contents.locations { box.include(frame.project(location.coordinate)) }
    }
    unit = max(max(box.width, box.height) / 65_000, 0.01)
    left = box.left + 32_768 * unit
    bottom = box.bottom + 32_768 * unit
    storey = Array(repeating: ReportTracks.absent, count: steps * people)
    x = Array(repeating: 0, count: steps * people)
    y = Array(repeating: 0, count: steps * people)

    var storeyOf: [Int32: Int8] = [:]
    for (index, entry) in storeys.list.enumerated() where index < 127 {
      storeyOf[entry.ordinal.thousandths] = Int8(index)
    }
    let start = contents.parameters.start.milliseconds
    if contents.truth.isEmpty {
      // A device stays at its last position for as long as its fixes would be joined.
      let gap = contents.parameters.maximumGap.milliseconds
      let locations = contents.locations
      for (index, location) in locations.enumerated() {
        let place = frame.project(location.coordinate)
        var end = location.stillUntil + gap
        if index + 1 < locations.count, locations[index + 1].person == location.person {
          end = min(end, locations[index + 1].time - 1)
        }
        add(
          Segment(
            device: location.person, floor: location.floor, start: location.time, end: max(end, location.time),
            x0: place.x, y0: place.y, x1: place.x, y1: place.y), from: start, storeyOf)
      }
    } else {
      for segment in contents.truth { add(segment, from: start, storeyOf) }
    }
  }

  private mutating func add(_ segment: Segment, from start: Int64, _ storeyOf: [Int32: Int8]) {
    guard Int(segment.device).isMultiple(of: share), let place = storeyOf[segment.floor] else { return }
    let person = Int(segment.device) / share
    let first = max((segment.start - start + step - 1) / step, 0)
    let last = min((segment.end - start) / step, Int64(steps) - 1)
    guard segment.end >= start, first <= last else { return }
    let length = Double(max(segment.end - segment.start, 1))
    for index in first...last {
      let passed = Double(start + index * step - segment.start) / length
      let sample = Int(index) * people + person
      storey[sample] = place
      x[sample] = quantized(segment.x0 + (segment.x1 - segment.x0) * passed - left)
      y[sample] = quantized(segment.y0 + (segment.y1 - segment.y0) * passed - bottom)
    }
  }

  private func quantized(_ metres: Double) -> Int16 {
    Int16(min(max((metres / unit).rounded(), -32_768), 32_767))
  }

  /// All x, all y, all storeys in base64; numbers of two bytes have the least significant byte first.
  var base64: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(x.count * 5)
    for value in x {
      bytes.append(UInt8(truncatingIfNeeded: value)); bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    for value in y {
      bytes.append(UInt8(truncatingIfNeeded: value)); bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    for value in storey { bytes.append(UInt8(bitPattern: value)) }
    return Data(bytes).base64EncodedString()
  }

  /// Returns the maximum mean count of a square of ground in a time bin.
  func largestCell(size: Double, binMilliseconds: Int64) -> Double {
    let stepsPerBin = Int(max(binMilliseconds / step, 1))
    var keys: [Int64] = []
    var largest = 0
    for firstStep in stride(from: 0, to: steps, by: stepsPerBin) {
      keys.removeAll(keepingCapacity: true)
      for sample in firstStep * people..<min(firstStep + stepsPerBin, steps) * people
      where storey[sample] != ReportTracks.absent {
        let column = Int64(((left + Double(x[sample]) * unit) / size).rounded(.down))
        let row = Int64(((bottom + Double(y[sample]) * unit) / size).rounded(.down))
        keys.append((Int64(storey[sample]) << 42) ^ (column << 21) ^ (row & 0x1f_ffff))
      }
      keys.sort()
      var run = 0
      for index in keys.indices {
        run = index > 0 && keys[index] == keys[index - 1] ? run + 1 : 1
        largest = max(largest, run)
      }
    }
    return Double(largest * share) / Double(min(stepsPerBin, steps))
  }
}
