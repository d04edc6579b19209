// For how long a wall is between two who move straight.
//
// With s the signed distance of a device from the wall's line and t its place along it, all linear in time, the sight
// line crosses the wall when the s of both differ in sign and the place of crossing, (tA sB - tB sA) / (sB - sA), lies
// on the wall. That changes only where an s is 0 or the place of crossing is an end of the wall: roots of linear and of
// quadratic functions. Between two of them one look tells.

/// How one device moves, and how the other moves relative to it: a - b.
typedef struct {
  double ax, ay, avx, avy;
  double px, py, vx, vy;
} motion;

#define INLINE static inline __attribute__((always_inline))
#define INTERVALS 96
/// Pieces that wait to be looked along.
#define SIGHTS 64
/// Walls near a square that are held against pieces before any is looked at closely.
#define NEAR_WALLS 64

/// Pieces of contact along which to look, from where they begin on.
typedef struct {
  double ax[SIGHTS + 8], ay[SIGHTS + 8], avx[SIGHTS + 8], avy[SIGHTS + 8];
  double px[SIGHTS + 8], py[SIGHTS + 8], vx[SIGHTS + 8], vy[SIGHTS + 8];
  double duration[SIGHTS + 8], squared_way[SIGHTS + 8];
  int32_t cell[SIGHTS + 8];
  uint32_t run[SIGHTS];
  unsigned count;
} sight_queue;

/// Times in which a wall is in the way, not in order.
typedef struct {
  unsigned count;
  double start[INTERVALS], end[INTERVALS];
} intervals;

/// One signed distance or place, and its change in a millisecond.
typedef struct {
  double at, per;
} linear;

INLINE linear project(double x, double y, double vx, double vy, double ux, double uy) {
  linear l = {x * ux + y * uy, vx * ux + vy * uy};
  return l;
}

INLINE bool crosses(linear sa, linear sb, linear ta, linear tb, double length, double time) {
  double p = sa.at + sa.per * time, q = sb.at + sb.per * time;
  if (!(p * q < 0)) return false;
  double along = ((ta.at + ta.per * time) * q - (tb.at + tb.per * time) * p) / (q - p);
  return along >= 0 && along <= length;
}

INLINE void add_time(double *times, unsigned *count, double time, double duration) {
  if (!(time > 0 && time < duration)) return;
  unsigned k = (*count)++;
  while (times[k - 1] > time) {
    times[k] = times[k - 1];
    k--;
  }
  times[k] = time;
}

INLINE void add_roots(double *times, unsigned *count, double a, double b, double c, double duration) {
  if (a == 0) {
    if (b != 0) add_time(times, count, -c / b, duration);
    return;
  }
  double d = b * b - 4 * a * c;
  if (!(d >= 0)) return;
  double root = __builtin_sqrt(d), q = -0.5 * (b >= 0 ? b + root : b - root);
  add_time(times, count, q / a, duration);
  if (q != 0) add_time(times, count, c / q, duration);
}

/// Puts the intervals in order and joins those that overlap or touch.
static __attribute__((noinline)) void join_intervals(intervals *all) {
  for (unsigned k = 1; k < all->count; k++) {
    double s = all->start[k], e = all->end[k];
    unsigned j = k;
    while (j > 0 && all->start[j - 1] > s) {
      all->start[j] = all->start[j - 1];
      all->end[j] = all->end[j - 1];
      j--;
    }
    all->start[j] = s;
    all->end[j] = e;
  }
  unsigned last = 0;
  for (unsigned k = 1; k < all->count; k++) {
    if (all->start[k] <= all->end[last]) {
      if (all->end[k] > all->end[last]) all->end[last] = all->end[k];
    } else {
      last++;
      all->start[last] = all->start[k];
      all->end[last] = all->end[k];
    }
  }
  if (all->count) all->count = last + 1;
}

