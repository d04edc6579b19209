/// The tables of messages to receivers of webhooks.
enum PostgresWebhooks {
  /// The first number of a message. Smaller numbers are those of messages in files, so that commands need not ask which is meant.
  static let firstNumber = 1_000_000_001

  /// The step of the schema that makes them. Times are milliseconds since 1970, as in the file; claims end by the database's clock.
  static let step = """
    CREATE TABLE webhook_delivery (
      number bigint GENERATED ALWAYS AS IDENTITY (START WITH \(firstNumber)) PRIMARY KEY, receiver text NOT NULL,
      id text NOT NULL, kind text NOT NULL, created bigint NOT NULL, attempts bigint NOT NULL DEFAULT 0, reason text,
      next bigint NOT NULL, died bigint, device text, body bytea NOT NULL
    ) WITH (fillfactor = 70);
    CREATE INDEX webhook_delivery_due ON webhook_delivery (receiver, number) WHERE died IS NULL;
    CREATE INDEX webhook_delivery_dead ON webhook_delivery (died) WHERE died IS NOT NULL;
    CREATE INDEX webhook_delivery_by_device ON webhook_delivery (device) WHERE device IS NOT NULL;
    CREATE TABLE webhook_mark (name text PRIMARY KEY, value bigint NOT NULL);
    CREATE TABLE webhook_claim (task text PRIMARY KEY, holder text NOT NULL, until timestamptz NOT NULL);
    CREATE TABLE webhook_receiver (
      receiver text PRIMARY KEY, named timestamptz NOT NULL, failures bigint NOT NULL DEFAULT 0, paused_until bigint
    );
    """
}
