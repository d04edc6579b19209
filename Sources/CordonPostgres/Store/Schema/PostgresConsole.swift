/// The tables of the operators' console: cases, notices, rules, alerts, sessions and events of accounts.
enum PostgresConsole {
  /// The step of the schema that makes them.
  static let step = """
    INSERT INTO counter VALUES ('case', 0), ('notice', 0), ('rule', 0), ('alert', 0), ('session', 0), ('account_event', 0);
    CREATE TABLE case_file (
      number bigint PRIMARY KEY, venue text NOT NULL, label text NOT NULL, device text NOT NULL, onset bigint,
      since bigint NOT NULL, until bigint NOT NULL, threshold bigint NOT NULL, wall_percent bigint NOT NULL,
      note text NOT NULL, created bigint NOT NULL, creator text NOT NULL, closed bigint
    );
    CREATE TABLE case_contact (
      case_file bigint NOT NULL REFERENCES case_file ON DELETE CASCADE, device text COLLATE "C" NOT NULL,
      status text NOT NULL, note text NOT NULL, changed bigint NOT NULL, operator text NOT NULL,
      PRIMARY KEY (case_file, device)
    );
    CREATE TABLE notice (
      number bigint PRIMARY KEY, case_file bigint NOT NULL REFERENCES case_file ON DELETE CASCADE, device text NOT NULL,
      exposed bigint NOT NULL, template text NOT NULL, advice text NOT NULL, created bigint NOT NULL,
      expires bigint NOT NULL, delivered bigint, acknowledged bigint, UNIQUE (case_file, device, exposed)
    );
    CREATE INDEX notice_by_device ON notice (device);
    CREATE TABLE alert_rule (
      number bigint PRIMARY KEY, venue text NOT NULL, kind text NOT NULL, name text NOT NULL, space text, floor bigint,
      device text, threshold bigint NOT NULL, lasting bigint NOT NULL, is_on bigint NOT NULL
    );
    CREATE TABLE alert (
      number bigint PRIMARY KEY, rule bigint NOT NULL REFERENCES alert_rule ON DELETE CASCADE, began bigint NOT NULL,
      raised bigint NOT NULL, ended bigint, peak bigint NOT NULL, space text, acknowledged text, sent bigint,
      end_sent bigint
    );
    CREATE INDEX alert_of_rule ON alert (rule, number);
    CREATE TABLE operator_session (
      number bigint PRIMARY KEY, token_hash bytea NOT NULL UNIQUE, operator text NOT NULL, method text NOT NULL,
      created bigint NOT NULL, last_seen bigint NOT NULL, confirmed bigint NOT NULL, sealed_token bytea
    );
    CREATE INDEX session_by_operator ON operator_session (operator);
    CREATE TABLE used_code (operator text PRIMARY KEY, counter bigint NOT NULL);
    CREATE TABLE account_event (
      number bigint PRIMARY KEY, time bigint NOT NULL, operator text NOT NULL, action text NOT NULL, subject text
    );
    """

  /// The step of the schema that adds the holders of devices. Rows that were made in the time of a holder are about that holder; the
  /// holder of a rule is not known.
  static let holders = """
    ALTER TABLE case_file ADD COLUMN holder bigint NOT NULL DEFAULT 0;
    UPDATE case_file SET holder = created;
    ALTER TABLE case_contact ADD COLUMN holder bigint NOT NULL DEFAULT 0;
    UPDATE case_contact SET holder = changed;
    ALTER TABLE case_contact DROP CONSTRAINT case_contact_pkey, ADD PRIMARY KEY (case_file, device, holder);
    ALTER TABLE notice ADD COLUMN holder bigint NOT NULL DEFAULT 0;
    UPDATE notice SET holder = created;
    ALTER TABLE notice DROP CONSTRAINT notice_case_file_device_exposed_key,
      ADD UNIQUE (case_file, device, holder, exposed);
    ALTER TABLE alert_rule ADD COLUMN holder bigint, ADD COLUMN created bigint;
    """

  /// The beginning of a statement that gives a new number of a kind, as `n.last`.
  static func number(_ kind: String) -> String {
    "WITH n AS (UPDATE counter SET last = last + 1 WHERE name = '\(kind)' RETURNING last)"
  }
}
