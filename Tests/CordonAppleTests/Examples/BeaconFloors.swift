import Cordon

/// Reports the floor of the beacon with the strongest signal.
struct BeaconFloors: FloorProvider {
  let beacons: AsyncStream<String?>
  let floorOfBeacon: [String: FloorOrdinal]

  func floors() -> AsyncStream<FloorOrdinal?> {
    AsyncStream { continuation in
      let task = Task {
        for await beacon in beacons {
          // An unknown beacon is an unknown floor, never the last one.
          continuation.yield(beacon.flatMap { floorOfBeacon[$0] })
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
