// The time for which a wall is between two devices that move straight.
//
// With s the signed distance of a device from the wall's line and t its place along it, all linear in time, the sight
// line crosses the wall when the s of both differ in sign and the place of crossing, (tA sB - tB sA) / (sB - sA), lies
// on the wall. That changes only where an s is 0 or the place of crossing is an end of the wall: roots of linear and of
// quadratic functions. Between two of them, one test decides.

/// How one device moves, and how the other moves relative to it: a - b.
typedef struct {
  double ax, ay, avx, avy;
  double px, py, vx, vy;
} motion;

#define INLINE static inline __attribute__((always_inline))
#define INTERVALS 96
/// The number of queued pieces.
#define SIGHTS 256

/// The number of walls in the box of a piece from which on its whole list is tried.
#define CLOSE_WALLS 8

/// Queued pieces of contact: their segments, their start, and the interval of contact after it.
struct sight_queue {
  uint32_t i[SIGHTS], j[SIGHTS], run[SIGHTS];
  double from[SIGHTS], enter[SIGHTS], leave[SIGHTS];
  unsigned count;
};

/// Intervals in which a wall is in the way, in no order.
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

/// Sorts the intervals, and joins those that overlap or touch.
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

/// Makes room in a full list: joins overlapping intervals, or else (with a hundred alternating walls) the two with the
/// shortest gap.
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

/// The position of two ways relative to a wall.
typedef struct {
  linear sa, sb, ta, tb;
  bool beside;  // both stay beside the wall, so that the place of crossing, which is between theirs, is on it
  bool always;  // and on different sides of it
} passage;

/// Whether a wall may come between in a piece: not all four ends of the ways are on one side of the wall's line, or beyond
/// the same end of the wall.
INLINE bool may_pass(passage *out, const cordon_contact_wall *wall, const motion *m, double duration) {
  double x = m->ax - wall->x, y = m->ay - wall->y;
  linear sa = project(x, y, m->avx, m->avy, wall->uy, -wall->ux);
  linear sr = project(m->px, m->py, m->vx, m->vy, wall->uy, -wall->ux);
  linear sb = {sa.at - sr.at, sa.per - sr.per};
  double sa1 = sa.at + sa.per * duration, sb1 = sb.at + sb.per * duration;
  if (least(sa.at, sb.at, sa1, sb1) >= 0 || largest(sa.at, sb.at, sa1, sb1) <= 0) return false;
  linear ta = project(x, y, m->avx, m->avy, wall->ux, wall->uy);
  linear tr = project(m->px, m->py, m->vx, m->vy, wall->ux, wall->uy);
  linear tb = {ta.at - tr.at, ta.per - tr.per};
  double ta1 = ta.at + ta.per * duration, tb1 = tb.at + tb.per * duration;
  double first = least(ta.at, tb.at, ta1, tb1), last = largest(ta.at, tb.at, ta1, tb1);
  if (last < 0 || first > wall->length) return false;
  bool beside = first >= 0 && last <= wall->length;
  *out = (passage){sa, sb, ta, tb, beside, beside && sa.at * sb.at < 0 && sa.at * sa1 > 0 && sb.at * sb1 > 0};
  return true;
}

/// Adds the time in which one wall is in the way of a piece.
INLINE void add_wall(intervals *out, const cordon_contact_wall *wall, const motion *m, double duration) {
  passage p;
  if (!may_pass(&p, wall, m, duration)) return;
  if (p.always)
    add_interval(out, 0, duration);
  else
    add_passage(out, p.sa, p.sb, p.ta, p.tb, wall->length, duration, p.beside);
}

/// Milliseconds of a piece in which one of the walls near its cell is in the way.
INLINE double blocked_near(const cordon_contact_walls *w, const motion *m, double duration, int32_t begin, int32_t end) {
  intervals all;
  all.count = 0;
  for (int32_t k = begin; k < end; k++) add_wall(&all, w->walls + w->near[k], m, duration);
  return all.count ? covered(&all) : 0;
}

/// The longer list of a square, or the shorter one when the sight line stays near it.
INLINE size_t list_of(const cordon_contact_walls *w, double x, double y, bool is_far) {
  double column = (x - w->left) * w->per_metre, row = (y - w->bottom) * w->per_metre;
  column = column > 0 ? column : 0;
  column = column < w->columns ? column : w->columns - 1;
  row = row > 0 ? row : 0;
  row = row < w->rows ? row : w->rows - 1;
  return (is_far ? w->list_cells : 0) + ((size_t)row >> CORDON_CONTACT_LIST_SHIFT) * w->list_columns + ((size_t)column >> CORDON_CONTACT_LIST_SHIFT);
}

