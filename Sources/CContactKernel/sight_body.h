// Included once per instruction set, after `approach`, with NAME(x) and LANES defined. A look into a raster clears most
// pieces of contact; the walls near the others are held against several pieces at once, and only where one may come
// between the moments are solved for.

INLINE vd NAME(magnitude)(vd x) { return NAME(select)(x < 0.0, -x, x); }

/// The lanes of `live` on which a wall may come between: on the others the nearest one is too far.
///
/// The sight line sweeps the hull of the four ends of the two ways, which lies in the circle round their middle through
/// the farthest of them. With w half the way of the sight line's middle and p from one to the other, the ends are at
/// -w +- p0 / 2 and w +- p1 / 2 from there.
INLINE unsigned NAME(unclear)(const contact_walls *w, vd ax, vd ay, vd avx, vd avy, vd px, vd py, vd vx, vd vy,
                              const NAME(solution) *out, unsigned live) {
  if (!w->wall_count) return 0;
  if (!w->starts) return live;
  const vd zero = 0.0;
  vd enter = NAME(load)(out->enter), leave = NAME(load)(out->leave);
  vd half = (leave - enter) * 0.5, middle = (leave + enter) * 0.5;
  vd mvx = avx - vx * 0.5, mvy = avy - vy * 0.5;
  vd mx = (ax - px * 0.5) + mvx * middle, my = (ay - py * 0.5) + mvy * middle;
  vd wx = mvx * half, wy = mvy * half, way = wx * wx + wy * wy;
  vd p0x = px + vx * enter, p0y = py + vy * enter, p1x = px + vx * leave, p1y = py + vy * leave;
  vd first = (p0x * p0x + p0y * p0y) * 0.25 + NAME(magnitude)(wx * p0x + wy * p0y);
  vd last = (p1x * p1x + p1y * p1y) * 0.25 + NAME(magnitude)(wx * p1x + wy * p1y);
  vd squared = way + NAME(select)(first > last, first, last);
  vd column = (mx - w->left) * w->per_metre, row = (my - w->bottom) * w->per_metre;
  vl inside = (column >= 0.0) & (row >= 0.0) & (column < (double)w->columns) & (row < (double)w->rows);
  NAME(vi) c = __builtin_convertvector(NAME(select)(inside, column, zero), NAME(vi));
  NAME(vi) r = __builtin_convertvector(NAME(select)(inside, row, zero), NAME(vi));
  NAME(vi) known = __builtin_convertvector(inside, NAME(vi));
  // Everything outside is the last cell.
  NAME(vi) cell = ((r * (int32_t)w->columns + c) & known) | ((int32_t)(w->columns * w->rows) & ~known);
  int32_t cells[LANES];
  double squares[LANES];
  memcpy(cells, &cell, sizeof cell);
  memcpy(squares, &squared, sizeof squared);
  unsigned unclear = 0;
  for (unsigned rest = live; rest; rest &= rest - 1) {
    unsigned l = (unsigned)__builtin_ctz(rest);
    // Not "is further": what is no number is looked at.
    unclear |= (unsigned)!(squares[l] < w->clear_radii[w->decimetres[cells[l]]]) << l;
  }
  return unclear;
}

/// The lanes on which a wall may come between: not all four ends of the two ways are on one side of its line, nor beyond
/// the same end of it. `x` and `y` are from where it begins, (u, v) is its direction. The same test as in `add_wall`.
INLINE unsigned NAME(may_cross)(vd x, vd y, vd avx, vd avy, vd px, vd py, vd vx, vd vy, vd duration, vd u, vd v,
                                vd length) {
  vd sa = x * v + y * -u, sa_per = avx * v + avy * -u;
  vd sb = sa - (px * v + py * -u), sb_per = sa_per - (vx * v + vy * -u);
  vd sa1 = sa + sa_per * duration, sb1 = sb + sb_per * duration;
  vl left = (sa >= 0.0) & (sb >= 0.0) & (sa1 >= 0.0) & (sb1 >= 0.0);
  vl right = (sa <= 0.0) & (sb <= 0.0) & (sa1 <= 0.0) & (sb1 <= 0.0);
  vd ta = x * u + y * v, ta_per = avx * u + avy * v;
  vd tb = ta - (px * u + py * v), tb_per = ta_per - (vx * u + vy * v);
  vd ta1 = ta + ta_per * duration, tb1 = tb + tb_per * duration;
  vl before = (ta < 0.0) & (tb < 0.0) & (ta1 < 0.0) & (tb1 < 0.0);
  vl beyond = (ta > length) & (tb > length) & (ta1 > length) & (tb1 > length);
  return ~NAME(bits)(left | right | before | beyond) & ((1u << LANES) - 1);
}

