import CordonContacts
import CordonCore
import CordonExchange

extension Bench {
  /// 2 000 devices that post 60 points at a time, one device after the other, some batches late: points per processor
  /// second, and the time of a batch.
  static func stream(_ options: BenchOptions) throws -> BenchResult {
    // The first hour and a half.
    let points = try points(Workload.named("w2"), options).filter { $0.time < 5_400_000 }
    let batches = batches(of: points)
    let finder = ContactFinder(distance: 2)
    var stream = ContactStream(finder: finder, maximumGap: .seconds(15))
    var times: [Double] = []
    times.reserveCapacity(batches.count)
    var rows: [Contact] = []
    var longestClose = 0.0
    let start = Usage.cpu
    for (k, batch) in batches.enumerated() {
      let begin = Usage.wall
      stream.add(batch.points)
      times.append(Usage.wall - begin)
      if k % 2_000 == 1_999 {
        let begin = Usage.wall
        rows += stream.close(before: Instant(milliseconds: batch.due - 3_000_000))
        longestClose = max(longestClose, Usage.wall - begin)
      }
    }
    let cpu = Usage.cpu - start
    let final = rows.count
    rows += stream.contacts
    times.sort()
    let peak = Usage.peakMebibytes
    let expected = finder.contacts(in: ObservedTracks(points, maximumGap: .seconds(15)))
    let count = Double(points.count)
    return BenchResult(
      name: "incremental",
      isRight: rows.sorted(by: Contact.isListedBefore) == expected && stream.refused.late == 0 && final > 0,
      figures: [
        ("points", count), ("batches", Double(batches.count)), ("contacts", Double(rows.count)),
        ("final_before_the_end", Double(final)), ("cpu_s", cpu), ("points_per_cpu_s", count / cpu),
        ("batch_median_ms", times[times.count / 2] * 1e3), ("batch_p99_ms", times[times.count * 99 / 100] * 1e3),
        ("batch_longest_ms", (times.last ?? 0) * 1e3), ("longest_close_ms", longestClose * 1e3), ("peak_mib", peak),
      ],
      goals: [
        .init(figure: "points_per_cpu_s", bound: 1e6, isLeast: true),
        .init(figure: "batch_p99_ms", bound: 5, isLeast: false),
      ], note: "60 points a batch, one in twenty ten minutes late; rows equal those from scratch")
  }

  private static func batches(of points: [TrackPoint]) -> [(due: Int64, points: [ContactStream.Point])] {
    var byDevice: [[TrackPoint]] = []
    for point in points {
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
    return batches.sorted { ($0.due, $0.points[0].point.device) < ($1.due, $1.points[0].point.device) }
  }
}
