extension RunSchema {
  /// Names of doors and queues, times of people, levels of service over time, and totals of pairs.
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
    CREATE VIEW pairs AS
    SELECT source, first, second, count(*) AS contacts, sum(end_us - start_us) / 1e6 AS contact_s,
      max(end_us - start_us) / 1e6 AS longest_s, min(min_distance_m) AS min_distance_m,
      min(start_us) / 1000 AS start_ms, max(end_us) / 1000 AS end_ms
    FROM contacts GROUP BY source, first, second
    """,
  ]
}
