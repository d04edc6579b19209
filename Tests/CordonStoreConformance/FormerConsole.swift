package import CordonCore
import CordonSQLite

/// Files of cases and alerts as the version before holders of devices made them: with a case, two statuses and two notices, and two
/// rules. The last notice has number 7, and number 9 was given to one that is gone.
package enum FormerConsole {
  /// When everything was made.
  package static let time = Instant(milliseconds: 1_768_204_800_000)

  /// Makes both files.
  package static func make(cases: String, alerts: String) throws {
    for (path, script) in [(cases, caseTables), (alerts, alertTables)] {
      let connection = try Connection(path: path, mode: .create, timeout: 5_000)
      try connection.execute(script.replacing("TIME", with: "\(time.milliseconds)"))
      connection.close()
    }
  }

  private static let caseTables = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE caseFile (
      number INTEGER PRIMARY KEY AUTOINCREMENT, venue TEXT NOT NULL, label TEXT NOT NULL, device TEXT NOT NULL,
      onset INTEGER, since INTEGER NOT NULL, until INTEGER NOT NULL, threshold INTEGER NOT NULL,
      wallPercent INTEGER NOT NULL, note TEXT NOT NULL, created INTEGER NOT NULL, creator TEXT NOT NULL, closed INTEGER
    );
    CREATE TABLE caseContact (
      caseFile INTEGER NOT NULL REFERENCES caseFile ON DELETE CASCADE, device TEXT NOT NULL, status TEXT NOT NULL,
      note TEXT NOT NULL, changed INTEGER NOT NULL, operator TEXT NOT NULL, PRIMARY KEY (caseFile, device)
    ) WITHOUT ROWID;
    CREATE TABLE notice (
      number INTEGER PRIMARY KEY AUTOINCREMENT, caseFile INTEGER NOT NULL REFERENCES caseFile ON DELETE CASCADE,
      device TEXT NOT NULL, exposed INTEGER NOT NULL, template TEXT NOT NULL, advice TEXT NOT NULL,
      created INTEGER NOT NULL, expires INTEGER NOT NULL, delivered INTEGER, acknowledged INTEGER,
      UNIQUE (caseFile, device, exposed)
    );
    CREATE INDEX noticeDevice ON notice (device);
    INSERT INTO caseFile VALUES (3, 'hall', 'former', 'ada', NULL, TIME - 1000, TIME, 15, 50, 'n', TIME, 'op', NULL);
    INSERT INTO caseContact VALUES (3, 'bea', 'reached', 'x', TIME, 'op'), (3, 'cem', 'open', 'y', TIME, 'op');
    INSERT INTO notice VALUES (5, 3, 'bea', 0, 'test', 'a', TIME, TIME + 9000000, NULL, NULL),
      (7, 3, 'cem', 0, 'test', 'b', TIME, TIME + 9000000, TIME, NULL), (9, 3, 'gone', 0, 'test', 'c', TIME, TIME, NULL, NULL);
    DELETE FROM notice WHERE number = 9;
    """
  private static let alertTables = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE alertRule (
      number INTEGER PRIMARY KEY AUTOINCREMENT, venue TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
      space TEXT, floor INTEGER, device TEXT, threshold INTEGER NOT NULL, lasting INTEGER NOT NULL, isOn INTEGER NOT NULL
    );
    CREATE TABLE alert (
      number INTEGER PRIMARY KEY AUTOINCREMENT, rule INTEGER NOT NULL REFERENCES alertRule ON DELETE CASCADE,
      began INTEGER NOT NULL, raised INTEGER NOT NULL, ended INTEGER, peak INTEGER NOT NULL, space TEXT, acknowledged TEXT
    );
    CREATE INDEX alertOfRule ON alert (rule, number);
    INSERT INTO alertRule VALUES (2, 'hall', 'device-silent', 'silent', NULL, NULL, 'ada', 0, 60, 1),
      (3, 'hall', 'no-data', 'none', NULL, NULL, NULL, 0, 60, 1);
    INSERT INTO alert VALUES (4, 2, TIME, TIME, NULL, 9, NULL, NULL);
    """
}
