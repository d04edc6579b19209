#if CORDON_BUGS
  import CordonCore

  extension Location {
    /// Returns the location as the enabled deliberate bug changes it.
    func flawed(arrival: Instant) -> Location {
      var flawed = self
      switch DeliberateBug.active {
      case .floorZero: flawed.floor = floor ?? FloorOrdinal(0)
      case .stampArrival: flawed.time = arrival
      case .randomIdentity:
        let number = DeliberateBug.nextNumber()
        flawed.id = FixID(high: id.high, low: 0x8000_0000_0000_0000 | number >> 2)
        return flawed
      default: return self
      }
      flawed.id = FixID(
        device: device, time: flawed.time, coordinate: coordinate, accuracy: accuracy, floor: flawed.floor)
      return flawed
    }
  }
#endif
