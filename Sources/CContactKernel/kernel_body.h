// Included once per instruction set, with NAME(x) and LANES defined. Plain vector arithmetic: the
// compiler maps it to whatever the instruction set has.

typedef double NAME(vd) __attribute__((ext_vector_type(LANES)));
typedef int64_t NAME(vl) __attribute__((ext_vector_type(LANES)));
typedef int32_t NAME(vi) __attribute__((ext_vector_type(LANES)));
typedef bool NAME(vb) __attribute__((ext_vector_type(LANES)));
typedef float NAME(vf) __attribute__((ext_vector_type(BOX_LANES)));
typedef bool NAME(fb) __attribute__((ext_vector_type(BOX_LANES)));

#define vd NAME(vd)
#define vl NAME(vl)

static inline __attribute__((always_inline)) vd NAME(load)(const double *p) {
  vd v;
  memcpy(&v, p, sizeof v);
  return v;
}

static inline __attribute__((always_inline)) NAME(vf) NAME(load_boxes)(const float *p) {
  NAME(vf) v;
  memcpy(&v, p, sizeof v);
  return v;
}

static inline __attribute__((always_inline)) unsigned NAME(bits)(vl mask) {
  NAME(vb) b = __builtin_convertvector(mask, NAME(vb));
  unsigned char out = 0;
  memcpy(&out, &b, 1);
  return out & ((1u << LANES) - 1);
}

static inline __attribute__((always_inline)) vd NAME(select)(vl mask, vd yes, vd no) {
  vl y, n;
  memcpy(&y, &yes, sizeof y);
  memcpy(&n, &no, sizeof n);
  y = (y & mask) | (n & ~mask);
  memcpy(&yes, &y, sizeof y);
  return yes;
}

typedef struct {
  double enter[LANES], leave[LANES], closest[LANES], squared[LANES];
} NAME(solution);

// |p + v t| <= limit for t in 0 ... length, lane by lane; returns the lanes of `live` that have an answer.
static inline __attribute__((always_inline)) unsigned NAME(approach)(vd px, vd py, vd vx, vd vy, vd length, double limit, unsigned live,
                                      NAME(solution) *out) {
  const vd zero = 0.0, one = 1.0;
  vd a = vx * vx + vy * vy;
  vd b = px * vx + py * vy;
  vd c = (px * px + py * py) - limit;
  vd d = b * b - a * c;
  vl still = (a * length) * length < 1e-18;
  vl apart = (c > 0.0) & (still | (b >= 0.0) | (d < 0.0));
  live &= ~NAME(bits)(apart);
  if (!live) return 0;
  vd safe_a = NAME(select)(still, one, a);
  vd root = __builtin_elementwise_sqrt(NAME(select)(d > 0.0, d, zero));
  vl away = b >= 0.0;
  vd q = NAME(select)(away, -(b + root), root - b);
  vl none = q == 0.0;
  vd r1 = q / safe_a;
  vd r2 = NAME(select)(none, zero, c / NAME(select)(none, one, q));
  vl order = r1 < r2;
  vd enter = NAME(select)(still, zero, NAME(select)(order, r1, r2));
  vd leave = NAME(select)(still, length, NAME(select)(order, r2, r1));
  enter = NAME(select)(enter > 0.0, enter, zero);
  leave = NAME(select)(leave < length, leave, length);
  live &= NAME(bits)(enter <= leave);
  if (!live) return 0;
  vd t = NAME(select)(still, zero, -b / safe_a);
  t = NAME(select)(t > enter, t, enter);
  t = NAME(select)(t < leave, t, leave);
  vd mx = px + vx * t, my = py + vy * t;
  vd squared = mx * mx + my * my;
  memcpy(out->enter, &enter, sizeof enter);
  memcpy(out->leave, &leave, sizeof leave);
  memcpy(out->closest, &t, sizeof t);
  memcpy(out->squared, &squared, sizeof squared);
  return live;
}

#include "sight_body.h"

