import CordonContacts
import CordonCore
import CordonExchange

extension Bench {
  /// 2 000 devices that post 60 points at a time, one device after the other, now and then late: points per processor second,
  /// and how long a batch takes.
  static func stream(_ options: BenchOptions) throws -> BenchResult {
    let points = try WorkloadFile.read(path: "\(options.data)/w2.bin")
    var byDevice: [[TrackPoint]] = []
    for point in points {
      // The first hour and a half.
      guard point.time < 5_400_000 else { continue }
      while byDevice.count <= Int(point.device) { byDevice.append([]) }
      byDevice[Int(point.device)].append(point)
    }
    var random = RandomStream(seed: 3, stream: 1)
    var batches: [(due: Int64, points: [ContactStream.Point])] = []
    for device in byDevice {
      for start in stride(from: 0, to: device.count, by: 60) {
        let part = device[start..<min(start + 60, device.count)].map { ContactStream.Point($0) }
        // One batch in twenty is ten minutes late, behind the device's later ones.
        let delay: Int64 = random.nextUnit() < 0.05 ? 600_000 : Int64(random.nextIndex(below: 60_000))
        batches.append(((part.last?.point.time ?? 0) + delay, part))
      }
    }
    batches.sort { ($0.due, $0.points[0].point.device) < ($1.due, $1.points[0].point.device) }
    let count = batches.reduce(0) { $0 + $1.points.count }
    var stream = ContactStream(finder: ContactFinder(distance: 2), maximumGap: .milliseconds(15_000))
    var times: [Double] = []
    times.reserveCapacity(batches.count)
    var final = 0
    var longestClose = 0.0
    let start = Usage.cpu
    for (k, batch) in batches.enumerated() {
      let begin = Usage.wall
      stream.add(batch.points)
      times.append(Usage.wall - begin)
      if k % 2_000 == 1_999 {
        let begin = Usage.wall
        final += stream.close(before: Instant(milliseconds: batch.due - 3_000_000)).count
        longestClose = max(longestClose, Usage.wall - begin)
      }
    }
    let cpu = Usage.cpu - start
    final += stream.contacts.count
    times.sort()
    let all = batches.flatMap(\.points).map(\.point)
    let expected = ContactFinder(distance: 2).contacts(in: ObservedTracks(all, maximumGap: .milliseconds(15_000)))
    return BenchResult(
      name: "stream", isRight: final == expected.count && stream.refused.late == 0,
      figures: [
        ("points", Double(count)), ("batches", Double(batches.count)), ("contacts", Double(final)), ("cpu_s", cpu),
        ("points_per_cpu_s", Double(count) / cpu), ("goal_points_per_cpu_s", 1e6),
        ("late", Double(stream.refused.late)), ("from_scratch", Double(expected.count)),
        ("batch_median_ms", times[times.count / 2] * 1e3), ("batch_p99_ms", times[times.count * 99 / 100] * 1e3),
        ("batch_longest_ms", (times.last ?? 0) * 1e3), ("goal_p99_ms", 5), ("longest_close_ms", longestClose * 1e3),
        ("peak_mib", Usage.peakMebibytes),
      ])
  }
}
