extension RunSchema {
  /// The air: carbon dioxide, quanta and risks of runs with the key `air`.
  static let version4 = [
    """
    CREATE TABLE air (
      row INTEGER PRIMARY KEY, space INTEGER NOT NULL, bin_start_ms INTEGER NOT NULL, people REAL NOT NULL,
      infectious REAL NOT NULL, co2_ppm REAL NOT NULL, co2_at_end_ppm REAL NOT NULL, quanta_per_m3 REAL NOT NULL,
      quanta_at_end_per_m3 REAL NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE air_people (
      person INTEGER PRIMARY KEY, health TEXT NOT NULL, mask INTEGER NOT NULL, time_s REAL NOT NULL, mean_co2_ppm REAL,
      quanta REAL NOT NULL, nearby_quanta REAL NOT NULL, long_range_risk REAL NOT NULL, short_range_risk REAL NOT NULL,
      risk REAL NOT NULL, exposed_s REAL NOT NULL, exposed_person_s REAL NOT NULL, maximum_others INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE air_spaces (
      space INTEGER PRIMARY KEY, volume_m3 REAL NOT NULL, air_changes_per_h REAL NOT NULL,
      filtration_per_h REAL NOT NULL, mean_co2_ppm REAL, peak_co2_ppm REAL NOT NULL, mean_quanta_per_m3 REAL NOT NULL,
      peak_quanta_per_m3 REAL NOT NULL
    ) STRICT
    """,
  ]
}