static inline __attribute__((always_inline)) int NAME(same_clock)(const contact_segments *s, uint32_t a, uint32_t b, uint32_t n) {
  uint32_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    vl differ = (NAME(load)(s->start + a + k) != NAME(load)(s->start + b + k)) |
                (NAME(load)(s->end + a + k) != NAME(load)(s->end + b + k));
    if (NAME(bits)(differ)) return 0;
  }
  for (; k < n; k++)
    if (s->start[a + k] != s->start[b + k] || s->end[a + k] != s->end[b + k]) return 0;
  return 1;
}

static inline __attribute__((always_inline)) void NAME(aligned_pair)(const contact_segments *s, uint32_t a, uint32_t b, uint32_t n, double limit,
                                      run_writer *writer) {
  NAME(solution) out;
  for (uint32_t k = 0; k < n; k += LANES) {
    uint32_t i = a + k, j = b + k;
    unsigned live = n - k >= LANES ? (1u << LANES) - 1 : (1u << (n - k)) - 1;
    vd start = NAME(load)(s->start + i);
    live &= NAME(bits)(start >= 0.0);
    vd px = NAME(load)(s->x + i) - NAME(load)(s->x + j), py = NAME(load)(s->y + i) - NAME(load)(s->y + j);
    vd vx = NAME(load)(s->vx + i) - NAME(load)(s->vx + j), vy = NAME(load)(s->vy + i) - NAME(load)(s->vy + j);
    vd length = NAME(load)(s->end + i) - start;
    live = NAME(approach)(px, py, vx, vy, length, limit, live, &out);
    unsigned unclear = 0;
    if (writer->walls && live) {
      if (writer->queue->count > SIGHTS - LANES) NAME(look)(writer);
      unclear = NAME(unclear)(writer->walls, NAME(load)(s->x + i), NAME(load)(s->y + i), NAME(load)(s->vx + i),
                              NAME(load)(s->vy + i), px, py, vx, vy, &out, live);
    }
    while (live) {
      int l = __builtin_ctz(live);
      live &= live - 1;
      uint32_t u = i + l, v = j + l;
      add_piece(writer, u, v, s->start[u], out.enter[l], out.leave[l], out.closest[l], out.squared[l]);
      if (writer->walls) push_sight(writer, u, v, s->start[u], out.enter[l], out.leave[l], unclear >> l & 1);
    }
  }
}

#define PIECES 384

// Pieces of many pairs, solved together so that vectors are full even when a pair has only one.
typedef struct {
  double px[PIECES + 8], py[PIECES + 8], vx[PIECES + 8], vy[PIECES + 8], length[PIECES + 8], start[PIECES];
  double ax[PIECES + 8], ay[PIECES + 8], avx[PIECES + 8], avy[PIECES + 8];
  uint32_t i[PIECES], j[PIECES], pair[PIECES];
  unsigned count;
} NAME(pieces);

static inline __attribute__((always_inline)) void NAME(push)(const contact_segments *s, uint32_t i, uint32_t j,
                                                             double from, double to, uint32_t pair, double limit,
                                                             NAME(pieces) *p) {
  double oi = from - s->start[i], oj = from - s->start[j];
  double ax = s->x[i] + s->vx[i] * oi, ay = s->y[i] + s->vy[i] * oi;
  double px = ax - (s->x[j] + s->vx[j] * oj), py = ay - (s->y[j] + s->vy[j] * oj);
  double vx = s->vx[i] - s->vx[j], vy = s->vy[i] - s->vy[j];
  double a = vx * vx + vy * vy, b = px * vx + py * vy, c = (px * px + py * py) - limit;
  unsigned n = p->count;
  p->px[n] = px;
  p->py[n] = py;
  p->vx[n] = vx;
  p->vy[n] = vy;
  p->length[n] = to - from;
  p->start[n] = from;
  p->ax[n] = ax;
  p->ay[n] = ay;
  p->avx[n] = s->vx[i];
  p->avy[n] = s->vy[i];
  p->i[n] = i;
  p->j[n] = j;
  p->pair[n] = pair;
  // Two that are apart and part, or pass each other at a distance, never meet: the same test as in `approach`.
  p->count = n + !((c > 0.0) & ((b >= 0.0) | (b * b - a * c < 0.0)));
}