INLINE motion moved_on(const motion *m, double time) {
  motion moved = {m->ax + m->avx * time, m->ay + m->avy * time, m->avx, m->avy,
                  m->px + m->vx * time,  m->py + m->vy * time,  m->vx,  m->vy};
  return moved;
}

/// Splits a piece whose middle moves far into parts in which it stays near.
static __attribute__((noinline)) double blocked_in_parts(const cordon_contact_walls *w, const motion *m, double duration,
                                                         unsigned parts) {
  double total = 0, length = duration / parts;
  for (unsigned k = 0; k < parts; k++) {
    motion part = moved_on(m, length * k), middle = moved_on(m, length * (k + 0.5));
    size_t list = list_of(w, middle.ax - middle.px * 0.5, middle.ay - middle.py * 0.5, true);
    total += blocked_near(w, &part, length, w->starts[list], w->starts[list + 1]);
  }
  return total;
}

/// The same by trying every wall: for distances and floors without a suitable raster.
static __attribute__((noinline)) double blocked_by_any(const cordon_contact_walls *w, const motion *m, double duration) {
  intervals all;
  all.count = 0;
  for (uint32_t k = 0; k < w->wall_count; k++) add_wall(&all, w->walls + k, m, duration);
  return all.count ? covered(&all) : 0;
}

/// Whether a wall is in the way at the beginning.
static __attribute__((noinline)) bool is_blocked_now(const cordon_contact_walls *w, const motion *m) {
  for (uint32_t k = 0; k < w->wall_count; k++) {
    const cordon_contact_wall *wall = w->walls + k;
    double x = m->ax - wall->x, y = m->ay - wall->y;
    linear sa = project(x, y, 0, 0, wall->uy, -wall->ux), ta = project(x, y, 0, 0, wall->ux, wall->uy);
    linear sb = project(x - m->px, y - m->py, 0, 0, wall->uy, -wall->ux);
    linear tb = project(x - m->px, y - m->py, 0, 0, wall->ux, wall->uy);
    if (crosses(sa, sb, ta, tb, wall->length, 0)) return true;
  }
  return false;
}

INLINE int64_t nanoseconds_of(double blocked) { return (int64_t)(blocked * 1e6 + 0.5); }

typedef double sides __attribute__((ext_vector_type(4)));

INLINE bool is_near(const cordon_contact_wall_box *box, const sides *limits) {
  sides b;
  memcpy(&b, box, sizeof b);
  return __builtin_reduce_and(b <= *limits) != 0;
}

/// The properties of a piece before its walls are tested.
typedef struct {
  motion motion;
  double duration, squared_way;
  sides limits;        // of the box round the ground that the sight line sweeps: what the sides of walls in it do not exceed
  size_t list;
  int32_t begin, end;  // the list of walls
} sight;

/// Nanoseconds in which a wall is in the way of a piece; for a piece without length, the mark of a blocked touch.
INLINE int64_t blocked_time(const cordon_contact_walls *w, const sight *s) {
  double total;
  if (s->duration * 1e6 < 1) return is_blocked_now(w, &s->motion) ? CORDON_CONTACT_BLOCKED_TOUCH : 0;
  if (!w->starts) {
    total = blocked_by_any(w, &s->motion, s->duration);
  } else if (s->squared_way <= w->long_way) {
    total = blocked_near(w, &s->motion, s->duration, s->begin, s->end);
  } else {
    double parts = __builtin_sqrt(s->squared_way / w->long_way) + 1;
    total = parts < 4096 ? blocked_in_parts(w, &s->motion, s->duration, (unsigned)parts)
                         : blocked_by_any(w, &s->motion, s->duration);
  }
  return nanoseconds_of(total);
}

/// A piece from when contact begins.
INLINE void take_sight(const cordon_contact_segments *s, const cordon_contact_walls *w, const sight_queue *q, unsigned k, sight *out) {
  uint32_t i = q->i[k], j = q->j[k];
  double oi = q->from[k] - s->start[i], oj = q->from[k] - s->start[j], enter = q->enter[k];
  double ax = s->x[i] + s->vx[i] * oi, ay = s->y[i] + s->vy[i] * oi;
  double px = ax - (s->x[j] + s->vx[j] * oj), py = ay - (s->y[j] + s->vy[j] * oj);
  motion m = {ax, ay, s->vx[i], s->vy[i], px, py, s->vx[i] - s->vx[j], s->vy[i] - s->vy[j]};
  out->motion = m = moved_on(&m, enter);
  double duration = out->duration = q->leave[k] - enter;
  double way_x = (m.avx - m.vx * 0.5) * duration, way_y = (m.avy - m.vy * 0.5) * duration;
  out->squared_way = way_x * way_x + way_y * way_y;
  if (!w->starts) return;
  out->list = list_of(w, (m.ax - m.px * 0.5) + way_x * 0.5, (m.ay - m.py * 0.5) + way_y * 0.5,
                      out->squared_way > w->short_way);
  __builtin_prefetch(w->starts + out->list);
  double ax1 = m.ax + m.avx * duration, ay1 = m.ay + m.avy * duration;
  double bx = m.ax - m.px, by = m.ay - m.py;
  double bx1 = ax1 - (m.px + m.vx * duration), by1 = ay1 - (m.py + m.vy * duration);
  out->limits = (sides){largest(m.ax, ax1, bx, bx1), largest(m.ay, ay1, by, by1), -least(m.ax, ax1, bx, bx1),
                        -least(m.ay, ay1, by, by1)};
}

