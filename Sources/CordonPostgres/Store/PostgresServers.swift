/// The tables by which servers on one database agree.
enum PostgresServers {
  /// The step of the schema that makes them.
  ///
  /// `erasure` has one row. A server that holds leases locks it in every transaction, and an erasure changes it first: so no contact
  /// of an erased device is written after it.
  static let step = """
    CREATE TABLE lease (venue bigint PRIMARY KEY, owner text NOT NULL, epoch bigint NOT NULL, taken timestamptz NOT NULL);
    CREATE TABLE server (id text PRIMARY KEY, seen timestamptz NOT NULL);
    CREATE TABLE quota (
      device bigint NOT NULL, hour bigint NOT NULL, rows bigint NOT NULL, PRIMARY KEY (device, hour)
    ) WITH (fillfactor = 70);
    CREATE INDEX quota_by_hour ON quota (hour);
    CREATE TABLE erasure (one integer PRIMARY KEY CHECK (one = 1), number bigint NOT NULL);
    INSERT INTO erasure VALUES (1, 0);
    CREATE TABLE erased_venue (venue bigint PRIMARY KEY, number bigint NOT NULL);
    """

  /// The step that notes when leases were given back.
  static let givenBackStep = "ALTER TABLE lease ADD COLUMN given_back timestamptz"
}
