import CordonCore
import CordonCrowd
import CordonVenues

/// A scenario that was fitted to measured numbers of people.
///
/// Arrivals follow from the mean profile of each day of the week, visits from Little's law, and both are corrected by
/// repeated mesoscopic simulation with the same random numbers: docs/how-to/fit-a-scenario.md describes the method.
package struct ScenarioFit: Sendable {
  /// The choices of a fit.
  package struct Options: Sendable {
    /// The width of a bin of arrivals and of comparisons, in minutes; a divisor of 1 440.
    package var binMinutes = 30
    /// The days to predict.
    package var holdOut = HoldOut.last(0.3)
    /// The number of repetitions of a prediction.
    package var replicas = 40
    /// The number of corrections by simulation.
    package var corrections = 5
    /// The population to fit; `nil` to find it by its activities.
    package var population: String?

    /// Creates the default choices.
    package init() {}
  }

  /// A measured place and the predictions of its held-out days.
  package struct Place: Sendable {
    /// The name in the measured file; `building` for the whole building.
    package var name: String
    /// The qualities of the fitted scenario, of the two baselines, and of the average of the same kind of day.
    package var qualities: [ForecastQuality]
    /// The measured number of people on the held-out days, by day and bin; `nil` for missing bins.
    package var measured: DayProfiles
    /// The prediction of the fitted scenario for these days: mean and 90 % interval by bin.
    package var predicted: [[Prediction]]
    /// The average of the training days by bin.
    package var average: [Double]
  }

  /// The predicted number of people in a bin.
  package struct Prediction: Hashable, Sendable {
    /// The mean over repetitions.
    package var mean: Double
    /// The 5 % quantile: of the repetitions, or of the errors of training days around the mean if that is lower.
    package var low: Double
    /// The 95 % quantile, likewise.
    package var high: Double
  }

  /// The fitted scenario; its time and movement are those of the given one.
  package var scenario: Scenario
  /// The changed values, for the file and for readers.
  package var changes: [FitChange]
  /// The places, in the order of the measurements.
  package var places: [Place]
  /// The days that the fit used.
  package var trainingDays: [MeasuredTable.Day]
  /// The days that were predicted.
  package var heldOutDays: [MeasuredTable.Day]
  /// Remarks on values that were not fitted, one sentence each.
  package var notes: [String]
  /// Whether the fit was interrupted; the predictions are then missing.
  package var isPartial = false
}