static void NAME(flush)(NAME(pieces) *p, const contact_track *tracks, const uint32_t *pair_a, const uint32_t *pair_b,
                        double limit, run_writer *writer) {
  NAME(solution) out;
  uint32_t last = UINT32_MAX;
  for (unsigned k = 0; k < p->count; k += LANES) {
    unsigned live = p->count - k >= LANES ? (1u << LANES) - 1 : (1u << (p->count - k)) - 1;
    live = NAME(approach)(NAME(load)(p->px + k), NAME(load)(p->py + k), NAME(load)(p->vx + k), NAME(load)(p->vy + k),
                          NAME(load)(p->length + k), limit, live, &out);
    unsigned unclear = 0;
    if (writer->walls && live) {
      if (writer->queue->count > SIGHTS - LANES) NAME(look)(writer);
      unclear = NAME(unclear)(writer->walls, NAME(load)(p->ax + k), NAME(load)(p->ay + k), NAME(load)(p->avx + k),
                              NAME(load)(p->avy + k), NAME(load)(p->px + k), NAME(load)(p->py + k),
                              NAME(load)(p->vx + k), NAME(load)(p->vy + k), &out, live);
    }
    while (live) {
      unsigned l = (unsigned)__builtin_ctz(live);
      live &= live - 1;
      if (p->pair[k + l] != last) {
        last = p->pair[k + l];
        if (writer->open) close_run(writer);
        const contact_track *a = tracks + pair_a[last], *b = tracks + pair_b[last];
        int32_t one = a->device, two = b->device;
        writer->first = one < two ? one : two;
        writer->second = one < two ? two : one;
      }
      unsigned n = k + l;
      add_piece(writer, p->i[n], p->j[n], p->start[n], out.enter[l], out.leave[l], out.closest[l], out.squared[l]);
      if (writer->walls)
        push_sight(writer, p->i[n], p->j[n], p->start[n], out.enter[l], out.leave[l], unclear >> l & 1);
    }
  }
  if (writer->open) close_run(writer);
  p->count = 0;
}

// Walks two tracks by their own clocks.
static inline __attribute__((always_inline)) void NAME(walk)(const contact_segments *s, const contact_track *a,
                                                             const contact_track *b, uint32_t pair, double limit,
                                                             NAME(pieces) *p) {
  uint32_t i = a->begin, j = b->begin;
  while (i < a->end && j < b->end) {
    double si = s->start[i], sj = s->start[j], ei = s->end[i], ej = s->end[j];
    double from = si > sj ? si : sj, to = ei < ej ? ei : ej;
    if ((to > from) & (from >= 0)) NAME(push)(s, i, j, from, to, pair, limit, p);
    i += ei <= ej;
    j += ej <= ei;
  }
}

// The same for a pair with more pieces than there is room for.
static void NAME(long_pair)(const contact_segments *s, const contact_track *a, const contact_track *b, double limit,
                            run_writer *writer) {
  NAME(solution) out;
  uint32_t i = a->begin, j = b->begin;
  while (i < a->end && j < b->end) {
    double si = s->start[i], sj = s->start[j], ei = s->end[i], ej = s->end[j];
    double from = si > sj ? si : sj, to = ei < ej ? ei : ej;
    if ((to > from) & (from >= 0)) {
      double oi = from - si, oj = from - sj;
      double ax = s->x[i] + s->vx[i] * oi, ay = s->y[i] + s->vy[i] * oi;
      double bx = s->x[j] + s->vx[j] * oj, by = s->y[j] + s->vy[j] * oj;
      vd px = ax - bx, py = ay - by, vx = s->vx[i] - s->vx[j], vy = s->vy[i] - s->vy[j], length = to - from;
      if (NAME(approach)(px, py, vx, vy, length, limit, 1, &out)) {
        add_piece(writer, i, j, from, out.enter[0], out.leave[0], out.closest[0], out.squared[0]);
        if (writer->walls) {
          if (writer->queue->count > SIGHTS - LANES) NAME(look)(writer);
          push_sight(writer, i, j, from, out.enter[0], out.leave[0],
                     NAME(unclear)(writer->walls, ax, ay, s->vx[i], s->vy[i], px, py, vx, vy, &out, 1));
        }
      }
    }
    i += ei <= ej;
    j += ej <= ei;
  }
  if (writer->open) close_run(writer);
}