/// How far the middle of the sight line goes in the pieces from `first` on, and in which square it begins: of the lists
/// that reach as far.
INLINE void NAME(place)(const contact_walls *w, sight_queue *q, unsigned first) {
  const vd zero = 0.0;
  vd px = NAME(load)(q->px + first), py = NAME(load)(q->py + first), duration = NAME(load)(q->duration + first);
  vd mvx = NAME(load)(q->avx + first) - NAME(load)(q->vx + first) * 0.5;
  vd mvy = NAME(load)(q->avy + first) - NAME(load)(q->vy + first) * 0.5;
  vd way = ((mvx * mvx + mvy * mvy) * duration) * duration;
  vd column = ((NAME(load)(q->ax + first) - px * 0.5) - w->left) * w->per_metre;
  vd row = ((NAME(load)(q->ay + first) - py * 0.5) - w->bottom) * w->per_metre;
  vl inside = (column >= 0.0) & (row >= 0.0) & (column < (double)w->columns) & (row < (double)w->rows);
  NAME(vi) c = __builtin_convertvector(NAME(select)(inside, column, zero), NAME(vi));
  NAME(vi) r = __builtin_convertvector(NAME(select)(inside, row, zero), NAME(vi));
  NAME(vi) known = __builtin_convertvector(inside, NAME(vi));
  NAME(vi) cell = ((r >> LIST_SHIFT) * (int32_t)w->list_columns + (c >> LIST_SHIFT)) & known;
  cell |= (int32_t)w->list_cells & ~known;
  NAME(vi) far = __builtin_convertvector(way > w->short_way, NAME(vi));
  cell += (int32_t)(w->list_cells + 1) & far;
  memcpy(q->squared_way + first, &way, sizeof way);
  memcpy(q->cell + first, &cell, sizeof cell);
}

/// Looks along the pieces of `lanes`, which share a square, and adds what is blocked to their runs. Each wall near the
/// square is held against all of them at once; only where it may come between is it looked at closely.
INLINE void NAME(look_near)(run_writer *writer, unsigned first, unsigned lanes, size_t cell) {
  const contact_walls *w = writer->walls;
  const sight_queue *q = writer->queue;
  vd ax = NAME(load)(q->ax + first), ay = NAME(load)(q->ay + first);
  vd avx = NAME(load)(q->avx + first), avy = NAME(load)(q->avy + first);
  vd px = NAME(load)(q->px + first), py = NAME(load)(q->py + first);
  vd vx = NAME(load)(q->vx + first), vy = NAME(load)(q->vy + first), duration = NAME(load)(q->duration + first);
  int32_t begin = w->starts[cell], end = w->starts[cell + 1];
  for (; begin < end; begin += NEAR_WALLS) {
    int32_t count = end - begin < NEAR_WALLS ? end - begin : NEAR_WALLS;
    unsigned char crossed[NEAR_WALLS];
    unsigned found = 0;
    for (int32_t k = 0; k < count; k++) {
      const contact_wall *wall = w->walls + w->near[begin + k];
      unsigned hit = lanes & NAME(may_cross)(ax - wall->x, ay - wall->y, avx, avy, px, py, vx, vy, duration,
                                             (vd)wall->ux, (vd)wall->uy, (vd)wall->length);
      crossed[k] = (unsigned char)hit;
      found |= hit;
    }
    if (found && end - begin > NEAR_WALLS) {
      // Walls overlap in time: what more of them hide is not found piece by piece.
      for (unsigned rest = lanes; rest; rest &= rest - 1) look_alone(writer, first + (unsigned)__builtin_ctz(rest));
      return;
    }
    for (; found; found &= found - 1) {
      unsigned lane = (unsigned)__builtin_ctz(found), k = first + lane;
      motion m = {q->ax[k], q->ay[k], q->avx[k], q->avy[k], q->px[k], q->py[k], q->vx[k], q->vy[k]};
      intervals all;
      all.count = 0;
      for (int32_t n = 0; n < count; n++)
        if (crossed[n] >> lane & 1) add_wall(&all, w->walls + w->near[begin + n], &m, q->duration[k]);
      if (all.count) add_blocked(writer, k, covered(&all));
    }
  }
}

/// Looks along what is in the queue, and adds what is blocked to the runs.
static __attribute__((noinline)) void NAME(look)(run_writer *writer) {
  const contact_walls *w = writer->walls;
  sight_queue *q = writer->queue;
  for (unsigned first = 0; first < q->count; first += LANES) {
    unsigned lanes = q->count - first >= LANES ? (1u << LANES) - 1 : (1u << (q->count - first)) - 1, alone = lanes;
    if (w->starts) {
      NAME(place)(w, q, first);
      alone &= NAME(bits)(!(NAME(load)(q->squared_way + first) <= w->long_way)) |
               NAME(bits)(NAME(load)(q->duration + first) * 1e6 < 1.0);
    }
    for (unsigned rest = alone; rest; rest &= rest - 1) look_alone(writer, first + (unsigned)__builtin_ctz(rest));
    for (unsigned rest = lanes & ~alone; rest;) {
      int32_t cell = q->cell[first + (unsigned)__builtin_ctz(rest)];
      unsigned same = 0;
      for (unsigned l = 0; l < LANES; l++) same |= (unsigned)(q->cell[first + l] == cell) << l;
      same &= rest;
      rest &= ~same;
      NAME(look_near)(writer, first, same, (size_t)cell);
    }
  }
  q->count = 0;
}

/// Puts a piece of the open run into the queue.
INLINE void NAME(push_sight)(run_writer *writer, double ax, double ay, double avx, double avy, double px, double py,
                             double vx, double vy, double enter, double leave) {
  sight_queue *q = writer->queue;
  if (q->count == SIGHTS) NAME(look)(writer);
  unsigned k = q->count++;
  q->ax[k] = ax + avx * enter;
  q->ay[k] = ay + avy * enter;
  q->avx[k] = avx;
  q->avy[k] = avy;
  q->px[k] = px + vx * enter;
  q->py[k] = py + vy * enter;
  q->vx[k] = vx;
  q->vy[k] = vy;
  q->duration[k] = leave - enter;
  q->run[k] = (uint32_t)writer->run_count;
}
