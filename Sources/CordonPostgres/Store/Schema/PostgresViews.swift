/// The views for people who analyse the data in SQL. They name no device (`docs/reference/postgresql.md`).
enum PostgresViews {
  /// The schema that holds the views.
  static let schema = "cordon_view"
  /// The role that may read them, where the database has one of this name.
  static let reader = "cordon_reader"

  /// The step of the schema that makes the views.
  ///
  /// A random number takes part in the `id` of a position: nobody computes it from a device and a place.
  static let step = """
    CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL);
    INSERT INTO setting VALUES ('view_salt', ('x' || left(md5(gen_random_uuid()::text), 16))::bit(64)::bigint::text);
    CREATE SCHEMA IF NOT EXISTS cordon_view;
    CREATE VIEW cordon_view.venue AS SELECT number AS id, id AS venue, longitude, latitude FROM cordon.venue;
    CREATE TABLE space_outline (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, venue bigint NOT NULL, space text NOT NULL, floor integer NOT NULL,
      area double precision NOT NULL, outline text NOT NULL
    );
    CREATE VIEW cordon_view.space AS
      SELECT o.id, v.id AS venue, o.space, o.floor / 1e3::double precision AS floor, o.area, o.outline
      FROM cordon.space_outline AS o JOIN cordon.venue AS v ON v.number = o.venue;
    CREATE VIEW cordon_view.position AS
      SELECT p.low # (SELECT value::bigint FROM cordon.setting WHERE name = 'view_salt') AS id, v.id AS venue, s.id AS space,
        p.floor / 1e3::double precision AS floor, to_timestamp((p.high >> 16) / 1000.0) AS time,
        to_timestamp(p.still_until / 1000.0) AS still_until, p.longitude / 1e7::double precision AS longitude,
        p.latitude / 1e7::double precision AS latitude, p.accuracy / 1e3::double precision AS accuracy
      FROM cordon.position AS p JOIN cordon.bundle AS b ON b.number = p.bundle JOIN cordon.venue AS v ON v.number = b.venue
        LEFT JOIN cordon.space AS s ON s.number = p.space;
    CREATE FUNCTION cordon_view.positions(first timestamptz, last timestamptz) RETURNS SETOF cordon_view.position
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = cordon_view, pg_temp AS $$
        SELECT p.low # (SELECT value::bigint FROM cordon.setting WHERE name = 'view_salt'), v.id, s.id, p.floor / 1e3::double precision,
          to_timestamp((p.high >> 16) / 1000.0), to_timestamp(p.still_until / 1000.0),
          p.longitude / 1e7::double precision, p.latitude / 1e7::double precision, p.accuracy / 1e3::double precision
        FROM cordon.position AS p JOIN cordon.bundle AS b ON b.number = p.bundle JOIN cordon.venue AS v ON v.number = b.venue
          LEFT JOIN cordon.space AS s ON s.number = p.space
        WHERE p.high >= (extract(epoch FROM first) * 1000)::bigint << 16
          AND p.high < (extract(epoch FROM last) * 1000)::bigint << 16
      $$;
    CREATE VIEW cordon_view.contact AS
      WITH frame AS (
        SELECT number, id, longitude, latitude,
          6378137 / sqrt(1 - 0.0066943799901413165 * sin(radians(latitude)) ^ 2) AS radius,
          1 - 0.0066943799901413165 * sin(radians(latitude)) ^ 2 AS w
        FROM cordon.venue
      )
      SELECT f.id AS venue, CASE WHEN c.floor <> -2147483648 THEN c.floor / 1e3::double precision END AS floor,
        to_timestamp(c.start_time / 1e6) AS start_time, to_timestamp(c.end_time / 1e6) AS end_time,
        (c.end_time - c.start_time) / 1e6::double precision AS seconds, c.distance, c.obstructed / 1e6::double precision AS seconds_behind_walls,
        f.longitude + c.x / radians(f.radius * cos(radians(f.latitude))) AS longitude,
        f.latitude + c.y / radians(f.radius * (1 - 0.0066943799901413165) / f.w) AS latitude
      FROM cordon.contact AS c JOIN frame AS f ON f.number = c.venue;
    CREATE VIEW cordon_view.occupancy AS
      SELECT v.id AS venue, s.id AS space, CASE WHEN o.floor <> -2147483648 THEN o.floor / 1e3::double precision END AS floor,
        to_timestamp(o.start_time / 1000.0) AS start_time, o.devices
      FROM cordon.viewer_count AS o JOIN cordon.venue AS v ON v.number = o.venue
        LEFT JOIN cordon.space AS s ON s.number = o.space;
    """

  /// Makes the views with geometry where PostGIS is there, and lets the role read. Changes nothing that is done already.
  static let additions = """
    DO $$
    DECLARE place text;
    BEGIN
      SELECT n.nspname INTO place FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
        WHERE e.extname = 'postgis';
      IF place IS NOT NULL AND to_regclass('cordon_view.position_geometry') IS NULL THEN
        EXECUTE format('CREATE VIEW cordon_view.position_geometry AS SELECT *,
          %1$I.st_setsrid(%1$I.st_makepoint(longitude, latitude), 4326)::%1$I.geometry(Point, 4326) AS geometry
          FROM cordon_view.position', place);
        EXECUTE format('CREATE VIEW cordon_view.contact_geometry AS SELECT *,
          %1$I.st_setsrid(%1$I.st_makepoint(longitude, latitude), 4326)::%1$I.geometry(Point, 4326) AS geometry
          FROM cordon_view.contact', place);
        EXECUTE format('CREATE VIEW cordon_view.venue_geometry AS SELECT *,
          %1$I.st_setsrid(%1$I.st_makepoint(longitude, latitude), 4326)::%1$I.geometry(Point, 4326) AS geometry
          FROM cordon_view.venue', place);
        EXECUTE format('CREATE VIEW cordon_view.space_geometry AS SELECT id, venue, space, floor, area,
          %1$I.st_geomfromtext(outline, 4326)::%1$I.geometry(MultiPolygon, 4326) AS geometry
          FROM cordon_view.space', place);
      END IF;
      REVOKE ALL ON ALL FUNCTIONS IN SCHEMA cordon_view FROM public;
      IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'cordon_reader') THEN
        GRANT USAGE ON SCHEMA cordon_view TO cordon_reader;
        GRANT SELECT ON ALL TABLES IN SCHEMA cordon_view TO cordon_reader;
        GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA cordon_view TO cordon_reader;
      END IF;
    END $$
    """
}
