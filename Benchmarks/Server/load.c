// Posts batches of rows to cordon-server over keep-alive connections, and measures what comes back.
//
//   load PORT TOKENS CONNECTIONS SECONDS ROWS VENUE LON LAT WIDTH_M [AGO_S [PAUSE_S [SHARE [BODIES]]]]
//
// TOKENS has a line "device token" for each device. Every device walks at random in a square of WIDTH_M metres whose
// south-west corner is (LON, LAT), a position a second; a batch is ROWS positions of one device, each new. Rows carry no
// identity, so that the server computes it. Prints one JSON object. The clock of the walk begins AGO_S ago (3500) and goes on
// from batch to batch; it must not overtake the present, or rows are refused. A connection waits PAUSE_S (0) between its requests;
// with a pause they begin one after another over its length. The generator uses at most SHARE (0.5) of one processor: it
// sleeps where it would use more, and the figures include that time. The output has its processor time. BODIES selects how
// bodies are made: `live` (one after the other, the default), `plain` (before the first request), or `gzip` (before it, and
// compressed). Bodies made before take at most 256 MB; if they do not last for SECONDS, the run ends with the last of them.
// With CORDON_WAIT in the environment it prints "ready" on the error stream before the first request, and waits for a line.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

typedef struct { char name[64], token[1024]; double x, y, heading; int64_t time; uint64_t random; } device;
typedef struct {
  int fd, device; double due; size_t sent, length, got; double begun; char *out, *in; size_t need;
} connection;

static device *devices;
static int deviceCount, rows, provesAnswers;
static unsigned long lastNonce;
static const char *venue;
static double lon, lat, width, metresEast;
static const double metresNorth = 111200.0;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int64_t wall(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static double unit(device *d) {
  d->random ^= d->random << 13;
  d->random ^= d->random >> 7;
  d->random ^= d->random << 17;
  return (d->random >> 11) * 0x1p-53;
}

static char *digits(char *p, int64_t value, int places) {
  char buffer[24];
  int n = 0;
  if (value < 0) { *p++ = '-'; value = -value; }
  while (value > 0 || n <= places) { buffer[n++] = '0' + value % 10; value /= 10; if (n == places && places) buffer[n++] = '.'; }
  if (places && buffer[n - 1] == '.') buffer[n++] = '0';
  while (n > 0) *p++ = buffer[--n];
  return p;
}

static char *text(char *p, const char *s) { size_t n = strlen(s); memcpy(p, s, n); return p + n; }

static int isPacked;
typedef struct { char *bytes; size_t length; } request;
static request *made;
static size_t madeCount, nextMade;

static size_t pack(char *bytes, size_t count, size_t room) {
  char *copy = malloc(count);
  memcpy(copy, bytes, count);
  z_stream stream = { .next_in = (Bytef *)copy, .avail_in = count, .next_out = (Bytef *)bytes, .avail_out = room };
  deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) { fprintf(stderr, "a body that cannot be packed\n"); exit(1); }
  size_t length = stream.total_out;
  deflateEnd(&stream);
  free(copy);
  return length;
}

static void fill(connection *c) {
  if (made) {
    request *r = &made[nextMade++];
    memcpy(c->out, r->bytes, r->length);
    c->length = r->length;
    c->sent = c->got = c->need = 0;
    c->begun = seconds();
    return;
  }
  device *d = &devices[c->device];
  static char *body;
  if (!body) body = malloc((size_t)rows * 256 + 64);
  char *p = text(body, "{\"rows\":[");
  for (int k = 0; k < rows; k++) {
    if (unit(d) < 0.1) d->heading = unit(d) * 6.283185307;
    double step = 1.2 * unit(d);
    d->x += step * cos(d->heading);
    d->y += step * sin(d->heading);
    if (d->x < 0 || d->x > width || d->y < 0 || d->y > width) {
      d->x = fmin(fmax(d->x, 0), width);
      d->y = fmin(fmax(d->y, 0), width);
      d->heading += 3.0;
    }
    d->time += 1000;
    if (k) *p++ = ',';
    p = text(p, "{\"device\":\"");
    p = text(p, d->name);
    p = text(p, "\",\"time\":");
    p = digits(p, d->time, 0);
    p = text(p, ",\"lonlat\":[");
    p = digits(p, llround((lon + d->x / metresEast) * 1e7), 7);
    *p++ = ',';
    p = digits(p, llround((lat + d->y / metresNorth) * 1e7), 7);
    p = text(p, "],\"acc\":3.5,\"floor\":0,\"venue\":\"");
    p = text(p, venue);
    p = text(p, "\"}");
  }
  p = text(p, "]}");
  size_t n = p - body;
  if (isPacked) n = pack(body, n, (size_t)rows * 256 + 64);
  // As phones do: the answer is to prove that it comes from the server. `run --without-proofs` shows what that costs.
  char nonce[64] = "";
  if (provesAnswers) sprintf(nonce, "cordon-nonce: %032lx\r\n", ++lastNonce);
  int head = sprintf(c->out,
      "POST /v1/positions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer %s\r\n%s"
      "%scontent-length: %zu\r\n\r\n", d->token, nonce, isPacked ? "content-encoding: gzip\r\n" : "", n);
  memcpy(c->out + head, body, n);
  c->length = head + n;
  c->sent = c->got = c->need = 0;
  c->begun = seconds();
}

