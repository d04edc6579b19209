import CordonCore
import CordonGeometry
import CordonPresence
import CordonSimulator

/// Days with known visits and trips, seen by simulated receivers: the errors of what is found.
struct TruthStudy {
  /// Milliseconds since 1970 at which every day begins.
  static let start: Int64 = 1_767_225_600_000

  /// A stay or a way with its true times and length.
  struct Part {
    var isStay: Bool
    var start: Double
    var end: Double
    /// Metres.
    var length: Double
  }

  /// The error of a receiver: bias, Gauss-Markov process and outliers of a model of the simulator.
  struct Receiver {
    let model: PositionErrorModel
    var random: RandomStream
    var bias = (x: 0.0, y: 0.0)
    var process = (x: 0.0, y: 0.0)

    init(_ model: PositionErrorModel, seed: UInt64) {
      self.model = model
      random = RandomStream(seed: seed, stream: 2)
      bias = (model.biasSigma * normal(), model.biasSigma * normal())
      process = (model.sigma * normal(), model.sigma * normal())
    }

    mutating func uniform() -> Double { Double(random.next() >> 11) * 0x1p-53 }

    mutating func normal() -> Double {
      let radius = (-2 * PortableMath.log(1 - uniform())).squareRoot()
      return radius * PortableMath.cos(2 * Double.pi * uniform())
    }

    mutating func fix(_ second: Double, _ x: Double, _ y: Double, _ frame: LocalFrame, step: Double) -> PresenceFix {
      let keep = model.correlationTime > 0 ? PortableMath.exp(-step / model.correlationTime) : 0
      let innovation = model.sigma * (1 - keep * keep).squareRoot()
      process = (keep * process.x + innovation * normal(), keep * process.y + innovation * normal())
      var error = (x: bias.x + process.x, y: bias.y + process.y)
      if uniform() < model.outlierProbability { error = (model.outlierSigma * normal(), model.outlierSigma * normal()) }
      let accuracy = max(model.accuracy, 0.05) * PortableMath.exp(model.accuracySpread * normal())
      return PresenceFix(
        time: TruthStudy.start + Int64(second * 1_000),
        coordinate: frame.unproject(PlanePoint(x: x + error.x, y: y + error.y)), accuracy: accuracy)
    }
  }

  private static let frame = LocalFrame(origin: Coordinate(longitude: 11.5, latitude: 48.1))

  /// A day: stays of 8 to 90 minutes, and ways of 300 m to 3 km with corners between them.
  static func day(
    _ number: Int, receiver model: PositionErrorModel, step: Double
  ) -> (fixes: [PresenceFix], parts: [Part]) {
    var receiver = Receiver(model, seed: UInt64(number) + 1)
    var plan = RandomStream(seed: UInt64(number) + 1, stream: 3)
    func unit() -> Double { Double(plan.next() >> 11) * 0x1p-53 }
    var (x, y, second) = (0.0, 0.0, 0.0)
    var parts: [Part] = []
    var fixes: [PresenceFix] = []
    var next = 0.0
    func emit(until end: Double, _ place: (Double) -> (Double, Double)) {
      while next < end {
        let (px, py) = place(next)
        fixes.append(receiver.fix(next, px, py, frame, step: step))
        next += step
      }
    }
    for stay in 0..<6 {
      let rest = 480 + unit() * 4_900
      parts.append(Part(isStay: true, start: second, end: second + rest, length: 0))
      emit(until: second + rest) { _ in (x, y) }
      second += rest
      guard stay < 5 else { break }
      let start = second
      var length = 0.0
      let speed = 1.1 + unit() * 0.5
      // Straight legs that turn, away from the last place first.
      var heading = unit() * 2 * Double.pi
      for leg in 0..<(2 + Int(unit() * 4)) {
        let size = leg == 0 ? 250 + unit() * 250 : 60 + unit() * 500
        let (dx, dy) = (PortableMath.cos(heading) * size, PortableMath.sin(heading) * size)
        let (fromX, fromY, from) = (x, y, second)
        let duration = size / speed
        emit(until: second + duration) { time in
          let share = (time - from) / duration
          return (fromX + dx * share, fromY + dy * share)
        }
        (x, y) = (x + dx, y + dy)
        second += duration
        length += size
        heading += (unit() - 0.5) * 2.4
      }
      parts.append(Part(isStay: false, start: start, end: second, length: length))
    }
    return (fixes, parts)
  }

  /// Mean, interval of the mean at 95 % and quantiles of errors.
  static func summary(_ errors: [Double]) -> String {
    let count = Double(errors.count)
    guard count > 1 else { return "-" }
    let mean = errors.reduce(0, +) / count
    let deviation = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)).squareRoot()
    let half = 1.96 * deviation / count.squareRoot()
    let sizes = errors.map { abs($0) }.sorted()
    func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }
    return
      "\(text(mean)) (\(text(mean - half)) to \(text(mean + half))); 95 % of sizes below \(text(sizes[Int(count * 0.95)]))"
  }

  static func run(days: Int) {
    print(
      "| receiver | interval | visits found, missed, false | arrival, s | departure, s | dwell, s | trip start, s | trip end, s | trip distance, % |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for (name, model) in [
      ("`perfect`", PhonePreset.perfect.model), ("`gps-near`", PhonePreset.gpsNear.model),
      ("`gps`", PhonePreset.gps.model),
      ("`wifi`", PhonePreset.wifi.model),
    ] {
      for step in [1.0, 10, 60] {
        var found = (right: 0, missed: 0, wrong: 0)
        var errors: [[Double]] = Array(repeating: [], count: 6)
        for number in 0..<days {
          let (fixes, parts) = day(number, receiver: model, step: step)
          var rules = PresenceRules()
          rules.movement = MovementRules()
          var stream = PresenceStream(rules)
          for fix in fixes { stream.add(fix) }
          let report = stream.finish()
          func second(_ time: Int64) -> Double { Double(time - TruthStudy.start) / 1_000 }
          let stays = parts.filter(\.isStay)
          var used = 0
          for (index, stay) in stays.enumerated() {
            let visit = report.visits.first {
              second($0.arrival) < stay.end - 60 && second($0.departure) > stay.start + 60
            }
            guard let visit else {
              found.missed += 1
              continue
            }
            used += 1
            if index > 0 { errors[0].append(second(visit.arrival) - stay.start) }
            if index < stays.count - 1 { errors[1].append(second(visit.departure) - stay.end) }
            if index > 0, index < stays.count - 1 {
              errors[2].append(Double(visit.dwell) / 1_000 - (stay.end - stay.start))
            }
          }
          found.right += used
          found.wrong += max(report.visits.count - used, 0)
          for way in parts where !way.isStay {
            let middle = (way.start + way.end) / 2
            guard let trip = report.trips.first(where: { second($0.start) < middle && second($0.end) > middle }),
              second(trip.end) - second(trip.start) < (way.end - way.start) * 1.5 + 240
            else { continue }
            errors[3].append(second(trip.start) - way.start)
            errors[4].append(second(trip.end) - way.end)
            errors[5].append((trip.distance / way.length - 1) * 100)
          }
        }
        print(
          "| \(name) | \(Int(step)) s | \(found.right), \(found.missed), \(found.wrong) | "
            + errors.map(summary).joined(separator: " | ") + " |")
      }
    }
  }
}
