import CordonCore

/// A validation of the error models of phones: every figure must lie within 15 % of a measured value.
package enum PhoneValidation {
  private static let feng = "Feng 2024, ranges in an office and a lecture theatre"
  private static let yu = "Yu, ranges of a walking phone in a car park"
  private static let faragher = "Faragher and Harle 2015"
  private static let kjaergaard = "Kjærgaard et al. 2010"
  private static let denmark = "University of Southern Denmark 2019, a tag against a stereo camera"
  private static let zandbergen = "Zandbergen 2009"

  /// Draws the errors of many devices, and compares them with the measured figures. Takes one or two seconds.
  /// - Parameters:
  ///   - seed: the seed of the errors.
  ///   - devices: the number of phones.
  ///   - fixes: the number of fixes per phone, one minute apart.
  package static func cases(seed: UInt64 = 1, devices: Int = 2_000, fixes: Int = 50) -> [ValidationCase] {
    run(seed: seed, devices: devices, fixes: fixes).cases
  }

  /// Draws the errors of many devices, compares them with the measured figures, and plots each model.
  /// - Parameters:
  ///   - seed: the seed of the errors.
  ///   - devices: the number of phones.
  ///   - fixes: the number of fixes per phone, one minute apart.
  ///   - watch: receives the progress, and can interrupt the run.
  /// - Returns: the cases and plots of the finished models, and whether some models are missing.
  package static func run(
    seed: UInt64 = 1, devices: Int = 2_000, fixes: Int = 50, watch: RunControl = RunControl()
  ) -> (cases: [ValidationCase], plots: [ReferencePlot], isPartial: Bool) {
    var cases: [ValidationCase] = []
    var plots: [ReferencePlot] = []
    for (index, reference) in references.enumerated() {
      var done = 0
      let errors = Errors(reference.preset.model, seed: seed, devices: devices, fixes: fixes) {
        done += 1
        watch.progress?((Double(index) + Double(done) / Double(devices)) / Double(references.count))
        return watch.isInterrupted()
      }
      guard let errors else { return (cases, plots, true) }
      for figure in reference.figures {
        cases.append(
          ValidationCase(
            subject: reference.preset.rawValue, figure: figure.name,
            value: (figure.value(errors) * 1e4).rounded() / 1e4, reference: figure.measured, band: figure.band,
            source: reference.source))
      }
      plots.append(reference.plot(errors))
    }
    return (cases, plots, false)
  }

  /// The measured figures of one kind of positioning.
  private struct Reference: Sendable {
    var preset: PhonePreset
    var source: String
    /// Whether errors along a line were measured, instead of distances from the true position.
    var isAlongLine = false
    /// The curve that the measured figures imply, with its name.
    var curve: MovementStudy.Series
    var figures: [Figure]

    func plot(_ errors: Errors) -> ReferencePlot {
      ReferencePlot(
        preset.rawValue, "\(preset.rawValue): \(source)",
        xName: isAlongLine ? "error along a line, m" : "distance from the true place, m", yName: "share below",
        model: ReferencePlot.curve(of: isAlongLine ? errors.along : errors.distance), references: [curve],
        marks: figures.compactMap { figure in
          figure.height.map { ReferencePlot.Mark(name: figure.name, x: figure.measured, y: $0, band: figure.band) }
        })
    }
  }

  /// One measured figure.
  private struct Figure: Sendable {
    var name: String
    var measured: Double
    /// The height of the figure on the curve of shares; `nil` if it is not a point of the curve.
    var height: Double?
    var value: @Sendable (Errors) -> Double

    var band: ClosedRange<Double> { min(measured * 0.85, measured * 1.15)...max(measured * 0.85, measured * 1.15) }
  }

  private static let references: [Reference] = [
    Reference(
      preset: .rttSight, source: feng, isAlongLine: true, curve: normal(-0.2, 0.9),
      figures: [
        Figure(name: "standard deviation along a line, m", measured: 0.9) { $0.along.deviation },
        Figure(name: "95 % quantile along a line, m", measured: 1.6, height: 0.95) { $0.along.quantile(0.95) },
      ]),
    Reference(
      preset: .rttBehindWalls, source: feng, isAlongLine: true, curve: normal(0.9, 1.1),
      figures: [
        Figure(name: "mean along the push, m", measured: 0.9) { $0.along.mean },
        Figure(name: "standard deviation along the push, m", measured: 1.1) { $0.along.deviation },
        Figure(name: "95 % quantile along the push, m", measured: 3.1, height: 0.95) { $0.along.quantile(0.95) },
      ]),
    Reference(
      preset: .rttWalking, source: yu, isAlongLine: true, curve: normal(0.84, 1.8),
      figures: [
        Figure(name: "mean along the push, m", measured: 0.84) { $0.along.mean },
        Figure(name: "standard deviation along the push, m", measured: 1.80) { $0.along.deviation },
        Figure(name: "median of the absolute value, m", measured: 1.13) { $0.along.absolute.quantile(0.5) },
        Figure(name: "95 % quantile along the push, m", measured: 3.8, height: 0.95) { $0.along.quantile(0.95) },
        Figure(name: "99 % quantile along the push, m", measured: 7.8, height: 0.99) { $0.along.quantile(0.99) },
      ]),
    Reference(
      preset: .uwb, source: denmark,
      curve: MovementStudy.Series(
        name: "circular normal with this 68 % quantile",
        points: ReferencePlot.circular(meanSquare: 0.39 * 0.39 / 1.139_434)),
      figures: [
        Figure(name: "median of the distance, m", measured: 0.31, height: 0.5) { $0.distance.quantile(0.5) },
        Figure(name: "68 % quantile of the distance, m", measured: 0.39, height: 0.68) { $0.distance.quantile(0.68) },
        Figure(name: "95 % quantile of the distance, m", measured: 0.53, height: 0.95) { $0.distance.quantile(0.95) },
      ]),
    within95(.ble, 2.6), within95(.bleSparse, 4.8), within95(.wifi, 8.5),
    rootMeanSquare(.gpsNear, 5), rootMeanSquare(.gps, 10),
    Reference(
      preset: .network, source: zandbergen,
      curve: MovementStudy.Series(
        name: "circular normal with this median", points: ReferencePlot.circular(meanSquare: 74 * 74 / 0.693_147)),
      figures: [
        Figure(name: "median of the distance, m", measured: 74, height: 0.5) { $0.distance.quantile(0.5) }
      ]),
  ]

  private static func normal(_ mean: Double, _ deviation: Double) -> MovementStudy.Series {
    MovementStudy.Series(
      name: "normal with the measured mean \(mean) m and deviation \(deviation) m",
      points: ReferencePlot.normal(mean: mean, deviation: deviation))
  }

  private static func within95(_ preset: PhonePreset, _ metres: Double) -> Reference {
    // 95 % of the distances lie within the root mean square times the square root of ln 20.
    Reference(
      preset: preset, source: faragher,
      curve: MovementStudy.Series(
        name: "circular normal with this quantile",
        points: ReferencePlot.circular(meanSquare: metres * metres / 2.995_732)
      ),
      figures: [
        Figure(name: "95 % quantile of the distance, m", measured: metres, height: 0.95) { $0.distance.quantile(0.95) }
      ])
  }

  private static func rootMeanSquare(_ preset: PhonePreset, _ metres: Double) -> Reference {
    Reference(
      preset: preset, source: kjaergaard,
      curve: MovementStudy.Series(
        name: "circular normal with this root mean square", points: ReferencePlot.circular(meanSquare: metres * metres)),
      figures: [
        Figure(name: "root mean square distance, m", measured: metres) { $0.distance.rootMeanSquare }
      ])
  }

  /// The errors of many fixes.
  private struct Errors: Sendable {
    /// Errors along the direction of the model's bias, or along x for a model without bias, in metres.
    var along: Sample
    /// Distances from the true position, in metres.
    var distance: Sample

    /// Draws the errors.
    /// - Parameter isInterrupted: polled after each device; the result is `nil` if it returns `true`.
    init?(_ model: PositionErrorModel, seed: UInt64, devices: Int, fixes: Int, isInterrupted: () -> Bool) {
      var along: [Double] = []
      var distance: [Double] = []
      for device in 0..<devices {
        var error = PositionError(model: model, seed: seed, replica: 0, device: device)
        for fix in 0..<fixes {
          let sample = error.sample(fix: fix, at: Instant(milliseconds: Int64(fix) * 60_000))
          let (x, y) = (sample.offset.x, sample.offset.y)
          along.append(x * sample.away.x + y * sample.away.y)
          distance.append((x * x + y * y).squareRoot())
        }
        if isInterrupted() { return nil }
      }
      self.along = Sample(along)
      self.distance = Sample(distance)
    }
  }
}
