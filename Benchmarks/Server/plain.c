// Inserts the server's rows from C, without HTTP, JSON, gate or contacts: what SQLite itself takes.
//   plain FILE ROWS BATCH [packed]
// One transaction a batch, write-ahead log, synchronous=FULL; devices in turn. The table is the server's
// but for the column of the battery, which is NULL there unless an operator asks for it. `packed`: one row a batch, its rows in a blob.
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void must(sqlite3 *db, const char *sql) {
  char *message = 0;
  if (sqlite3_exec(db, sql, 0, 0, &message)) { fprintf(stderr, "%s: %s\n", sql, message); exit(1); }
}

int main(int argc, char **argv) {
  if (argc < 4) { fprintf(stderr, "usage: plain FILE ROWS BATCH [packed]\n"); return 2; }
  long rows = atol(argv[2]), batch = atol(argv[3]);
  int packed = argc > 4 && !strcmp(argv[4], "packed"), indexed = argc > 4 && !strcmp(argv[4], "indexed");
  remove(argv[1]);
  sqlite3 *db;
  if (sqlite3_open(argv[1], &db)) return 1;
  must(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA cache_size=-131072;"
           "PRAGMA wal_autocheckpoint=4000;"
           "CREATE TABLE position (device INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL, longitude INTEGER,"
           "latitude INTEGER, accuracy INTEGER, floor INTEGER, stillUntil INTEGER, bundle INTEGER, space INTEGER,"
           "PRIMARY KEY (device, high, low)) WITHOUT ROWID;"
           "CREATE TABLE packed (device INTEGER, first INTEGER, body BLOB, PRIMARY KEY (device, first)) WITHOUT ROWID;");
  if (indexed) must(db, "CREATE INDEX byTime ON position (bundle, high)");
  sqlite3_stmt *insert, *blob;
  sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO position VALUES (?,?,?,?,?,?,?,?,?,?)", -1, &insert, 0);
  sqlite3_prepare_v2(db, "INSERT OR IGNORE INTO packed VALUES (?,?,?)", -1, &blob, 0);
  uint64_t random = 88172645463325252ull;
  int64_t body[8192 / 8];
  double start = seconds();
  long done = 0;
  for (long b = 0; done < rows; b++) {
    sqlite3_exec(db, "BEGIN IMMEDIATE", 0, 0, 0);
    int64_t device = b % 500, time = 1767254400000ll + b / 500 * batch * 1000;
    if (packed) {
      sqlite3_bind_int64(blob, 1, device);
      sqlite3_bind_int64(blob, 2, time);
      sqlite3_bind_blob(blob, 3, body, batch * 24 > 8192 ? 8192 : batch * 24, SQLITE_STATIC);
      sqlite3_step(blob);
      sqlite3_reset(blob);
    } else {
      for (long k = 0; k < batch; k++) {
        random ^= random << 13; random ^= random >> 7; random ^= random << 17;
        sqlite3_bind_int64(insert, 1, device);
        sqlite3_bind_int64(insert, 2, (time + k * 1000) << 16 | 0x7000 | (random & 0xfff));
        sqlite3_bind_int64(insert, 3, (int64_t)(random | 1ull << 63));
        sqlite3_bind_int64(insert, 4, 85400000 + (int64_t)(random & 0xfff));
        sqlite3_bind_int64(insert, 5, 473700000 + (int64_t)(random >> 12 & 0xfff));
        sqlite3_bind_int64(insert, 6, 3500);
        sqlite3_bind_int64(insert, 7, 0);
        sqlite3_bind_null(insert, 8);
        sqlite3_bind_int64(insert, 9, 1);
        sqlite3_bind_int64(insert, 10, 1 + (random & 31));
        sqlite3_step(insert);
        sqlite3_reset(insert);
      }
    }
    if (sqlite3_exec(db, "COMMIT", 0, 0, 0)) { fprintf(stderr, "%s\n", sqlite3_errmsg(db)); return 1; }
    done += batch;
  }
  printf("%.0f\n", done / (seconds() - start));
  return 0;
}