static size_t NAME(solve)(const contact_segments *s, const contact_track *tracks, const uint32_t *pair_a,
                          const uint32_t *pair_b, size_t pair_count, size_t *position, double limit, contact_run *runs,
                          size_t run_capacity, const contact_walls *walls) {
  sight_queue queue;
  queue.count = 0;
  run_writer writer = {.segments = s, .runs = runs, .walls = walls, .queue = &queue};
  NAME(pieces) waiting;
  waiting.count = 0;
  size_t k = *position;
  for (; k < pair_count; k++) {
    const contact_track *a = tracks + pair_a[k], *b = tracks + pair_b[k];
    if (a->device > b->device) {
      const contact_track *t = a;
      a = b;
      b = t;
    }
    uint32_t n = a->end - a->begin, m = b->end - b->begin;
    size_t most = (size_t)n + m;
    if (writer.run_count + waiting.count + most > run_capacity) break;
    if (n >= LANES && n == m && NAME(same_clock)(s, a->begin, b->begin, n)) {
      writer.first = a->device;
      writer.second = b->device;
      NAME(aligned_pair)(s, a->begin, b->begin, n, limit, &writer);
      if (writer.open) close_run(&writer);
    } else if (most <= PIECES) {
      if (waiting.count + most > PIECES) NAME(flush)(&waiting, tracks, pair_a, pair_b, limit, &writer);
      NAME(walk)(s, a, b, (uint32_t)k, limit, &waiting);
    } else {
      writer.first = a->device;
      writer.second = b->device;
      NAME(long_pair)(s, a, b, limit, &writer);
    }
  }
  NAME(flush)(&waiting, tracks, pair_a, pair_b, limit, &writer);
  if (queue.count) NAME(look)(&writer);
  *position = k;
  return writer.run_count;
}

static size_t NAME(sweep)(const contact_boxes *boxes, const contact_track *tracks, int only_unknown,
                          uint32_t *position, uint32_t *pair_a, uint32_t *pair_b, size_t capacity) {
  size_t n = 0;
  uint32_t count = boxes->count, p = *position;
  for (; p < count && n + (count - p) <= capacity; p++) {
    float x0 = boxes->x0[p], x1 = boxes->x1[p], y0 = boxes->y0[p], y1 = boxes->y1[p];
    uint32_t last = (uint32_t)(x1 * boxes->scale);
    if (last >= boxes->columns) last = boxes->columns - 1;
    uint32_t end = boxes->column_end[last], track = boxes->track[p];
    int32_t device = tracks[track].device;
    for (uint32_t q = p + 1; q < end; q += BOX_LANES) {
      NAME(vf) qx0 = NAME(load_boxes)(boxes->x0 + q), qx1 = NAME(load_boxes)(boxes->x1 + q);
      NAME(vf) qy0 = NAME(load_boxes)(boxes->y0 + q), qy1 = NAME(load_boxes)(boxes->y1 + q);
      NAME(fb) hit = __builtin_convertvector((qx0 <= x1) & (qx1 >= x0) & (qy0 <= y1) & (qy1 >= y0), NAME(fb));
      uint32_t mask = 0;
      memcpy(&mask, &hit, sizeof hit);
      if (end - q < BOX_LANES) mask &= (1u << (end - q)) - 1;
      while (mask) {
        uint32_t other = boxes->track[q + (uint32_t)__builtin_ctz(mask)];
        mask &= mask - 1;
        if (tracks[other].device == device) continue;
        if (only_unknown && !((tracks[track].flags | tracks[other].flags) & CONTACT_TRACK_UNKNOWN_FLOOR)) continue;
        pair_a[n] = track;
        pair_b[n] = other;
        n++;
      }
    }
  }
  *position = p;
  return n;
}

#undef PIECES
#undef vd
#undef vl
