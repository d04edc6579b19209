/// The tables by which servers agree on who may do what: accounts of operators, failed attempts, codes of pages, and sign-ins that have
/// begun.
enum PostgresAccess {
  /// The step of the schema that makes them.
  ///
  /// `operator_accounts` has one row, which only the servers can open. The other tables hold what lasts for minutes. They are not
  /// logged: nothing of them is in the write-ahead log, and a crash of the database empties them.
  static let step = """
    CREATE TABLE operator_accounts (one integer PRIMARY KEY CHECK (one = 1), revision bigint NOT NULL, sealed bytea NOT NULL);
    CREATE UNLOGGED TABLE failure (
      subject bytea PRIMARY KEY, failures bigint NOT NULL, free bigint NOT NULL, ends bigint NOT NULL
    ) WITH (fillfactor = 70);
    CREATE UNLOGGED TABLE page_code (
      device text PRIMARY KEY, hash bytea NOT NULL UNIQUE, generation bigint NOT NULL, ends bigint NOT NULL
    );
    CREATE UNLOGGED TABLE page_key (
      hash bytea PRIMARY KEY, device text NOT NULL, generation bigint NOT NULL, ends bigint NOT NULL
    );
    CREATE INDEX page_key_by_device ON page_key (device);
    CREATE UNLOGGED TABLE sign_in_attempt (key bytea PRIMARY KEY, value bytea NOT NULL, created bigint NOT NULL);
    """
}
