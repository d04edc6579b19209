extension RunSchema {
  /// Names of doors and queues, times of people, levels of service over time, groups of spaces, and totals of pairs.
  static let version3 = [
    """
    CREATE TABLE openings (
      opening INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, ordinal REAL NOT NULL, left_space INTEGER,
      right_space INTEGER, entrance INTEGER
    ) STRICT
    """,
    "ALTER TABLE people ADD COLUMN arrival_ms INTEGER",
    "ALTER TABLE people ADD COLUMN departure_ms INTEGER",
    "ALTER TABLE people ADD COLUMN inside_ms INTEGER",
    "ALTER TABLE places ADD COLUMN visits INTEGER",
    "ALTER TABLE places ADD COLUMN mean_visit_s REAL",
    "ALTER TABLE places ADD COLUMN minutes_a REAL",
    "ALTER TABLE places ADD COLUMN minutes_b REAL",
    "ALTER TABLE places ADD COLUMN minutes_c REAL",
    "ALTER TABLE places ADD COLUMN minutes_d REAL",
    "ALTER TABLE places ADD COLUMN minutes_e REAL",
    "ALTER TABLE places ADD COLUMN minutes_f REAL",
    "ALTER TABLE queues ADD COLUMN name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE queues ADD COLUMN space INTEGER",
    """
    CREATE TABLE groups (
      group_number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, area_m2 REAL NOT NULL, capacity INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE group_spaces (
      group_number INTEGER NOT NULL, space INTEGER NOT NULL, PRIMARY KEY (group_number, space)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE group_figures (
      row INTEGER PRIMARY KEY, source TEXT NOT NULL, group_number INTEGER NOT NULL, mean REAL NOT NULL,
      p95 REAL NOT NULL, peak INTEGER NOT NULL, peak_ms INTEGER NOT NULL, capacity INTEGER, minutes_over_capacity REAL,
      m2_per_person REAL, level_of_service TEXT, visits INTEGER, mean_visit_s REAL, stays INTEGER, median_dwell_s REAL,
      p95_dwell_s REAL, waits INTEGER, mean_wait_s REAL, p95_wait_s REAL, minutes_a REAL, minutes_b REAL, minutes_c REAL,
      minutes_d REAL, minutes_e REAL, minutes_f REAL
    ) STRICT
    """,
    """
    CREATE TABLE group_occupancy (
      row INTEGER PRIMARY KEY, source TEXT NOT NULL, group_number INTEGER NOT NULL, bin_start_ms INTEGER NOT NULL,
      mean REAL NOT NULL, peak INTEGER NOT NULL, m2_per_person REAL, level_of_service TEXT
    ) STRICT
    """,
    """
    CREATE TABLE group_ensemble (
      row INTEGER PRIMARY KEY, group_number INTEGER NOT NULL, bin_start_ms INTEGER NOT NULL, mean REAL NOT NULL,
      p05 REAL NOT NULL, p50 REAL NOT NULL, p95 REAL NOT NULL, peak INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE replica_figures (
      row INTEGER PRIMARY KEY, ordinal REAL, space INTEGER, group_number INTEGER, figure TEXT NOT NULL,
      replicas INTEGER NOT NULL, mean REAL NOT NULL, low REAL, high REAL, p05 REAL NOT NULL, p95 REAL NOT NULL
    ) STRICT
    """,
    """
    CREATE VIEW pairs AS
    SELECT source, first, second, count(*) AS contacts, sum(end_us - start_us) / 1e6 AS contact_s,
      max(end_us - start_us) / 1e6 AS longest_s, min(min_distance_m) AS min_distance_m,
      min(start_us) / 1000 AS start_ms, max(end_us) / 1000 AS end_ms
    FROM contacts GROUP BY source, first, second
    """,
  ]
}
