import CordonCore
import Testing

@testable import CordonContacts

@Suite struct DeviceOrderTests {
  /// Near and far numbers of devices, in order of time or in none.
  @Test(arguments: 0..<40) func theOrderIsThatOfComparisons(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 9)
    let step: Int32 = seed % 3 == 0 ? 1_000_003 : 1
    let points = (0..<Int.random(in: 0...400, using: &random)).map { k in
      TrackPoint(
        device: Int32.random(in: 0..<20, using: &random) * step, floor: 0,
        time: seed % 2 == 0 ? Int64(k / 3) : Int64.random(in: 0..<50, using: &random), x: Double(k), y: 0)
    }
    let indices = points.indices.filter { _ in Int.random(in: 0..<9, using: &random) > 0 }
    let order = DeviceOrder.sorted(indices, of: points) { points[$0].time < points[$1].time }
    let key = { (k: Int) in (points[k].device, points[k].time, k) }
    #expect(order == indices.sorted { key($0) < key($1) })
  }
}
