import CordonCore

extension Scenario {
  /// The expected number of people over all days.
  public var expectedPeople: Double {
    if let visitors { return Double(visitors.count) }
    let days = clock.days(from: start, to: end)
    return populations.reduce(0) { sum, population in
      let open = Double(days.count { population.weekdays.contains($0.weekday) })
      let people: Double =
        switch population.arrival {
        case .window(let size, _, _): Double(size)
        case .shifts(let shifts): Double(shifts.reduce(0) { $0 + $1.size })
        case .batches(let batches): open * Double(batches.reduce(0) { $0 + $1.size })
        case .hourly(let rates): open * rates.reduce(0) { $0 + $1.perHour }
        case .counts(let counts):
          counts.filter { $0.end > start && $0.start < end }.reduce(0) { $0 + $1.people }
        }
      return sum + (people + population.expectedAppointments(days: open, from: start, to: end)) * population.peopleEach
    }
  }

  /// Changes every size and rate by the same factor, so that about `people` people are expected.
  ///
  /// Sizes stay at least 1, and appointments stay as they are. The scenario does not change if no people are expected.
  public mutating func scale(toPeople people: Int) {
    if visitors != nil {
      visitors?.count = people
      return
    }
    let expected = expectedPeople
    guard expected > 0 else { return }
    let factor = Double(people) / expected
    func scaled(_ size: Int) -> Int { max(Int((Double(size) * factor).rounded()), 1) }
    for index in populations.indices {
      switch populations[index].arrival {
      case .window(let size, let window, let shape):
        populations[index].arrival = .window(size: scaled(size), window, shape)
      case .shifts(let shifts):
        populations[index].arrival = .shifts(
          shifts.map { shift in
            var shift = shift
            shift.size = scaled(shift.size)
            return shift
          })
      case .batches(let batches):
        populations[index].arrival = .batches(
          batches.map { batch in
            var batch = batch
            batch.size = scaled(batch.size)
            return batch
          })
      case .hourly(let rates):
        populations[index].arrival = .hourly(
          rates.map { rate in
            var rate = rate
            rate.perHour *= factor
            return rate
          })
      case .counts(let counts):
        populations[index].arrival = .counts(
          counts.map { count in
            var count = count
            count.people *= factor
            return count
          })
      }
    }
  }
}
