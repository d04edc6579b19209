/// A time for each device, the largest one for those not named; an array when their numbers are dense.
package struct DeviceTimes: Sendable {
  private var dense: [Int64] = []
  private var sparse: [Int32: Int64] = [:]

  init(devices: some Collection<Int32>) {
    let widest = Int(max(devices.max() ?? 0, 0))
    if widest < devices.count * 4 + 1_000 { dense = [Int64](repeating: .max, count: widest + 1) }
  }

  package subscript(device: Int32) -> Int64 {
    if !dense.isEmpty { return dense.indices.contains(Int(device)) ? dense[Int(device)] : .max }
    return sparse[device] ?? .max
  }

  mutating func lower(_ device: Int32, to time: Int64) {
    if dense.indices.contains(Int(device)) {
      dense[Int(device)] = min(dense[Int(device)], time)
    } else if dense.isEmpty {
      sparse[device] = min(sparse[device] ?? .max, time)
    }
  }
}
