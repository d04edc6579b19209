// A template: kernel.c includes this file once for each instruction set.
//
// Parameters
//   NAME(x)    the name of x for this instruction set: plain_x, avx2_x, avx512_x
//   LANES      the doubles in a vector (pieces of contact); at most 8, since masks of lanes are bytes
//   BOX_LANES  the floats in a vector (boxes); at most 16
//   COMPRESS   defined where the instruction set stores chosen lanes next to each other (AVX-512)
// kernel.c undefines them after the inclusion; this file undefines its own vd, vl and PIECES.
//
// Vectors are Clang's ext_vector_type, and arithmetic on them is plain C. The compiler maps it to the registers that the
// `target` attribute around the inclusion allows. No operation is fused and none is reordered, so every instruction set
// gives the same bits. Loads beyond the end of a table are allowed by the padding that CContactKernel.h requires.
//
// Parts, in the order in which a slab passes them
//   find_ways  replaces each track by the straight way between its ends, with a bound for how far the track strays
//   sweep      lists pairs of boxes that overlap and whose ways come near (`apart`)
//   solve      solves the pairs, in one of three ways:
//                aligned_pair  tracks with the same times: their segments are loaded as they lie
//                walk, flush   other tracks: pieces of many pairs wait in `pieces`, and fill whole vectors
//                long_pair     pairs with more pieces than `pieces` has room for, one piece at a time
//   approach   solves |p + v t| <= limit in the lanes of a vector; all three use it
//   unclear, look (sight_body.h)  ask whether a wall is between; most pieces are answered by one window of the raster
// Pieces of a pair that touch become one run (add_piece, close_run in kernel.c).

typedef double NAME(vd) __attribute__((ext_vector_type(LANES)));
typedef int64_t NAME(vl) __attribute__((ext_vector_type(LANES)));
typedef int32_t NAME(vi) __attribute__((ext_vector_type(LANES)));
typedef bool NAME(vb) __attribute__((ext_vector_type(LANES)));
typedef float NAME(vf) __attribute__((ext_vector_type(BOX_LANES)));
typedef int32_t NAME(vbi) __attribute__((ext_vector_type(BOX_LANES)));
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

