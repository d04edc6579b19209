/// The schemas of released versions, word for word: what files in the field look like.
enum OldSchemas {
  static let version1 = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('1');
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
}
