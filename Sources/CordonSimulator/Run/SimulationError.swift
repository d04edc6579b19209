/// The reason why a valid scenario cannot be run on this machine.
public enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The run would need more memory than the machine has; bytes.
  case memory(people: Int, needed: Double, available: Double)

  /// One sentence.
  public var description: String {
    switch self {
    case .memory(let people, let needed, let available):
      "\(people) people with their phones would need about \(Int(needed / 1_073_741_824) + 1) GiB of memory and this machine has "
        + "\(Int(available / 1_073_741_824)) GiB, enough for about \(SimulationError.rounded(Double(people) * available / needed)) of "
        + "them; reduce the number of people, the duration or the number of phones, or use a longer interval"
    }
  }

  /// Rounds down to two digits, less the memory that other programs need.
  private static func rounded(_ people: Double) -> Int {
    var unit = 1.0
    while people * 0.85 / unit >= 100 { unit *= 10 }
    return Int((people * 0.85 / unit).rounded(.down) * unit)
  }
}