/// Makes room when there is none: joins, and then, should a hundred walls take turns, joins the two with the least
/// time between.
static __attribute__((noinline)) void make_room(intervals *all) {
  join_intervals(all);
  if (all->count < INTERVALS) return;
  unsigned least = 1;
  for (unsigned k = 2; k < all->count; k++)
    if (all->start[k] - all->end[k - 1] < all->start[least] - all->end[least - 1]) least = k;
  all->end[least - 1] = all->end[least];
  all->count--;
  memmove(all->start + least, all->start + least + 1, (all->count - least) * sizeof *all->start);
  memmove(all->end + least, all->end + least + 1, (all->count - least) * sizeof *all->end);
}

/// The time that the intervals cover together.
INLINE double covered(intervals *all) {
  if (all->count > 1) join_intervals(all);
  double total = 0;
  for (unsigned k = 0; k < all->count; k++) total += all->end[k] - all->start[k];
  return total;
}

INLINE void add_interval(intervals *out, double start, double end) {
  if (out->count == INTERVALS) make_room(out);
  out->start[out->count] = start;
  out->end[out->count++] = end;
}

/// Adds the times in 0 ... duration at which the wall is in the way. `beside` is whether both stay beside the wall, so
/// that the place of crossing, which is between theirs, is on it.
INLINE void add_passage(intervals *out, linear sa, linear sb, linear ta, linear tb, double length, double duration,
                        bool beside) {
  double times[8] = {0};
  unsigned count = 1;
  if (sa.per != 0) add_time(times, &count, -sa.at / sa.per, duration);
  if (sb.per != 0) add_time(times, &count, -sb.at / sb.per, duration);
  if (!beside) {
    // tA sB - tB sA, and the same less length (sB - sA).
    double f2 = ta.per * sb.per - tb.per * sa.per;
    double f1 = (ta.at * sb.per + ta.per * sb.at) - (tb.at * sa.per + tb.per * sa.at);
    double f0 = ta.at * sb.at - tb.at * sa.at;
    add_roots(times, &count, f2, f1, f0, duration);
    add_roots(times, &count, f2, f1 - length * (sb.per - sa.per), f0 - length * (sb.at - sa.at), duration);
  }
  times[count] = duration;
  for (unsigned k = 0; k < count; k++) {
    if (!(times[k + 1] > times[k])) continue;
    if (crosses(sa, sb, ta, tb, length, (times[k] + times[k + 1]) * 0.5)) add_interval(out, times[k], times[k + 1]);
  }
}

INLINE double least(double a, double b, double c, double d) {
  double x = a < b ? a : b, y = c < d ? c : d;
  return x < y ? x : y;
}

INLINE double largest(double a, double b, double c, double d) {
  double x = a > b ? a : b, y = c > d ? c : d;
  return x > y ? x : y;
}

/// Adds what one wall does in a piece.
INLINE void add_wall(intervals *out, const contact_wall *wall, const motion *m, double duration) {
  double x = m->ax - wall->x, y = m->ay - wall->y;
  linear sa = project(x, y, m->avx, m->avy, wall->uy, -wall->ux);
  linear sr = project(m->px, m->py, m->vx, m->vy, wall->uy, -wall->ux);
  linear sb = {sa.at - sr.at, sa.per - sr.per};
  double sa1 = sa.at + sa.per * duration, sb1 = sb.at + sb.per * duration;
  // All four ends on one side of the wall's line, or beyond the same end of the wall: it never comes between.
  if (least(sa.at, sb.at, sa1, sb1) >= 0 || largest(sa.at, sb.at, sa1, sb1) <= 0) return;
  linear ta = project(x, y, m->avx, m->avy, wall->ux, wall->uy);
  linear tr = project(m->px, m->py, m->vx, m->vy, wall->ux, wall->uy);
  linear tb = {ta.at - tr.at, ta.per - tr.per};
  double ta1 = ta.at + ta.per * duration, tb1 = tb.at + tb.per * duration;
  double first = least(ta.at, tb.at, ta1, tb1), last = largest(ta.at, tb.at, ta1, tb1);
  if (last < 0 || first > wall->length) return;
  bool beside = first >= 0 && last <= wall->length;
  if (beside && sa.at * sb.at < 0 && sa.at * sa1 > 0 && sb.at * sb1 > 0)
    add_interval(out, 0, duration);
  else
    add_passage(out, sa, sb, ta, tb, wall->length, duration, beside);
}

