// Copies the server's rows into its table from C, without HTTP, JSON, gate or contacts: what PostgreSQL itself takes.
//   copy URL ROWS BATCH SEED
// One COPY in binary format and one durable transaction a batch; 300 rows of a device in turn, as in the server's batches.
#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
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

static void must(PGconn *db, const char *sql, ExecStatusType status) {
  PGresult *result = PQexec(db, sql);
  if (PQresultStatus(result) != status) { fprintf(stderr, "%s: %s\n", sql, PQerrorMessage(db)); exit(1); }
  PQclear(result);
}

static char *put16(char *p, int value) { uint16_t n = htons((uint16_t)value); memcpy(p, &n, 2); return p + 2; }
static char *put32(char *p, int32_t value) { uint32_t n = htonl((uint32_t)value); memcpy(p, &n, 4); return p + 4; }
static char *field32(char *p, int32_t value) { return put32(put32(p, 4), value); }
static char *field64(char *p, int64_t value) {
  uint64_t n = htobe64((uint64_t)value);
  p = put32(p, 8);
  memcpy(p, &n, 8);
  return p + 8;
}

int main(int argc, char **argv) {
  if (argc < 5) { fprintf(stderr, "usage: copy URL ROWS BATCH SEED\n"); return 2; }
  long rows = atol(argv[2]), batch = atol(argv[3]), seed = atol(argv[4]);
  PGconn *db = PQconnectdb(argv[1]);
  if (PQstatus(db) != CONNECTION_OK) { fprintf(stderr, "%s\n", PQerrorMessage(db)); return 1; }
  must(db, "SET search_path = cordon; SET client_min_messages = warning; SET synchronous_commit = on", PGRES_COMMAND_OK);
  // A day of its own, so that no row is there already.
  int64_t day = 10000 + seed % 1000, first = day * 86400000ll;
  char sql[512];
  snprintf(sql, sizeof sql,
           "CREATE TABLE position_bench_%lld (LIKE position INCLUDING ALL); ALTER TABLE position ATTACH PARTITION "
           "position_bench_%lld FOR VALUES FROM (%lld) TO (%lld)",
           (long long)day, (long long)day, (long long)(first << 16), (long long)((first + 86400000ll) << 16));
  must(db, sql, PGRES_COMMAND_OK);
  uint64_t random = 88172645463325252ull + (uint64_t)seed;
  char *buffer = malloc((size_t)batch * 160 + 64);
  double start = seconds();
  long done = 0, block = 0;
  while (done < rows) {
    must(db, "COPY position (device, high, low, accuracy, still_until, longitude, latitude, floor, bundle, space, battery) "
             "FROM STDIN BINARY", PGRES_COPY_IN);
    char *p = buffer;
    memcpy(p, "PGCOPY\n\377\r\n\0", 11);
    p = put32(put32(p + 11, 0), 0);
    for (long k = 0; k < batch; k++) {
      if (k % 300 == 0) block++;
      random ^= random << 13; random ^= random >> 7; random ^= random << 17;
      int64_t time = first + block / 1500 * 300000 + k % 300 * 1000;
      p = put16(p, 11);
      p = field64(p, 1 + block % 1500);
      p = field64(p, time << 16 | 0x7000 | (int64_t)(random & 0xfff));
      p = field64(p, (int64_t)(random | 1ull << 63));
      p = field64(p, 3500);
      p = put32(p, -1);
      p = field32(p, 85400000 + (int32_t)(random & 0xfff));
      p = field32(p, 473700000 + (int32_t)(random >> 12 & 0xfff));
      p = field32(p, 0);
      p = field32(p, 1);
      p = field32(p, 1 + (int32_t)(random & 31));
      p = put32(p, -1);
    }
    p = put16(p, -1);
    if (PQputCopyData(db, buffer, (int)(p - buffer)) != 1 || PQputCopyEnd(db, 0) != 1) return 1;
    PGresult *result;
    while ((result = PQgetResult(db))) {
      if (PQresultStatus(result) != PGRES_COMMAND_OK) { fprintf(stderr, "%s\n", PQerrorMessage(db)); return 1; }
      PQclear(result);
    }
    done += batch;
  }
  printf("%.0f\n", done / (seconds() - start));
  return 0;
}
