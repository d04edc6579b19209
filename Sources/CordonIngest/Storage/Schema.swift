/// The tables of a server's file, version by version. A version that was released is never changed.
///
/// Times are milliseconds since 1970 (of contacts microseconds), floors thousandths, coordinates degrees times 1e7,
/// radii millimetres. Devices, venues, bundles and spaces are numbers, so that a position is about forty bytes.
enum Schema {
  /// The steps; the file's `user_version` says how many were done.
  static let steps = [first, sight, battery, holder, decided, viewers, polls]

  // Of tables WITHOUT ROWID the columns of the key come first: else the integrity check of SQLite 3.40 takes columns for
  // others, and calls a sound file damaged.
  //
  // A position is found by device and time alone, which is also the order in which it lies: one B-tree, no index.
  // `device` counts on (AUTOINCREMENT), so that the number of an erased device never names another.
  private static let first = """
    CREATE TABLE venue (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, longitude REAL NOT NULL, latitude REAL NOT NULL
    );
    CREATE TABLE bundle (
      number INTEGER PRIMARY KEY, venue INTEGER NOT NULL, hash TEXT NOT NULL, UNIQUE (venue, hash)
    );
    CREATE TABLE space (
      number INTEGER PRIMARY KEY, venue INTEGER NOT NULL, id TEXT NOT NULL, UNIQUE (venue, id)
    );
    CREATE TABLE device (
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, venue INTEGER NOT NULL,
      type TEXT NOT NULL, secretHash BLOB, pendingSecret TEXT, codeHash BLOB, generation INTEGER NOT NULL,
      created INTEGER NOT NULL, lastSeen INTEGER NOT NULL, mayRecord INTEGER NOT NULL, formerHash BLOB
    );
    CREATE INDEX deviceByVenue ON device (venue, id);
    CREATE TABLE position (
      device INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL, longitude INTEGER NOT NULL,
      latitude INTEGER NOT NULL, accuracy INTEGER NOT NULL, floor INTEGER, stillUntil INTEGER,
      bundle INTEGER NOT NULL, space INTEGER, PRIMARY KEY (device, high, low)
    ) WITHOUT ROWID;
    CREATE TABLE presence (
      venue INTEGER NOT NULL, device INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
      PRIMARY KEY (venue, device)
    ) WITHOUT ROWID;
    CREATE TABLE contact (
      first INTEGER NOT NULL, second INTEGER NOT NULL, start INTEGER NOT NULL, floor INTEGER NOT NULL,
      venue INTEGER NOT NULL, end INTEGER NOT NULL, distance REAL NOT NULL, closest INTEGER NOT NULL, x REAL NOT NULL,
      y REAL NOT NULL, separationX REAL NOT NULL, separationY REAL NOT NULL,
      PRIMARY KEY (first, second, start, floor, venue)
    ) WITHOUT ROWID;
    CREATE INDEX contactBySecond ON contact (second, start);
    CREATE INDEX contactByVenue ON contact (venue, end);
    CREATE TABLE unsettled (
      venue INTEGER NOT NULL, device INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
      PRIMARY KEY (venue, device)
    ) WITHOUT ROWID;
    CREATE TABLE inviteCode (
      number INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, hint TEXT NOT NULL, venue INTEGER NOT NULL,
      kind INTEGER NOT NULL, uses INTEGER NOT NULL, maximumUses INTEGER NOT NULL, expires INTEGER,
      created INTEGER NOT NULL, creator TEXT NOT NULL
    );
    CREATE TABLE consent (
      device INTEGER NOT NULL, time INTEGER NOT NULL, received INTEGER NOT NULL, version TEXT NOT NULL,
      purposes TEXT NOT NULL, PRIMARY KEY (device, time, received)
    ) WITHOUT ROWID;
    CREATE TABLE batch (
      device INTEGER NOT NULL, key BLOB NOT NULL, digest BLOB NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (device, key)
    ) WITHOUT ROWID;
    CREATE TABLE tombstone (
      hash BLOB NOT NULL PRIMARY KEY, proof BLOB, time INTEGER NOT NULL, locations INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, operator TEXT NOT NULL, role TEXT NOT NULL,
      action TEXT NOT NULL, venue TEXT, device INTEGER, reason TEXT NOT NULL
    );
    CREATE INDEX auditByDevice ON audit (device) WHERE device IS NOT NULL;
    """

  // For how many microseconds of a contact a wall was between the two; NULL where no map said so, and in what was found
  // before this version.
  private static let sight = "ALTER TABLE contact ADD COLUMN obstructed INTEGER"

  // Per cent; NULL unless the operator asked for it.
  private static let battery = "ALTER TABLE position ADD COLUMN battery INTEGER"

  // When a device that had been set free came to its present holder; NULL where nobody had it before.
  private static let holder = "ALTER TABLE device ADD COLUMN heldSince INTEGER"

  // Up to which record of the log of decisions the store has what was decided.
  private static let decided =
    "CREATE TABLE decided (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL)"

  // What viewers see: up to when bins were counted, the present number of each place with the devices that it was
  // counted by, and the numbers of bins, which never change.
  private static let viewers = """
    CREATE TABLE viewerMark (venue INTEGER PRIMARY KEY, until INTEGER NOT NULL);
    CREATE TABLE viewerPlace (
      venue INTEGER NOT NULL, floor INTEGER NOT NULL, space INTEGER NOT NULL, devices INTEGER NOT NULL,
      threshold INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (venue, floor, space)
    ) WITHOUT ROWID;
    CREATE TABLE viewerMember (
      venue INTEGER NOT NULL, floor INTEGER NOT NULL, space INTEGER NOT NULL, device INTEGER NOT NULL,
      PRIMARY KEY (venue, floor, space, device)
    ) WITHOUT ROWID;
    CREATE INDEX viewerMemberByDevice ON viewerMember (device);
    CREATE TABLE viewerCount (
      venue INTEGER NOT NULL, start INTEGER NOT NULL, floor INTEGER NOT NULL, space INTEGER NOT NULL,
      devices INTEGER NOT NULL, PRIMARY KEY (venue, start, floor, space)
    ) WITHOUT ROWID;
    """

  // How many accesses an entry of the audit stands for, and when the last of them was; NULL for one.
  private static let polls = """
    ALTER TABLE audit ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE audit ADD COLUMN last INTEGER;
    """
}
