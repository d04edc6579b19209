import CordonSQLite

/// The tables of `run.sqlite` by version. docs/reference/run-folder.md defines every column.
///
/// A released version is never changed. A new one is a further migration, and its number is `currentVersion`.
enum RunSchema {
  /// `CRDR`, in the header of the file; it distinguishes a run from other SQLite files.
  static let applicationID: Int32 = 0x4352_4452

  /// The version that this code writes, and the newest that it reads.
  static let currentVersion: Int32 = 5

  /// The names of the versions in their order.
  static let versions = ["v1", "v2", "v3", "v4", "v5"]

  static let migrations = Migrations([
    .init(versions[0], script(version1, number: 1) + ";\nPRAGMA application_id = \(applicationID)"),
    .init(versions[1], script(version2, number: 2)),
    .init(versions[2], script(version3, number: 3)),
    .init(versions[3], script(version4, number: 4)),
    .init(versions[4], script(version5, number: 5)),
  ])

  private static func script(_ statements: [String], number: Int) -> String {
    (statements + ["PRAGMA user_version = \(number)"]).joined(separator: ";\n")
  }

  private static let version1 = [
    "CREATE TABLE parameters (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE venue (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, content_sha256 TEXT NOT NULL, time_zone TEXT
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE floors (
      floor INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, ordinal REAL NOT NULL, name TEXT NOT NULL,
      outline TEXT NOT NULL, walls TEXT NOT NULL, doors TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE spaces (
      space INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, floor INTEGER NOT NULL REFERENCES floors,
      kind TEXT NOT NULL, name TEXT NOT NULL, area_m2 REAL NOT NULL, outline TEXT NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE people (person INTEGER PRIMARY KEY, device TEXT UNIQUE, population TEXT NOT NULL) STRICT
    """,
    """
    CREATE TABLE truth (
      segment INTEGER PRIMARY KEY, person INTEGER NOT NULL, ordinal REAL, start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL, x0_tenth_mm INTEGER NOT NULL, y0_tenth_mm INTEGER NOT NULL,
      x1_tenth_mm INTEGER NOT NULL, y1_tenth_mm INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE locations (
      location INTEGER PRIMARY KEY, fix BLOB NOT NULL, person INTEGER NOT NULL, time_ms INTEGER NOT NULL,
      longitude REAL NOT NULL, latitude REAL NOT NULL, accuracy_m REAL NOT NULL, ordinal REAL,
      still_until_ms INTEGER, space INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE contacts (
      contact INTEGER PRIMARY KEY, source TEXT NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
      ordinal REAL, first_space INTEGER, second_space INTEGER, start_us INTEGER NOT NULL, end_us INTEGER NOT NULL,
      min_distance_m REAL NOT NULL, min_distance_us INTEGER NOT NULL, x_tenth_mm INTEGER NOT NULL,
      y_tenth_mm INTEGER NOT NULL, wall_share REAL
    ) STRICT
    """,
    """
    CREATE TABLE occupancy (
      row INTEGER PRIMARY KEY, source TEXT NOT NULL, ordinal REAL, space INTEGER, bin_start_ms INTEGER NOT NULL,
      mean REAL NOT NULL, peak INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE accounting (
      outcome TEXT NOT NULL, detail TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (outcome, detail)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE figures (name TEXT PRIMARY KEY, value REAL) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE agreement (
      class INTEGER PRIMARY KEY, lower_s REAL NOT NULL, upper_s REAL, true_pairs INTEGER NOT NULL,
      true_s REAL NOT NULL, found_s REAL NOT NULL, observed_pairs INTEGER NOT NULL, observed_s REAL NOT NULL,
      correct_s REAL NOT NULL
    ) STRICT
    """,
    """
    CREATE VIEW contact_places AS
    SELECT contact,
      (SELECT value FROM parameters WHERE name = 'frame_longitude')
        + x_tenth_mm / 1e4 / (SELECT value FROM parameters WHERE name = 'frame_metres_per_degree_east') AS longitude,
      (SELECT value FROM parameters WHERE name = 'frame_latitude')
        + y_tenth_mm / 1e4 / (SELECT value FROM parameters WHERE name = 'frame_metres_per_degree_north') AS latitude
    FROM contacts
    """,
    """
    CREATE VIEW truth_places AS
    SELECT segment,
      (SELECT value FROM parameters WHERE name = 'frame_longitude')
        + x0_tenth_mm / 1e4 / (SELECT value FROM parameters WHERE name = 'frame_metres_per_degree_east') AS longitude0,
      (SELECT value FROM parameters WHERE name = 'frame_latitude')
        + y0_tenth_mm / 1e4 / (SELECT value FROM parameters WHERE name = 'frame_metres_per_degree_north') AS latitude0,
      (SELECT value FROM parameters WHERE name = 'frame_longitude')
        + x1_tenth_mm / 1e4 / (SELECT value FROM parameters WHERE name = 'frame_metres_per_degree_east') AS longitude1,
      (SELECT value FROM parameters WHERE name = 'frame_latitude')
        + y1_tenth_mm / 1e4 / (SELECT value FROM parameters WHERE name = 'frame_metres_per_degree_north') AS latitude1
    FROM truth
    """,
  ]

  private static let version2 = [
    """
    CREATE TABLE places (
      row INTEGER PRIMARY KEY, source TEXT NOT NULL, ordinal REAL, space INTEGER, mean REAL NOT NULL, p95 REAL NOT NULL,
      peak INTEGER NOT NULL, peak_ms INTEGER NOT NULL, capacity INTEGER, minutes_over_capacity REAL,
      m2_per_person REAL, level_of_service TEXT, stays INTEGER, median_dwell_s REAL, p95_dwell_s REAL
    ) STRICT
    """,
    """
    CREATE TABLE ensemble (
      row INTEGER PRIMARY KEY, ordinal REAL, space INTEGER, bin_start_ms INTEGER NOT NULL, mean REAL NOT NULL,
      p05 REAL NOT NULL, p50 REAL NOT NULL, p95 REAL NOT NULL, peak INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE flows (
      row INTEGER PRIMARY KEY, opening TEXT NOT NULL, ordinal REAL, bin_start_ms INTEGER NOT NULL,
      forward INTEGER NOT NULL, backward INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE distributions (
      row INTEGER PRIMARY KEY, what TEXT NOT NULL, source TEXT NOT NULL, lower REAL NOT NULL, upper REAL,
      count INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE thresholds (
      row INTEGER PRIMARY KEY, distance_m REAL NOT NULL, duration_s REAL NOT NULL, true_pairs INTEGER NOT NULL,
      observed_pairs INTEGER NOT NULL, common_pairs INTEGER NOT NULL, precision REAL, recall REAL, mean_error_s REAL,
      mean_absolute_error_s REAL
    ) STRICT
    """,
    """
    CREATE TABLE queues (
      row INTEGER PRIMARY KEY, kind TEXT NOT NULL, place TEXT NOT NULL, served INTEGER NOT NULL,
      mean_length REAL NOT NULL, longest INTEGER NOT NULL, mean_wait_s REAL NOT NULL, p95_wait_s REAL NOT NULL
    ) STRICT
    """,
  ]
}
