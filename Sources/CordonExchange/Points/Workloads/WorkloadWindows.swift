package import CordonContacts
internal import CordonCore
internal import Foundation

/// A workload file read window after window of time: only the points of one window are in memory.
///
/// The file must be sorted by device and time, as the generator writes it.
package struct WorkloadWindows {
  /// The points of one window of time.
  package struct Window {
    /// For each device, from the last point not after `start` to the first one not before `end`.
    package var points: [TrackPoint]
    /// Milliseconds.
    package var start: Int64
    /// Milliseconds.
    package var end: Int64
  }

  /// How many points there are.
  package let pointCount: Int
  /// How many devices there are.
  package var deviceCount: Int { runs.count }
  /// The devices, in rising order.
  package let devices: [Int32]
  /// The time between two points of a device, most often, milliseconds.
  package let typicalInterval: Int64
  /// From the first time to the millisecond after the last one, milliseconds.
  package let span: Range<Int64>
  /// Pairs of consecutive points of a device.
  package let intervals: Int
  /// Those longer than the gap that was asked about.
  package let intervalsBeyondGap: Int
  private let path: String
  /// Where each device's records are.
  private let runs: [Range<Int>]
  private static let size = 32

  /// Looks through a file; `nil` when it is not sorted or has points that cannot be used.
  /// - Parameters:
  ///   - gap: longer intervals are counted; milliseconds.
  ///   - path: the path of the file.
  /// - Throws: ``WorkloadFile/Failure``.
  package init?(path: String, gap: Int64 = .max) throws(WorkloadFile.Failure) {
    self.path = path
    guard let file = fopen(path, "rb") else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var runs: [Range<Int>] = []
    var devices: [Int32] = []
    var (count, begin, beyond) = (0, 0, 0)
    var last: TrackPoint?
    var (earliest, latest) = (Int64.max, Int64.min)
    var intervals: [Int64] = []
    let capacity = 1 << 14
    let buffer = UnsafeMutablePointer<TrackPoint>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    while true {
      let read = fread(buffer, 1, capacity * WorkloadWindows.size, file)
      guard read % WorkloadWindows.size == 0 else {
        throw .truncated(path: path, bytes: count * 32 + read)
      }
      for k in 0..<(read / WorkloadWindows.size) {
        let point = buffer[k]
        let time = Int64(littleEndian: point.time)
        let device = Int32(littleEndian: point.device)
        if let last {
          if Int32(littleEndian: last.device) == device {
            guard Int64(littleEndian: last.time) < time else { return nil }
            if time - Int64(littleEndian: last.time) > gap { beyond += 1 }
            if count % 997 == 0 { intervals.append(time - Int64(littleEndian: last.time)) }
          } else {
            guard Int32(littleEndian: last.device) < device else { return nil }
            runs.append(begin..<count)
            begin = count
          }
        }
        if count == begin { devices.append(device) }
        guard WorkloadFile.decoded(point).isUsable else { return nil }
        (earliest, latest) = (min(earliest, time), max(latest, time))
        last = point
        count += 1
      }
      if read == 0 { break }
    }
    if count > 0 { runs.append(begin..<count) }
    self.runs = runs
    self.devices = devices
    pointCount = count
    self.intervals = count - runs.count
    intervalsBeyondGap = beyond
    intervals.sort()
    typicalInterval = intervals.isEmpty ? 1_000 : intervals[intervals.count / 2]
    span = count > 0 ? earliest..<(latest + 1) : 0..<0
  }

  /// Calls `body` with each window of a length, in order of time, until it returns false. Stretches of time without a
  /// segment are skipped.
  /// - Parameters:
  ///   - length: milliseconds.
  ///   - gap: points further apart are not joined, milliseconds.
  ///   - body: is given each window; false ends it.
  /// - Throws: ``WorkloadFile/Failure``, and what `body` throws.
  package func forEach(length: Int64, gap: Int64, _ body: (Window) throws -> Bool) throws {
    guard let file = fopen(path, "rb") else {
      throw WorkloadFile.Failure.unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    let descriptor = fileno(file)
    // Of each device a few records ahead are kept, so that windows do not read the same ones again and again.
    var held: [[TrackPoint]] = Array(repeating: [], count: runs.count)
    var next = runs.map(\.lowerBound)
    var start = span.lowerBound
    while start < span.upperBound {
      let end = start + max(length, 1)
      var parts: [Range<Int>] = []
      parts.reserveCapacity(runs.count)
      var earliest = Int64.max
      for device in runs.indices {
        while (held[device].last?.time ?? .min) < end, next[device] < runs[device].upperBound {
          let count = min(max(64, held[device].count), runs[device].upperBound - next[device])
          held[device].append(contentsOf: try read(count, at: next[device], descriptor))
          next[device] += count
        }
        let next = held[device].partitionPoint { $0.time >= start }
        if next < held[device].count { earliest = min(earliest, held[device][next].time) }
        let from = max(held[device].partitionPoint { $0.time > start } - 1, 0)
        let to = min(held[device].partitionPoint { $0.time >= end } + 1, held[device].count)
        parts.append(from..<max(from, to))
      }
      // A segment that reaches into the window ends at most the gap after it began.
      let (used, isBefore) = earliest.subtractingReportingOverflow(max(gap, 0))
      if !isBefore, used > end {
        start = used
        continue
      }
      let window = Window(points: WorkloadWindows.gathered(held, parts), start: start, end: end)
      for device in runs.indices {
        // The next window begins at the last point not after its start.
        held[device].removeFirst(max(held[device].partitionPoint { $0.time > end } - 1, 0))
      }
      guard try body(window) else { return }
      start = end
    }
  }

  /// A part of each, one after the other: in one piece from the beginning, so that nothing is copied while it grows.
  private static func gathered(_ held: [[TrackPoint]], _ parts: [Range<Int>]) -> [TrackPoint] {
    let count = parts.reduce(0) { $0 + $1.count }
    return [TrackPoint](unsafeUninitializedCapacity: count) { buffer, initialized in
      LargePages.ask(for: UnsafeMutableRawBufferPointer(buffer))
      for (points, part) in zip(held, parts) {
        initialized = buffer[initialized...].initialize(fromContentsOf: points[part])
      }
    }
  }

  private func read(_ count: Int, at place: Int, _ descriptor: Int32) throws(WorkloadFile.Failure)
    -> [TrackPoint]
  {
    var done = 0
    let points = [TrackPoint](unsafeUninitializedCapacity: count) { buffer, initialized in
      let bytes = UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
      while done < count * WorkloadWindows.size {
        let read = pread(
          descriptor, bytes + done, count * WorkloadWindows.size - done,
          off_t(place * WorkloadWindows.size + done))
        guard read > 0 else { break }
        done += read
      }
      initialized = done / WorkloadWindows.size
      for k in 0..<initialized { buffer[k] = WorkloadFile.decoded(buffer[k]) }
    }
    guard points.count == count else {
      throw .unreadable(path: path, reason: "the file ends early")
    }
    return points
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index at which a condition that is false and then true holds.
  @inline(__always)
  func partitionPoint(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
