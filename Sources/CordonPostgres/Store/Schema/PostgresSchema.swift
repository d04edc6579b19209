/// The tables of a server in PostgreSQL, version by version. A version that was released is never changed.
///
/// The units are those of the file (`docs/reference/server.md`): times are milliseconds since 1970 (of contacts microseconds), floors
/// thousandths, coordinates degrees times 1e7, radii millimetres.
enum PostgresSchema {
  /// The schema of the database that holds the tables.
  static let name = "cordon"

  /// The steps; the highest number in `schema_version` says how many were done.
  static let steps = [
    first, PostgresViews.step, PostgresServers.step, PostgresSealing.step, PostgresConsole.step, PostgresDecisions.step,
    PostgresAccess.step, PostgresConsole.holders, PostgresErasureNotes.step, PostgresWebhooks.step,
    PostgresServers.givenBackStep,
  ]

  /// How many steps a database with views has.
  static let stepOfViews = 2

  // Numbers count on in a table, and not in sequences: a transaction that is undone leaves no gap, so that every store gives the
  // same numbers to the same calls, and the number of an erased device never names another.
  //
  // A position is found by device and time alone. `high` begins with the time, so a day is a range of it, and the key of the
  // table is also that of its partitions.
  private static let first = """
    CREATE TABLE counter (name text PRIMARY KEY, last bigint NOT NULL);
    INSERT INTO counter VALUES ('venue', 0), ('bundle', 0), ('space', 0), ('device', 0), ('invite', 0), ('audit', 0);
    CREATE TABLE venue (
      number bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, longitude double precision NOT NULL,
      latitude double precision NOT NULL
    );
    CREATE TABLE bundle (
      number bigint PRIMARY KEY, venue bigint NOT NULL, hash text COLLATE "C" NOT NULL, UNIQUE (venue, hash)
    );
    CREATE TABLE space (
      number bigint PRIMARY KEY, venue bigint NOT NULL, id text COLLATE "C" NOT NULL, UNIQUE (venue, id)
    );
    CREATE TABLE device (
      number bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, kind bigint NOT NULL, venue bigint NOT NULL,
      type text NOT NULL, secret_hash bytea, pending_secret text, code_hash bytea, generation bigint NOT NULL,
      created bigint NOT NULL, last_seen bigint NOT NULL, may_record bigint NOT NULL, former_hash bytea, held_since bigint
    );
    CREATE INDEX device_by_venue ON device (venue, id);
    CREATE TABLE position (
      device bigint NOT NULL, high bigint NOT NULL, low bigint NOT NULL, accuracy bigint NOT NULL, still_until bigint,
      longitude integer NOT NULL, latitude integer NOT NULL, floor integer, bundle integer NOT NULL, space integer,
      battery smallint, PRIMARY KEY (device, high, low)
    ) PARTITION BY RANGE (high);
    CREATE TABLE presence (
      venue bigint NOT NULL, device bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
      PRIMARY KEY (venue, device)
    ) WITH (fillfactor = 70);
    CREATE INDEX presence_by_device ON presence (device);
    CREATE TABLE contact (
      first bigint NOT NULL, second bigint NOT NULL, start_time bigint NOT NULL, end_time bigint NOT NULL,
      venue bigint NOT NULL, distance double precision NOT NULL, closest bigint NOT NULL, x double precision NOT NULL,
      y double precision NOT NULL, separation_x double precision NOT NULL, separation_y double precision NOT NULL,
      obstructed bigint, floor integer NOT NULL, PRIMARY KEY (first, second, start_time, floor, venue)
    );
    CREATE INDEX contact_by_second ON contact (second, start_time);
    CREATE INDEX contact_by_venue ON contact (venue, end_time);
    CREATE TABLE unsettled (
      venue bigint NOT NULL, device bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
      version bigint NOT NULL DEFAULT 1, PRIMARY KEY (venue, device)
    );
    CREATE TABLE invite_code (
      number bigint PRIMARY KEY, hash bytea NOT NULL UNIQUE, hint text NOT NULL, venue bigint NOT NULL,
      kind bigint NOT NULL, uses bigint NOT NULL, maximum_uses bigint NOT NULL, expires bigint, created bigint NOT NULL,
      creator text NOT NULL
    );
    CREATE TABLE consent (
      device bigint NOT NULL, time bigint NOT NULL, received bigint NOT NULL, version text NOT NULL, purposes text NOT NULL,
      PRIMARY KEY (device, time, received)
    );
    CREATE TABLE batch (
      device bigint NOT NULL, key bytea NOT NULL, digest bytea NOT NULL, time bigint NOT NULL, PRIMARY KEY (device, key)
    );
    CREATE INDEX batch_by_time ON batch (time);
    CREATE TABLE tombstone (hash bytea PRIMARY KEY, proof bytea, time bigint NOT NULL, locations bigint NOT NULL);
    CREATE TABLE audit (
      number bigint PRIMARY KEY, time bigint NOT NULL, operator text NOT NULL, role text NOT NULL, action text NOT NULL,
      venue text, device bigint, reason text NOT NULL, count bigint NOT NULL DEFAULT 1, last bigint
    );
    CREATE INDEX audit_by_device ON audit (device) WHERE device IS NOT NULL;
    CREATE TABLE viewer_mark (venue bigint PRIMARY KEY, until bigint NOT NULL);
    CREATE TABLE viewer_place (
      venue bigint NOT NULL, floor bigint NOT NULL, space bigint NOT NULL, devices bigint NOT NULL, threshold bigint NOT NULL,
      time bigint NOT NULL, PRIMARY KEY (venue, floor, space)
    );
    CREATE TABLE viewer_member (
      venue bigint NOT NULL, floor bigint NOT NULL, space bigint NOT NULL, device bigint NOT NULL,
      PRIMARY KEY (venue, floor, space, device)
    );
    CREATE INDEX viewer_member_by_device ON viewer_member (device);
    CREATE TABLE viewer_count (
      venue bigint NOT NULL, start_time bigint NOT NULL, floor bigint NOT NULL, space bigint NOT NULL, devices bigint NOT NULL,
      PRIMARY KEY (venue, start_time, floor, space)
    );
    """
}
