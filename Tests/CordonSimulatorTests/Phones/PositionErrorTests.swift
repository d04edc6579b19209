import CordonCore
import Testing

@testable import CordonSimulator

@Suite("Position errors")
struct PositionErrorTests {
  /// Samples of many devices, a minute apart, so that those of one device are nearly independent.
  private func samples(_ model: PositionErrorModel, devices: Int = 400, each: Int = 50) -> [PositionError.Sample] {
    (0..<devices).flatMap { device in
      var error = PositionError(model: model, seed: 3, replica: 0, device: device)
      return (0..<each).map { error.sample(fix: $0, at: Instant(milliseconds: Int64($0) * 60_000)) }
    }
  }

  private func length(_ sample: PositionError.Sample) -> Double {
    (sample.offset.x * sample.offset.x + sample.offset.y * sample.offset.y).squareRoot()
  }

  @Test func perfectPhonesHaveNoError() {
    for sample in samples(PhonePreset.perfect.model, devices: 10) {
      #expect(length(sample) == 0)
      #expect({ if case .right = sample.floor { true } else { false } }())
    }
  }

  @Test(arguments: [PhonePreset.rtt, .ble, .wifi, .gps])
  func theReportedAccuracyHolds68PercentOfTheErrors(preset: PhonePreset) {
    let samples = samples(preset.model)
    let within = Double(samples.count { length($0) <= $0.accuracy }) / Double(samples.count)
    // Outliers and the spread of the reported radius cost a few per cent.
    #expect(abs(within - 0.66) < 0.05, "\(preset): \(within)")
  }

  @Test(arguments: [(PhonePreset.ble, 2.6), (.wifi, 8.5)])
  func the95PercentQuantileIsThatOfTheSource(preset: PhonePreset, metres: Double) {
    var model = preset.model
    model.outlierProbability = 0
    let lengths = samples(model).map(length).sorted()
    let quantile = lengths[Int(0.95 * Double(lengths.count))]
    #expect(abs(quantile / metres - 1) < 0.15, "\(preset): \(quantile) m")
  }

  @Test func errorsOfConsecutiveFixesAreCorrelated() {
    let model = PhonePreset.rtt.model
    var (products, squares) = (0.0, 0.0)
    for device in 0..<300 {
      var error = PositionError(model: model, seed: 9, replica: 0, device: device)
      var last: Double?
      for fix in 0..<40 {
        let x = error.sample(fix: fix, at: Instant(milliseconds: Int64(fix) * 5_000)).offset.x
        guard abs(x) < 3 else {  // an outlier
          last = nil
          continue
        }
        if let last { products += x * last }
        squares += x * x
        last = x
      }
    }
    // The bias is common to all fixes of a device; the process decays to exp(-5/20).
    #expect(products / squares > 0.7 && products / squares < 0.95, "\(products / squares)")
  }

  @Test func errorsDependOnTheSeed() {
    func first(_ seed: UInt64, _ device: Int) -> Double {
      var error = PositionError(model: PhonePreset.gps.model, seed: seed, replica: 0, device: device)
      return error.sample(fix: 0, at: .epoch).offset.x
    }
    #expect(first(1, 5) == first(1, 5))
    #expect(first(1, 5) != first(2, 5))
    #expect(first(1, 5) != first(1, 6))
  }
}