// Makes requests beforehand: as many as can be sent, or as many as there is room for.
static void make(size_t room, size_t most) {
  size_t bytes = 0, count = 0;
  connection c = { .out = malloc(room) };
  request *list = calloc(most, sizeof *list);
  for (; count < most && bytes < 256u << 20; count++) {
    c.device = count % deviceCount;
    fill(&c);
    list[count] = (request){ memcpy(malloc(c.length), c.out, c.length), c.length };
    bytes += c.length;
  }
  free(c.out);
  made = list;
  madeCount = count;
}

static double processorTime(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

// Sleeps while more than the share was used; what was not used is saved for a tenth of a second at most.
static double rest(double share, double *credit, double *then, double *used) {
  double now = seconds(), cpu = processorTime(), slept = 0;
  *credit += (now - *then) * share - (cpu - *used);
  *then = now;
  *used = cpu;
  if (*credit > 0.1 * share) *credit = 0.1 * share;
  if (*credit < 0) {
    slept = -*credit / share;
    struct timespec t = { (time_t)slept, (long)((slept - (time_t)slept) * 1e9) };
    nanosleep(&t, NULL);
  }
  return slept;
}

static int compare(const void *a, const void *b) { double d = *(double *)a - *(double *)b; return (d > 0) - (d < 0); }

int main(int argc, char **argv) {
  if (argc < 10) { fprintf(stderr, "usage: load PORT TOKENS CONNECTIONS SECONDS ROWS VENUE LON LAT WIDTH_M\n"); return 2; }
  int port = atoi(argv[1]), connections = atoi(argv[3]);
  double length = atof(argv[4]), ago = argc > 10 ? atof(argv[10]) : 3500, between = argc > 11 ? atof(argv[11]) : 0;
  double share = argc > 12 ? atof(argv[12]) : 0.5;
  if (!(share > 0)) { fprintf(stderr, "SHARE: more than 0\n"); return 2; }
  rows = atoi(argv[5]);
  venue = argv[6];
  provesAnswers = !getenv("CORDON_WITHOUT_PROOFS");
  lon = atof(argv[7]);
  lat = atof(argv[8]);
  width = atof(argv[9]);
  metresEast = 111320.0 * cos(lat * M_PI / 180);
  FILE *file = fopen(argv[2], "r");
  if (!file) { perror(argv[2]); return 2; }
  devices = calloc(1 << 16, sizeof *devices);
  while (fscanf(file, "%63s %1023s", devices[deviceCount].name, devices[deviceCount].token) == 2) {
    device *d = &devices[deviceCount++];
    d->random = 0x9e3779b97f4a7c15ull * deviceCount;
    for (int k = 0; k < 8; k++) unit(d);
    d->x = unit(d) * width;
    d->y = unit(d) * width;
    d->time = wall() - (int64_t)(ago * 1000);
  }
  fclose(file);
  struct rlimit limit = { 65536, 65536 };
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int poll = epoll_create1(0);
  connection *list = calloc(connections, sizeof *list);
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  size_t room = (size_t)rows * 256 + 4096;
  const char *bodies = argc > 13 ? argv[13] : "live";
  isPacked = !strcmp(bodies, "gzip");
  double fastest = between > 0 ? connections * (1 / between + 1) : 40000;
  if (strcmp(bodies, "live")) make(room, (size_t)(length * fastest));
  for (int k = 0; k < connections; k++) {
    connection *c = &list[k];
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address)) { perror("connect"); return 1; }
    int one = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    c->out = malloc(room);
    c->in = malloc(room);
    c->device = k % deviceCount;
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };
    epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &event);
  }
  if (getenv("CORDON_WAIT")) {
    fputs("ready\n", stderr);
    if (getchar() == EOF) return 1;
  }
  double start = seconds(), end = start + length;
  // Those that wait, in the order in which they are due: the pause is the same for all.
  connection **waiting = malloc((connections + 1) * sizeof *waiting);
  int first = 0, last = 0;
  for (int k = 0; k < connections; k++) {
    list[k].due = start + between * k / connections;
    waiting[last++] = &list[k];
  }
  size_t capacity = 1 << 22, count = 0;
  double *latencies = malloc(capacity * sizeof *latencies);
  long stored = 0, known = 0, refused = 0, other = 0, statuses[600] = {0};
  struct epoll_event events[1024];
  double credit = 0, then = seconds(), used = processorTime(), usedBefore = used, slept = 0;
  while (seconds() < end) {
    slept += rest(share, &credit, &then, &used);
    double now = seconds();
    if (made && nextMade + connections > madeCount) break;
    while (first != last && waiting[first]->due <= now) {
      connection *c = waiting[first];
      first = (first + 1) % (connections + 1);
      fill(c);
      struct epoll_event event = { .events = EPOLLIN | EPOLLOUT, .data.ptr = c };
      epoll_ctl(poll, EPOLL_CTL_MOD, c->fd, &event);
    }
    int wait = first == last ? 100 : (int)((waiting[first]->due - now) * 1000) + 1;
    int n = epoll_wait(poll, events, 1024, wait < 100 ? wait : 100);
    for (int k = 0; k < n; k++) {
      connection *c = events[k].data.ptr;
      if (events[k].events & EPOLLOUT && c->sent < c->length) {
        ssize_t wrote = write(c->fd, c->out + c->sent, c->length - c->sent);
        if (wrote > 0) c->sent += wrote;
        if (c->sent == c->length) {
          struct epoll_event event = { .events = EPOLLIN, .data.ptr = c };
          epoll_ctl(poll, EPOLL_CTL_MOD, c->fd, &event);
        }
      }
      if (!(events[k].events & (EPOLLIN | EPOLLHUP | EPOLLERR))) continue;
      ssize_t got = read(c->fd, c->in + c->got, room - 1 - c->got);
      if (got == 0 || (got < 0 && errno != EAGAIN)) { other++; epoll_ctl(poll, EPOLL_CTL_DEL, c->fd, NULL); continue; }
      if (got < 0) continue;
      c->got += got;
      c->in[c->got] = 0;
      if (!c->need) {
        char *blank = strstr(c->in, "\r\n\r\n");
        if (!blank) continue;
        char *field = strcasestr(c->in, "content-length:");
        c->need = (blank + 4 - c->in) + (field && field < blank ? strtoul(field + 15, NULL, 10) : 0);
      }
      if (c->got < c->need) continue;
      int status = atoi(c->in + 9);
      if (status > 0 && status < 600) statuses[status]++;
      for (char *p = c->in; (p = strstr(p, "\"status\":\"")); ) {
        p += 10;
        if (*p == 's') stored++; else if (*p == 'k') known++; else refused++;
      }
      if (count < capacity) latencies[count++] = seconds() - c->begun;
      c->device = (c->device + connections) % deviceCount;
      c->due = seconds() + between;
      waiting[last] = c;
      last = (last + 1) % (connections + 1);
    }
  }
  double took = seconds() - start;
  double cpuAtEnd = processorTime();
  qsort(latencies, count, sizeof *latencies, compare);
  double cpu = cpuAtEnd - usedBefore;
  printf("{\"seconds\":%.2f,\"connections\":%d,\"requests\":%zu,\"requests_per_s\":%.0f,\"stored_per_s\":%.0f,\"stored\":%ld,"
         "\"known\":%ld,\"refused\":%ld,\"closed\":%ld,\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.2f,"
         "\"generator_cpu_limit\":%.2f,\"generator_cpu_share\":%.2f,\"generator_held_s\":%.2f,\"status\":{",
         took, connections, count, count / took, stored / took, stored, known, refused, other,
         count ? latencies[count / 2] * 1e3 : 0, count ? latencies[count * 99 / 100] * 1e3 : 0,
         count ? latencies[count - 1] * 1e3 : 0, share, cpu / took, slept);
  int comma = 0;
  for (int k = 0; k < 600; k++)
    if (statuses[k]) { printf("%s\"%d\":%ld", comma ? "," : "", k, statuses[k]); comma = 1; }
  printf("}}\n");
  return 0;
}