/// Pieces with one possible wall, to be solved together.
typedef struct {
  double sa[SIGHTS + 8], sa_per[SIGHTS + 8], sb[SIGHTS + 8], sb_per[SIGHTS + 8];
  double ta[SIGHTS + 8], ta_per[SIGHTS + 8], tb[SIGHTS + 8], tb_per[SIGHTS + 8];
  double length[SIGHTS + 8], duration[SIGHTS + 8], beside[SIGHTS + 8];
  uint32_t run[SIGHTS];
  unsigned count;
} passages;

INLINE void add_blocked(run_writer *writer, uint32_t run, int64_t blocked) {
  if (run == writer->run_count)
    writer->blocked += blocked;
  else
    writer->runs[run].blocked += blocked;
}

/// Tests the queued pieces, and adds blocked times to the runs. Pieces with a single intermittent wall, the most frequent
/// kind, go into `single`.
static __attribute__((noinline)) void look(run_writer *writer, passages *single) {
  const cordon_contact_walls *w = writer->walls;
  sight_queue *q = writer->queue;
  sight sights[SIGHTS];
  // All of them first, so that their loads from memory overlap.
  for (unsigned k = 0; k < q->count; k++) take_sight(writer->segments, w, q, k, sights + k);
  for (unsigned k = 0; w->starts && k < q->count; k++) {
    sights[k].begin = w->starts[sights[k].list];
    sights[k].end = w->starts[sights[k].list + 1];
    __builtin_prefetch(w->near + sights[k].begin);
  }
  unsigned n = 0;
  for (unsigned k = 0; k < q->count; k++) {
    const sight *s = sights + k;
    if (!w->starts || s->duration * 1e6 < 1 || !(s->squared_way <= w->long_way)) {
      add_blocked(writer, q->run[k], blocked_time(w, s));
      continue;
    }
    // Without branches, because nearness is unpredictable.
    int32_t close[CLOSE_WALLS + 1];
    unsigned found = 0;
    for (int32_t i = s->begin; i < s->end; i++) {
      close[found] = w->near[i];
      found += is_near(w->boxes + w->near[i], &s->limits) & (found < CLOSE_WALLS);
    }
    if (found == CLOSE_WALLS) {
      add_blocked(writer, q->run[k], blocked_time(w, s));
      continue;
    }
    passage p, other;
    unsigned i = 0;
    while (i < found && !may_pass(&p, w->walls + close[i], &s->motion, s->duration)) i++;
    if (i == found) continue;
    double length = w->walls[close[i]].length;
    for (i++; i < found && !may_pass(&other, w->walls + close[i], &s->motion, s->duration);) i++;
    if (i < found) {
      add_blocked(writer, q->run[k], blocked_time(w, s));
    } else if (p.always) {
      add_blocked(writer, q->run[k], nanoseconds_of(s->duration));
    } else {
      single->sa[n] = p.sa.at;
      single->sa_per[n] = p.sa.per;
      single->sb[n] = p.sb.at;
      single->sb_per[n] = p.sb.per;
      single->ta[n] = p.ta.at;
      single->ta_per[n] = p.ta.per;
      single->tb[n] = p.tb.at;
      single->tb_per[n] = p.tb.per;
      single->length[n] = length;
      single->duration[n] = s->duration;
      single->beside[n] = p.beside;
      single->run[n++] = q->run[k];
    }
  }
  single->count = n;
  q->count = 0;
}

/// Queues a piece of the open run if a wall may be in its way. The queue has room.
INLINE void push_sight(run_writer *writer, uint32_t i, uint32_t j, double from, double enter, double leave, bool is_unclear) {
  sight_queue *q = writer->queue;
  unsigned k = q->count;
  q->i[k] = i;
  q->j[k] = j;
  q->run[k] = (uint32_t)writer->run_count;
  q->from[k] = from;
  q->enter[k] = enter;
  q->leave[k] = leave;
  // Without a branch, which would wait for the walls to be loaded.
  q->count = k + is_unclear;
}
