package import CordonCore

/// The appointments of a population.
package struct AppointmentList: Hashable, Sendable {
  /// The appointments, in the order of the file.
  package var appointments: [Appointment]
  /// The time by which people arrive before their appointment.
  package var early: DurationRule
  /// The share of appointments to which nobody comes, 0 ... 1.
  package var noShows: Double

  /// One appointment.
  package struct Appointment: Hashable, Sendable {
    /// The identifier of the person; one person may have appointments on several days.
    package var person: String
    /// The time.
    package var time: Time
    /// The name of the activity; empty if the appointment decides nothing but the arrival.
    package var clinic: String

    /// The time of an appointment.
    package enum Time: Hashable, Sendable {
      /// A time of every day.
      case daily(ClockTime)
      /// One time.
      case once(Instant)
    }
  }
}

/// Rules for people who accompany others.
package struct Companions: Hashable, Sendable {
  /// The share of visits with companions, 0 ... 1.
  package var share: Double
  /// The minimum and maximum number of companions of a visit.
  package var number: ClosedRange<Int>

  /// The mean number of companions of a visit.
  var mean: Double { share * Double(number.lowerBound + number.upperBound) / 2 }
}

extension Population {
  /// The number of people for each person who is counted in the sizes and rates of ``arrival``.
  var peopleEach: Double { 1 + (companions?.mean ?? 0) }

  /// Returns the expected number of visits with an appointment during a number of days, without companions.
  func expectedAppointments(days: Double, from start: Instant, to end: Instant) -> Double {
    guard let appointments else { return 0 }
    let visits = appointments.appointments.reduce(0.0) { sum, appointment in
      switch appointment.time {
      case .daily: sum + days
      case .once(let time): sum + (time >= start && time < end ? 1 : 0)
      }
    }
    return visits * (1 - appointments.noShows)
  }
}
