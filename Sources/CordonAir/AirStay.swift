/// The effect of one person on the air of a space, and of the air on that person.
package struct AirLoad: Hashable, Sendable {
  /// The exhaled carbon dioxide in cubic metres per hour, at the conditions of the room.
  package var co2: Double
  /// The quanta that reach the air per hour, behind a mask; 0 for a person who is not infectious.
  package var quanta: Double
  /// The air that is inhaled unfiltered, in cubic metres per hour: the breathing rate times the share that a mask lets
  /// through.
  package var inhaled: Double

  /// Creates a load from its parts.
  package init(co2: Double, quanta: Double, inhaled: Double) {
    self.co2 = co2
    self.quanta = quanta
    self.inhaled = inhaled
  }
}

/// A stretch of time that a person, or several equal ones, spend in one space with one load.
package struct AirStay: Hashable, Sendable {
  /// The number of the person.
  package var person: Int32
  /// The index of the space.
  package var space: Int
  /// The index of the load.
  package var load: Int
  /// The start, in milliseconds since 1970.
  package var start: Int64
  /// The end, in milliseconds since 1970; after the start.
  package var end: Int64
  /// The number of people, 0 or more; measured means may be fractions.
  package var people: Double

  /// Creates a stay from its parts.
  package init(person: Int32, space: Int, load: Int, start: Int64, end: Int64, people: Double = 1) {
    self.person = person
    self.space = space
    self.load = load
    self.start = start
    self.end = end
    self.people = people
  }
}
