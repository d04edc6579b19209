/// The tables of sealed columns, and of what is to be vacuumed after erasures.
enum PostgresSealing {
  /// The step of the schema that makes them.
  ///
  /// A sealed row has no values in the columns that its `sealed` holds. `vacuum_due` lists days whose partitions had rows of people
  /// who were erased.
  static let step = """
    CREATE TABLE device_key (device bigint PRIMARY KEY, key_id text NOT NULL, sealed bytea NOT NULL);
    ALTER TABLE position ADD COLUMN sealed bytea, ALTER COLUMN accuracy DROP NOT NULL,
      ALTER COLUMN longitude DROP NOT NULL, ALTER COLUMN latitude DROP NOT NULL;
    ALTER TABLE contact ADD COLUMN sealed bytea, ALTER COLUMN distance DROP NOT NULL, ALTER COLUMN closest DROP NOT NULL,
      ALTER COLUMN x DROP NOT NULL, ALTER COLUMN y DROP NOT NULL, ALTER COLUMN separation_x DROP NOT NULL,
      ALTER COLUMN separation_y DROP NOT NULL;
    CREATE TABLE vacuum_due (day bigint PRIMARY KEY);
    """
}
