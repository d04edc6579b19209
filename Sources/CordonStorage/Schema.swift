import CordonSQLite

/// The tables of a store's file by version. A released version is never changed.
///
/// `device` and `location` have the fields of the published entities. `location` is a view on `locationRow`, which
/// refers to device and venue by number; its `uploadStatus` is derived from `delivery`. Times are milliseconds since
/// 1970, floors are thousandths of an ordinal.
enum Schema {
  /// All steps from an empty file to the current version.
  static let migrations = Migrations([
    .init("1", first), .init("2", second), .init("3", third), .init("4", fourth), .init("5", fifth),
  ])

  // A FixID is stored as two integers, so that rows are ordered by device and time and need no second index. Delivery
  // status: 0 pending, 1 leased, 2 quarantined. Upload status: 0 not sent, 1 being sent, 2 rejected.
  private static let first = """
    CREATE TABLE device (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      authToken TEXT,
      expiresAt INTEGER,
      isActivated INTEGER NOT NULL,
      type TEXT NOT NULL,
      venue TEXT,
      secret TEXT,
      state BLOB NOT NULL
    );
    CREATE TABLE bundle (
      number INTEGER PRIMARY KEY,
      venueId TEXT NOT NULL,
      venueHash TEXT NOT NULL,
      UNIQUE (venueId, venueHash)
    );
    CREATE TABLE locationRow (
      deviceNumber INTEGER NOT NULL,
      fixHigh INTEGER NOT NULL,
      fixLow INTEGER NOT NULL,
      longitude REAL NOT NULL,
      latitude REAL NOT NULL,
      accuracy REAL NOT NULL,
      floor INTEGER,
      createdAt INTEGER NOT NULL,
      stillUntil INTEGER,
      space TEXT,
      bundleNumber INTEGER NOT NULL,
      PRIMARY KEY (deviceNumber, fixHigh, fixLow)
    ) WITHOUT ROWID;
    CREATE TABLE delivery (
      deviceNumber INTEGER NOT NULL,
      sink INTEGER NOT NULL,
      fixHigh INTEGER NOT NULL,
      fixLow INTEGER NOT NULL,
      status INTEGER NOT NULL,
      leaseEnd INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      PRIMARY KEY (deviceNumber, sink, fixHigh, fixLow)
    ) WITHOUT ROWID;
    CREATE VIEW location AS
      SELECT
        lower(printf('%08x-%04x-%04x-%04x-%012x', r.fixHigh >> 32, (r.fixHigh >> 16) & 0xffff, r.fixHigh & 0xffff,
          (r.fixLow >> 48) & 0xffff, r.fixLow & 0xffffffffffff)) AS id,
        r.longitude, r.latitude, r.accuracy, r.floor / 1000.0 AS floor, d.id AS deviceId, b.venueId, b.venueHash,
        r.createdAt, r.stillUntil, r.space,
        coalesce((SELECT max(status) FROM delivery AS q WHERE q.deviceNumber = r.deviceNumber
          AND q.fixHigh = r.fixHigh AND q.fixLow = r.fixLow), 0) AS uploadStatus
      FROM locationRow AS r
      JOIN device AS d ON d.number = r.deviceNumber
      JOIN bundle AS b ON b.number = r.bundleNumber;
    """

  // A sealed row has its position, accuracy, floor and space in `sealed`. Its identifier is a keyed hash, because the
  // real identifier is derived from the position and would allow guessing it. Times and the venue remain readable.
  private static let second = """
    DROP VIEW location;
    CREATE TABLE locationRow2 (
      deviceNumber INTEGER NOT NULL,
      fixHigh INTEGER NOT NULL,
      fixLow INTEGER NOT NULL,
      longitude REAL,
      latitude REAL,
      accuracy REAL,
      floor INTEGER,
      createdAt INTEGER NOT NULL,
      stillUntil INTEGER,
      space TEXT,
      bundleNumber INTEGER NOT NULL,
      mocked INTEGER NOT NULL,
      sealed BLOB,
      PRIMARY KEY (deviceNumber, fixHigh, fixLow)
    ) WITHOUT ROWID;
    INSERT INTO locationRow2 SELECT *, 0, NULL FROM locationRow;
    DROP TABLE locationRow;
    ALTER TABLE locationRow2 RENAME TO locationRow;
    ALTER TABLE device ADD COLUMN lostWaiting INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device ADD COLUMN lostQuarantined INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE activation (
      deviceNumber INTEGER NOT NULL,
      venueId TEXT NOT NULL,
      secret TEXT NOT NULL,
      authToken TEXT,
      expiresAt INTEGER,
      PRIMARY KEY (deviceNumber, venueId)
    ) WITHOUT ROWID;
    CREATE TABLE erasure (
      deviceNumber INTEGER NOT NULL,
      id TEXT NOT NULL,
      secret TEXT NOT NULL,
      PRIMARY KEY (deviceNumber, id)
    ) WITHOUT ROWID;
    CREATE TABLE seal (
      number INTEGER PRIMARY KEY CHECK (number = 1),
      pseudonymKey BLOB NOT NULL
    );
    CREATE TABLE sealKey (number INTEGER PRIMARY KEY);
    CREATE VIEW location AS
      SELECT
        lower(printf('%08x-%04x-%04x-%04x-%012x', r.fixHigh >> 32, (r.fixHigh >> 16) & 0xffff, r.fixHigh & 0xffff,
          (r.fixLow >> 48) & 0xffff, r.fixLow & 0xffffffffffff)) AS id,
        r.longitude, r.latitude, r.accuracy, r.floor / 1000.0 AS floor, d.id AS deviceId, b.venueId, b.venueHash,
        r.createdAt, r.stillUntil, r.space, r.mocked,
        coalesce((SELECT max(status) FROM delivery AS q WHERE q.deviceNumber = r.deviceNumber
          AND q.fixHigh = r.fixHigh AND q.fixLow = r.fixLow), 0) AS uploadStatus
      FROM locationRow AS r
      JOIN device AS d ON d.number = r.deviceNumber
      JOIN bundle AS b ON b.number = r.bundleNumber;
    """

  // The number of owners that the file has had. A store with an outdated number writes nothing.
  private static let third = """
    CREATE TABLE owner (
      number INTEGER PRIMARY KEY CHECK (number = 1),
      epoch INTEGER NOT NULL
    );
    """

  // Exposure notices. `contents` holds template, day and advice, sealed in a sealed store.
  private static let fourth = """
    CREATE TABLE notice (
      deviceNumber INTEGER NOT NULL,
      number INTEGER NOT NULL,
      contents TEXT NOT NULL,
      createdAt INTEGER NOT NULL,
      expiresAt INTEGER NOT NULL,
      receivedAt INTEGER NOT NULL,
      acknowledgedAt INTEGER,
      isSent INTEGER NOT NULL,
      PRIMARY KEY (deviceNumber, number)
    ) WITHOUT ROWID;
    """

  // The text with which a sink refused a row for good, sealed in a sealed store.
  private static let fifth = "ALTER TABLE delivery ADD COLUMN reason;"
}