// |p + v t| <= limit for t in 0 ... length, lane by lane; returns the lanes of `live` with a result. A piece shorter
// than a millisecond belongs to an instant, and has no length.
static inline __attribute__((always_inline)) unsigned NAME(approach)(vd px, vd py, vd vx, vd vy, vd length, double limit, unsigned live,
                                      NAME(solution) *out) {
  const vd zero = 0.0, one = 1.0;
  length = NAME(select)(length < one, zero, length);
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

static inline __attribute__((always_inline)) int NAME(same_clock)(const cordon_contact_segments *s, uint32_t a, uint32_t b, uint32_t n) {
  uint32_t k = 0;
  for (; k + LANES <= n; k += LANES) {
    vl differ = (NAME(load)(s->start + a + k) != NAME(load)(s->start + b + k)) |
                (NAME(load)(s->end + a + k) != NAME(load)(s->end + b + k));
    if (NAME(bits)(differ)) return 0;
  }
  if (k == n) return 1;
  vl differ = (NAME(load)(s->start + a + k) != NAME(load)(s->start + b + k)) |
              (NAME(load)(s->end + a + k) != NAME(load)(s->end + b + k));
  return !(NAME(bits)(differ) & ((1u << (n - k)) - 1));
}

static inline __attribute__((always_inline)) void NAME(aligned_pair)(const cordon_contact_segments *s, uint32_t a, uint32_t b, uint32_t n, double limit,
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

static inline __attribute__((always_inline)) void NAME(push)(const cordon_contact_segments *s, uint32_t i, uint32_t j,
                                                             double from, double to, uint32_t pair, double limit,
                                                             bool walls, NAME(pieces) *p) {
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
  if (walls) {
    p->ax[n] = ax;
    p->ay[n] = ay;
    p->avx[n] = s->vx[i];
    p->avy[n] = s->vy[i];
  }
  p->i[n] = i;
  p->j[n] = j;
  p->pair[n] = pair;
  // Two devices that are apart and separate, or pass each other at a distance, never meet: the same test as in `approach`.
  p->count = n + !((c > 0.0) & ((b >= 0.0) | (b * b - a * c < 0.0)));
}

static void NAME(flush)(NAME(pieces) *p, const cordon_contact_track *tracks, const uint32_t *pair_a, const uint32_t *pair_b,
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
        const cordon_contact_track *a = tracks + pair_a[last], *b = tracks + pair_b[last];
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

// Walks two tracks by their own clocks. A segment includes its start and excludes its end, so that every moment of a track
// is in exactly one of its segments or instants.
static inline __attribute__((always_inline)) void NAME(walk)(const cordon_contact_segments *s, const cordon_contact_track *a,
                                                             const cordon_contact_track *b, uint32_t pair, double limit,
                                                             bool walls, NAME(pieces) *p) {
  uint32_t i = a->begin, j = b->begin;
  while (i < a->end && j < b->end) {
    double si = s->start[i], sj = s->start[j], ei = s->end[i], ej = s->end[j];
    double from = si > sj ? si : sj, to = ei < ej ? ei : ej;
    if ((to > from) & (from >= 0)) NAME(push)(s, i, j, from, to, pair, limit, walls, p);
    i += ei <= ej;
    j += ej <= ei;
  }
}

// The same for a pair with more pieces than fit.
static void NAME(long_pair)(const cordon_contact_segments *s, const cordon_contact_track *a, const cordon_contact_track *b, double limit,
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

static size_t NAME(solve)(const cordon_contact_segments *s, const cordon_contact_track *tracks, const uint32_t *pair_a,
                          const uint32_t *pair_b, size_t pair_count, size_t *position, double limit, cordon_contact_run *runs,
                          size_t run_capacity, const cordon_contact_walls *walls) {
  sight_queue queue;
  queue.count = 0;
  run_writer writer = {.segments = s, .runs = runs, .walls = walls, .queue = &queue};
  NAME(pieces) waiting;
  waiting.count = 0;
  size_t k = *position;
  for (; k < pair_count; k++) {
    const cordon_contact_track *a = tracks + pair_a[k], *b = tracks + pair_b[k];
    if (a->device > b->device) {
      const cordon_contact_track *t = a;
      a = b;
      b = t;
    }
    uint32_t n = a->end - a->begin, m = b->end - b->begin;
    size_t most = (size_t)n + m;
    if (writer.run_count + waiting.count + most > run_capacity) break;
    // For very short tracks, the pieces of many pairs fill the vectors better.
    if (2 * n >= LANES && n == m && NAME(same_clock)(s, a->begin, b->begin, n)) {
      writer.first = a->device;
      writer.second = b->device;
      NAME(aligned_pair)(s, a->begin, b->begin, n, limit, &writer);
      if (writer.open) close_run(&writer);
    } else if (most <= PIECES) {
      if (waiting.count + most > PIECES) NAME(flush)(&waiting, tracks, pair_a, pair_b, limit, &writer);
      // Separate calls, so that the loops without walls contain no code for them.
      if (walls)
        NAME(walk)(s, a, b, (uint32_t)k, limit, true, &waiting);
      else
        NAME(walk)(s, a, b, (uint32_t)k, limit, false, &waiting);
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

// The squared maximum distance of a track from the straight way between its ends.
static inline __attribute__((always_inline)) double NAME(stray)(const cordon_contact_segments *s, uint32_t begin, uint32_t end,
                                                                double from, double x, double y, double vx, double vy) {
  const vd zero = 0.0;
  vd worst = zero;
  for (uint32_t k = begin; k < end; k += LANES) {
    vd start = NAME(load)(s->start + k), stop = NAME(load)(s->end + k), sx = NAME(load)(s->x + k),
       sy = NAME(load)(s->y + k), svx = NAME(load)(s->vx + k), svy = NAME(load)(s->vy + k);
    vd first = NAME(select)(start > from, start, zero + from);
    vd ax = (sx + svx * (first - start)) - (x + vx * (first - from));
    vd ay = (sy + svy * (first - start)) - (y + vy * (first - from));
    vd bx = (sx + svx * (stop - start)) - (x + vx * (stop - from));
    vd by = (sy + svy * (stop - start)) - (y + vy * (stop - from));
    vd a = ax * ax + ay * ay, b = bx * bx + by * by;
    vd far = NAME(select)(a > b, a, b);
    if (end - k < LANES)
      for (uint32_t l = end - k; l < LANES; l++) far[l] = 0;
    worst = NAME(select)(far > worst, far, worst);
  }
  double most = 0;
  for (int l = 0; l < LANES; l++)
    if (worst[l] > most) most = worst[l];
  return most;
}

static void NAME(find_ways)(const cordon_contact_segments *s, const cordon_contact_track *tracks, const cordon_contact_boxes *boxes,
                            double left, double bottom, double margin) {
  const cordon_contact_ways *ways = &boxes->ways;
  for (uint32_t p = 0; p < boxes->count; p++) {
    const cordon_contact_track *track = tracks + boxes->track[p];
    uint32_t begin = track->begin, last = track->end - 1;
    // Earlier times belong to the former slab.
    double from = s->start[begin] > 0 ? s->start[begin] : 0, to = s->end[last];
    double since = from - s->start[begin], length = to - s->start[last], span = to - from;
    double x = s->x[begin] + s->vx[begin] * since, y = s->y[begin] + s->vy[begin] * since;
    double vx = ((s->x[last] + s->vx[last] * length) - x) / span;
    double vy = ((s->y[last] + s->vy[last] * length) - y) / span;
    double strays = last > begin ? NAME(stray)(s, begin, last + 1, from, x, y, vx, vy) : 0;
    double x0 = (x - vx * from) - left, y0 = (y - vy * from) - bottom;
    double size = __builtin_fabs(x0) + __builtin_fabs(y0) + (__builtin_fabs(vx) + __builtin_fabs(vy)) * to;
    ways->x[p] = (float)x0;
    ways->y[p] = (float)y0;
    ways->vx[p] = (float)vx;
    ways->vy[p] = (float)vy;
    ways->from[p] = (float)(from * (1 - 0x1p-22));
    ways->to[p] = (float)(to * (1 + 0x1p-22));
    ways->slack[p] = (float)((margin + __builtin_sqrt(strays) + size * 0x1p-20) * (1 + 0x1p-20));
  }
}

// Whether the ways of box `p` and of boxes from `q` on stay further apart than the distance. The slack covers rounding of
// the places; the share that is subtracted here covers rounding of squared distances. After an overflow no comparison is
// true, and no pair is rejected.
static inline __attribute__((always_inline)) NAME(fb) NAME(apart)(const cordon_contact_ways *w, uint32_t p, uint32_t q) {
  NAME(vf) from = NAME(load_boxes)(w->from + q), to = NAME(load_boxes)(w->to + q);
  from = __builtin_elementwise_max(from, (NAME(vf))w->from[p]);
  to = __builtin_elementwise_min(to, (NAME(vf))w->to[p]);
  NAME(vf) length = to - from;
  NAME(vf) vx = NAME(load_boxes)(w->vx + q) - w->vx[p], vy = NAME(load_boxes)(w->vy + q) - w->vy[p];
  NAME(vf) dx = (NAME(load_boxes)(w->x + q) - w->x[p]) + vx * from;
  NAME(vf) dy = (NAME(load_boxes)(w->y + q) - w->y[p]) + vy * from;
  NAME(vf) reach = NAME(load_boxes)(w->slack + q) + w->slack[p];
  NAME(vf) squared = dx * dx + dy * dy, a = vx * vx + vy * vy, b = dx * vx + dy * vy;
  NAME(vf) c = (squared - squared * 0x1p-18f) - reach * reach, al = a * length;
  NAME(vf) end = c + length * (2.0f * b + al);
  return __builtin_convertvector(
    (length < 0.0f) | ((c > 0.0f) & ((b >= 0.0f) | (b * b < a * c) | ((b + al <= 0.0f) & (end > 0.0f)))), NAME(fb));
}

static size_t NAME(sweep)(const cordon_contact_boxes *boxes, const cordon_contact_track *tracks, int only_unknown,
                          uint32_t *position, uint32_t *pair_a, uint32_t *pair_b, size_t capacity) {
  size_t n = 0;
  uint32_t count = boxes->count, p = *position;
  const cordon_contact_ways ways = boxes->ways;
  for (; p < count && n + (count - p) <= capacity; p++) {
    float x1 = boxes->x1[p], y0 = boxes->y0[p], y1 = boxes->y1[p];
    uint32_t last = (uint32_t)(x1 * boxes->scale);
    if (last >= boxes->columns) last = boxes->columns - 1;
    uint32_t end = boxes->column_end[last], track = boxes->track[p];
    int32_t device = boxes->device[p];
    for (uint32_t q = p + 1; q < end; q += BOX_LANES) {
      // In x only the far side is compared: where this box is the further one, the columns are nearly the same.
      NAME(vf) qx0 = NAME(load_boxes)(boxes->x0 + q);
      NAME(vf) qy0 = NAME(load_boxes)(boxes->y0 + q), qy1 = NAME(load_boxes)(boxes->y1 + q);
      NAME(vbi) others;
      memcpy(&others, boxes->device + q, sizeof others);
      NAME(fb) hit = __builtin_convertvector((qx0 <= x1) & (qy0 <= y1) & (qy1 >= y0) & (others != device), NAME(fb));
      uint32_t mask = 0;
      memcpy(&mask, &hit, sizeof hit);
      // The bits of a byte beyond its lanes are undefined.
      mask &= (1u << (end - q < BOX_LANES ? end - q : BOX_LANES)) - 1;
      if (mask && ways.x) {
        NAME(fb) apart = NAME(apart)(&ways, p, q);
        uint32_t misses = 0;
        memcpy(&misses, &apart, sizeof apart);
        mask &= ~misses;
      }
#ifdef COMPRESS
      if (!only_unknown) {
        __m512i others = _mm512_maskz_compress_epi32((__mmask16)mask, _mm512_loadu_si512(boxes->track + q));
        _mm512_storeu_si512(pair_b + n, others);
        _mm512_storeu_si512(pair_a + n, _mm512_set1_epi32((int)track));
        n += (size_t)__builtin_popcount(mask);
        continue;
      }
#endif
      while (mask) {
        uint32_t other = boxes->track[q + (uint32_t)__builtin_ctz(mask)];
        mask &= mask - 1;
        if (only_unknown && !((tracks[track].flags | tracks[other].flags) & CORDON_CONTACT_TRACK_UNKNOWN_FLOOR)) continue;
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
