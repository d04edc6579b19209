internal import CordonSQLite

/// The tables of `studies.sqlite`, and the star schema over them as views: facts in the middle, dimensions around them.
package enum StudySchema {
  static let migrations = Migrations([.init("studies", tables), .init("star", sqliteViews)])

  private static let tables = """
    CREATE TABLE study (
      code TEXT PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL, begins INTEGER NOT NULL, ends INTEGER NOT NULL,
      document BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE invitation (
      hash TEXT PRIMARY KEY, study TEXT NOT NULL, expires INTEGER NOT NULL, remaining INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE participant (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, study TEXT NOT NULL, account TEXT NOT NULL,
      keyHash TEXT NOT NULL UNIQUE, enrolled INTEGER NOT NULL, consent INTEGER NOT NULL, utcOffset INTEGER NOT NULL,
      language TEXT NOT NULL, reminderInterval INTEGER, leftAt INTEGER
    );
    CREATE INDEX participantStudy ON participant (study);
    CREATE TABLE event (
      participant INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE, id TEXT NOT NULL, time INTEGER NOT NULL,
      received INTEGER NOT NULL, kind TEXT NOT NULL, permission TEXT, value INTEGER, PRIMARY KEY (participant, id)
    ) WITHOUT ROWID;
    CREATE TABLE location (
      participant INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE, time INTEGER NOT NULL, id TEXT NOT NULL,
      longitude REAL NOT NULL, latitude REAL NOT NULL, accuracy REAL, altitude REAL, activity TEXT NOT NULL,
      battery INTEGER, odometer REAL, mocked INTEGER NOT NULL, quality TEXT NOT NULL, UNIQUE (participant, id)
    );
    CREATE INDEX locationTime ON location (participant, time);
    CREATE TABLE reminder (
      key TEXT PRIMARY KEY, participant INTEGER NOT NULL REFERENCES participant ON DELETE CASCADE, time INTEGER NOT NULL,
      loss INTEGER NOT NULL, permissions TEXT NOT NULL, result TEXT NOT NULL, attempts INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX reminderParticipant ON reminder (participant);
    CREATE TABLE ledger (
      study TEXT NOT NULL, sequence INTEGER NOT NULL, account TEXT NOT NULL, kind TEXT NOT NULL, period TEXT NOT NULL,
      payout INTEGER NOT NULL, credits INTEGER NOT NULL, amount INTEGER NOT NULL, time INTEGER NOT NULL,
      reference TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (study, sequence)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX ledgerPeriod ON ledger (study, account, period) WHERE kind = 'earned';
    CREATE TRIGGER ledgerUpdate BEFORE UPDATE ON ledger BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, study TEXT NOT NULL, actor TEXT NOT NULL,
      action TEXT NOT NULL, reason TEXT NOT NULL
    );
    """

  /// The star schema for SQLite. Times are milliseconds since 1970, dates are UTC, positions are WGS 84 in degrees.
  package static let sqliteViews = views(
    date: "date(%/1000, 'unixepoch')", hour: "CAST(strftime('%H', %/1000, 'unixepoch') AS INTEGER)")

  /// The star schema for PostgreSQL, over tables of the same names and columns.
  package static let postgresViews = views(
    date: "CAST(to_timestamp(%/1000.0) AT TIME ZONE 'UTC' AS date)",
    hour: "CAST(extract(hour FROM to_timestamp(%/1000.0) AT TIME ZONE 'UTC') AS integer)"
  )

  private static func views(date dateText: String, hour hourText: String) -> String {
    func date(_ column: String) -> String { dateText.replacing("%/", with: "\(column)/") }
    func hour(_ column: String) -> String { hourText.replacing("%/", with: "\(column)/") }
    return """
      CREATE VIEW dim_study AS SELECT code AS study_key, title, state, begins, ends FROM study;
      CREATE VIEW dim_participant AS
        SELECT number AS participant_key, id AS pseudonym, study AS study_key, \(date("enrolled")) AS enrolled_on,
          consent AS consent_version, utcOffset AS utc_offset_ms, CASE WHEN leftAt IS NULL THEN 0 ELSE 1 END AS has_left
        FROM participant;
      CREATE VIEW dim_date AS
        SELECT DISTINCT \(date("time")) AS date_key FROM location
        UNION SELECT DISTINCT \(date("time")) FROM event
        UNION SELECT DISTINCT \(date("time")) FROM reminder
        UNION SELECT DISTINCT \(date("time")) FROM ledger;
      CREATE VIEW dim_activity AS
        SELECT 'still' AS activity_key, 0 AS is_moving UNION SELECT 'on_foot', 1 UNION SELECT 'walking', 1
        UNION SELECT 'running', 1 UNION SELECT 'in_vehicle', 1 UNION SELECT 'on_bicycle', 1 UNION SELECT 'unknown', NULL;
      CREATE VIEW fact_location AS
        SELECT l.participant AS participant_key, p.study AS study_key, \(date("l.time")) AS date_key,
          \(hour("l.time")) AS hour_utc, l.time AS time_ms, l.activity AS activity_key, l.longitude, l.latitude,
          l.altitude AS altitude_m, l.accuracy AS accuracy_m, l.quality, l.battery AS battery_percent,
          l.odometer AS odometer_m
        FROM location l JOIN participant p ON p.number = l.participant;
      CREATE VIEW fact_event AS
        SELECT e.participant AS participant_key, p.study AS study_key, \(date("e.time")) AS date_key, e.time AS time_ms,
          e.received AS received_ms, e.kind, e.permission, e.value
        FROM event e JOIN participant p ON p.number = e.participant;
      CREATE VIEW fact_reminder AS
        SELECT r.participant AS participant_key, p.study AS study_key, \(date("r.time")) AS date_key, r.time AS time_ms,
          r.permissions, r.result, r.attempts
        FROM reminder r JOIN participant p ON p.number = r.participant;
      CREATE VIEW fact_ledger AS
        SELECT l.study AS study_key, p.number AS participant_key, \(date("l.time")) AS date_key, l.sequence, l.kind,
          l.period, l.payout, l.credits, l.amount AS amount_smallest_unit
        FROM ledger l LEFT JOIN participant p ON p.study = l.study AND p.account = l.account;
      """
  }
}
