import CordonCore
import CordonTestSupport
import Testing

@testable import CordonStudies

/// The same views in PostgreSQL.
@Suite("The star schema in PostgreSQL", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct StarSchemaTests {
  @Test func viewsJoinFactsAndDimensions() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    try server.sql(StudySchema.postgresTables, at: database)
    try server.sql(StudySchema.postgresViews, at: database)
    try server.sql(
      """
      INSERT INTO study VALUES ('air', 'Air', 'open', 0, 1, '{}');
      INSERT INTO participant (id, study, account, keyHash, enrolled, consent, utcOffset, language)
        VALUES ('p-1', 'air', 'a-1', 'k', \(start.milliseconds), 1, 0, 'en');
      INSERT INTO location VALUES (1, \(start.milliseconds), 'x', 13, 52, 8, NULL, 'walking', 80, NULL, 0, 'good');
      INSERT INTO location VALUES (1, \(start.milliseconds + 86_400_000), 'y', 13, 52, 8, NULL, 'unknown', 80, NULL, 0, 'good');
      INSERT INTO event VALUES (1, 'e', \(start.milliseconds), 0, 'TRACKING_STARTED', NULL, NULL);
      INSERT INTO reminder VALUES ('k', 1, 0, 0, 'location', 'sent', 1);
      INSERT INTO ledger VALUES ('air', 1, 'a-1', 'earned', '2026-01-01', 0, 8, 0, 0, '', '', '');
      """, at: database)
    let rows = try server.sql(
      """
      SELECT d.date_key, f.hour_utc, a.is_moving, p.pseudonym, s.title, f.accuracy_m FROM fact_location f
      JOIN dim_date d USING (date_key) JOIN dim_activity a USING (activity_key)
      JOIN dim_participant p USING (participant_key) JOIN dim_study s ON s.study_key = f.study_key ORDER BY 1
      """, at: database)
    #expect(rows == "2026-01-01|0|1|p-1|Air|8\n2026-01-02|0||p-1|Air|8")
    let counts = try server.sql(
      "SELECT (SELECT count(*) FROM fact_event), (SELECT count(*) FROM fact_reminder), (SELECT sum(credits) FROM fact_ledger)",
      at: database)
    #expect(counts == "1|1|8")
  }
}