/// Milliseconds of a piece in which one of the walls near its cell is in the way.
INLINE double blocked_near(const contact_walls *w, const motion *m, double duration, size_t cell) {
  intervals all;
  all.count = 0;
  for (int32_t k = w->starts[cell]; k < w->starts[cell + 1]; k++) add_wall(&all, w->walls + w->near[k], m, duration);
  return all.count ? covered(&all) : 0;
}

/// The cell of a place; the last one is everything outside of the raster.
INLINE size_t raster_cell(const contact_walls *w, double x, double y) {
  double column = (x - w->left) * w->per_metre, row = (y - w->bottom) * w->per_metre;
  if (!(column >= 0 && row >= 0 && column < w->columns && row < w->rows)) return (size_t)w->columns * w->rows;
  return (size_t)row * w->columns + (size_t)column;
}

/// The longer list of a place; the last one is everything outside of the raster.
INLINE size_t cell_of(const contact_walls *w, double x, double y) {
  double column = (x - w->left) * w->per_metre, row = (y - w->bottom) * w->per_metre;
  if (!(column >= 0 && row >= 0 && column < w->columns && row < w->rows)) return 2 * (size_t)w->list_cells + 1;
  return w->list_cells + 1 + ((size_t)row >> LIST_SHIFT) * w->list_columns + ((size_t)column >> LIST_SHIFT);
}

INLINE motion moved_on(const motion *m, double time) {
  motion moved = {m->ax + m->avx * time, m->ay + m->avy * time, m->avx, m->avy,
                  m->px + m->vx * time,  m->py + m->vy * time,  m->vx,  m->vy};
  return moved;
}

/// A piece on which the middle goes far, in parts on which it does not.
static __attribute__((noinline)) double blocked_in_parts(const contact_walls *w, const motion *m, double duration,
                                                         unsigned parts) {
  double total = 0, length = duration / parts;
  for (unsigned k = 0; k < parts; k++) {
    motion part = moved_on(m, length * k);
    total += blocked_near(w, &part, length, cell_of(w, part.ax - part.px * 0.5, part.ay - part.py * 0.5));
  }
  return total;
}

/// The same by trying every wall: for distances and floors that no raster suits.
static __attribute__((noinline)) double blocked_by_any(const contact_walls *w, const motion *m, double duration) {
  intervals all;
  all.count = 0;
  for (uint32_t k = 0; k < w->wall_count; k++) add_wall(&all, w->walls + k, m, duration);
  return all.count ? covered(&all) : 0;
}

/// Whether a wall is in the way at the beginning.
static __attribute__((noinline)) bool is_blocked_now(const contact_walls *w, const motion *m) {
  for (uint32_t k = 0; k < w->wall_count; k++) {
    const contact_wall *wall = w->walls + k;
    double x = m->ax - wall->x, y = m->ay - wall->y;
    linear sa = project(x, y, 0, 0, wall->uy, -wall->ux), ta = project(x, y, 0, 0, wall->ux, wall->uy);
    linear sb = project(x - m->px, y - m->py, 0, 0, wall->uy, -wall->ux);
    linear tb = project(x - m->px, y - m->py, 0, 0, wall->ux, wall->uy);
    if (crosses(sa, sb, ta, tb, wall->length, 0)) return true;
  }
  return false;
}

/// Milliseconds in which a wall is in the way of a piece. A touch counts a nanosecond when it is.
static double blocked_time(const contact_walls *w, const sight_queue *q, unsigned k) {
  motion m = {q->ax[k], q->ay[k], q->avx[k], q->avy[k], q->px[k], q->py[k], q->vx[k], q->vy[k]};
  double duration = q->duration[k], squared_way = q->squared_way[k];
  if (duration * 1e6 < 1) return is_blocked_now(w, &m) ? 1e-6 : 0;
  if (!w->starts) return blocked_by_any(w, &m, duration);
  if (squared_way <= w->long_way) return blocked_near(w, &m, duration, (size_t)q->cell[k]);
  double parts = __builtin_sqrt(squared_way / w->long_way) + 1;
  return parts < 4096 ? blocked_in_parts(w, &m, duration, (unsigned)parts) : blocked_by_any(w, &m, duration);
}
