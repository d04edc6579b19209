/// The agreement of a database with the logs of decisions that its servers keep beside it.
enum PostgresDecisions {
  /// The step of the schema that makes its table: up to which number the database has the decisions of a log.
  static let step = """
    INSERT INTO counter VALUES ('decision', 0);
    CREATE TABLE decision_mark (log text PRIMARY KEY, last bigint NOT NULL);
    """
}
