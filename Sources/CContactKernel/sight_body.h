// Included once per instruction set, after `approach`, with NAME(x) and LANES defined. A look into a raster clears most
// pieces of contact; the walls near the others are held against several pieces at once, and only where one may come
// between the moments are solved for.

/// What is known of pieces before walls are looked at.
typedef struct {
  double squared_way[LANES];  // of the middle of the sight line, metres
  int32_t cell[LANES];        // the square in which it begins, of the lists that reach as far as it goes
} NAME(places);

/// The lanes of `live` on which a wall may come between: on the others the nearest one is too far.
INLINE unsigned NAME(unclear)(const contact_walls *w, vd ax, vd ay, vd avx, vd avy, vd px, vd py, vd vx, vd vy,
                              const NAME(solution) *out, unsigned live, NAME(places) *places) {
  if (!w->starts) {
    *places = (NAME(places)){0};
    return live;
  }
  const vd zero = 0.0;
  vd enter = NAME(load)(out->enter), length = NAME(load)(out->leave) - enter;
  vd mvx = avx - vx * 0.5, mvy = avy - vy * 0.5;
  vd mx = (ax - px * 0.5) + mvx * enter, my = (ay - py * 0.5) + mvy * enter;
  vd way = ((mvx * mvx + mvy * mvy) * length) * length;
  vd column = (mx - w->left) * w->per_metre, row = (my - w->bottom) * w->per_metre;
  vl inside = (column >= 0.0) & (row >= 0.0) & (column < (double)w->columns) & (row < (double)w->rows);
  NAME(vi) c = __builtin_convertvector(NAME(select)(inside, column, zero), NAME(vi));
  NAME(vi) r = __builtin_convertvector(NAME(select)(inside, row, zero), NAME(vi));
  NAME(vi) known = __builtin_convertvector(inside, NAME(vi));
  // Everything outside is the last cell, of the raster and of the lists.
  NAME(vi) fine = ((r * (int32_t)w->columns + c) & known) | ((int32_t)(w->columns * w->rows) & ~known);
  NAME(vi) coarse = ((r >> LIST_SHIFT) * (int32_t)w->list_columns + (c >> LIST_SHIFT)) & known;
  coarse |= (int32_t)w->list_cells & ~known;
  int32_t cell[LANES];
  memcpy(cell, &fine, sizeof fine);
  NAME(vi) far = __builtin_convertvector(way > w->short_way, NAME(vi));
  coarse += (int32_t)(w->list_cells + 1) & far;
  memcpy(places->squared_way, &way, sizeof way);
  memcpy(places->cell, &coarse, sizeof coarse);
  unsigned unclear = 0;
  for (unsigned rest = live; rest; rest &= rest - 1) {
    unsigned l = (unsigned)__builtin_ctz(rest);
    unclear |= (unsigned)!(places->squared_way[l] < w->clear_ways[w->decimetres[cell[l]]]) << l;
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

/// The lanes of `live` on which a wall may come between, by one list of walls for all of them: for pieces that stay so
/// near to one another that it holds every wall that is near any. All lanes and more when they do not.
INLINE unsigned NAME(together)(const contact_walls *w, vd ax, vd ay, vd avx, vd avy, vd px, vd py, vd vx, vd vy,
                               const NAME(solution) *out, unsigned live) {
  if (!w->starts) return UINT32_MAX;
  vd enter = NAME(load)(out->enter), leave = NAME(load)(out->leave), duration = leave - enter;
  vd x0 = ax + avx * enter, y0 = ay + avy * enter, x1 = ax + avx * leave, y1 = ay + avy * leave;
  vd sx = px + vx * enter, sy = py + vy * enter;
  vd u0 = x0 - sx, v0 = y0 - sy, u1 = x1 - (px + vx * leave), v1 = y1 - (py + vy * leave);
  double left[LANES], right[LANES], bottom[LANES], top[LANES];
  vd low = NAME(select)(x0 < x1, x0, x1), other = NAME(select)(u0 < u1, u0, u1);
  low = NAME(select)(low < other, low, other);
  memcpy(left, &low, sizeof low);
  vd high = NAME(select)(x0 > x1, x0, x1);
  other = NAME(select)(u0 > u1, u0, u1);
  high = NAME(select)(high > other, high, other);
  memcpy(right, &high, sizeof high);
  low = NAME(select)(y0 < y1, y0, y1);
  other = NAME(select)(v0 < v1, v0, v1);
  low = NAME(select)(low < other, low, other);
  memcpy(bottom, &low, sizeof low);
  high = NAME(select)(y0 > y1, y0, y1);
  other = NAME(select)(v0 > v1, v0, v1);
  high = NAME(select)(high > other, high, other);
  memcpy(top, &high, sizeof high);
  unsigned first = (unsigned)__builtin_ctz(live);
  double l = left[first], r = right[first], b = bottom[first], t = top[first];
  for (unsigned rest = live & (live - 1); rest; rest &= rest - 1) {
    unsigned k = (unsigned)__builtin_ctz(rest);
    l = left[k] < l ? left[k] : l;
    r = right[k] > r ? right[k] : r;
    b = bottom[k] < b ? bottom[k] : b;
    t = top[k] > t ? top[k] : t;
  }
  // Whatever cuts a sight line comes within half a diagonal of the middle; a little more, for rounding.
  double width = r - l, height = t - b;
  if (!((width * width + height * height) * 0.2501 < w->squared_reach)) return UINT32_MAX;
  size_t cell = cell_of(w, (l + r) * 0.5, (b + t) * 0.5);
  unsigned found = 0;
  for (int32_t k = w->starts[cell]; k < w->starts[cell + 1]; k++) {
    const contact_wall *wall = w->walls + w->near[k];
    vd u = wall->ux, v = wall->uy, x = x0 - wall->x, y = y0 - wall->y;
    found |= NAME(may_cross)(x, y, avx, avy, sx, sy, vx, vy, duration, u, v, wall->length);
    if ((found & live) == live) break;
  }
  return found & live;
}

/// The lanes on which one of the walls near the cell may come between: not all four ends of the two ways are on one
/// side of its line, nor beyond the same end of it.
INLINE unsigned NAME(filter)(const contact_walls *w, const sight_queue *q, unsigned first, unsigned live) {
  vd ax = NAME(load)(q->ax + first), ay = NAME(load)(q->ay + first);
  vd avx = NAME(load)(q->avx + first), avy = NAME(load)(q->avy + first);
  vd px = NAME(load)(q->px + first), py = NAME(load)(q->py + first);
  vd vx = NAME(load)(q->vx + first), vy = NAME(load)(q->vy + first), duration = NAME(load)(q->duration + first);
  // Pieces of one pair often share their list: then no lane needs a wall of its own.
  unsigned one = (unsigned)__builtin_ctz(live), others = 0;
  for (unsigned rest = live; rest; rest &= rest - 1)
    others |= (unsigned)(q->cell[first + one] ^ q->cell[first + (unsigned)__builtin_ctz(rest)]);
  if (!others) {
    unsigned found = 0;
    for (int32_t j = w->starts[q->cell[first + one]]; j < w->starts[q->cell[first + one] + 1] && (found & live) != live; j++) {
      const contact_wall *wall = w->walls + w->near[j];
      found |= NAME(may_cross)(ax - wall->x, ay - wall->y, avx, avy, px, py, vx, vy, duration, (vd)wall->ux,
                               (vd)wall->uy, (vd)wall->length);
    }
    return found & live;
  }
  int32_t k[LANES] = {0}, end[LANES] = {0};
  for (unsigned l = 0; l < LANES; l++) {
    if (!(live >> l & 1)) continue;
    k[l] = w->starts[q->cell[first + l]];
    end[l] = w->starts[q->cell[first + l] + 1];
  }
  unsigned found = 0;
  while (1) {
    unsigned more = 0;
    double wx[LANES], wy[LANES], ux[LANES], uy[LANES], wall_length[LANES];
    for (unsigned l = 0; l < LANES; l++) {
      unsigned has = k[l] < end[l];
      more |= has << l;
      // A lane without more walls looks at its last one again.
      const contact_wall *wall = w->walls + w->near[k[l] - !has + (end[l] == 0)];
      wx[l] = wall->x;
      wy[l] = wall->y;
      ux[l] = wall->ux;
      uy[l] = wall->uy;
      wall_length[l] = wall->length;
      k[l] += (int32_t)has;
    }
    if (!more) return found;
    vd u = NAME(load)(ux), v = NAME(load)(uy), x = ax - NAME(load)(wx), y = ay - NAME(load)(wy);
    found |= NAME(may_cross)(x, y, avx, avy, px, py, vx, vy, duration, u, v, NAME(load)(wall_length)) & more;
  }
}

/// Looks along what is in the queue, and adds what is blocked to the runs.
static __attribute__((noinline)) void NAME(look)(run_writer *writer) {
  const contact_walls *w = writer->walls;
  sight_queue *q = writer->queue;
  for (unsigned first = 0; first < q->count; first += LANES) {
    unsigned lanes = q->count - first >= LANES ? (1u << LANES) - 1 : (1u << (q->count - first)) - 1, special = 0;
    for (unsigned l = 0; l < LANES; l++)
      special |= (unsigned)(q->found[first + l] || q->duration[first + l] * 1e6 < 1 ||
                            !(q->squared_way[first + l] <= w->long_way))
                 << l;
    special &= lanes;
    if (!w->starts) special = lanes;
    unsigned found = special;
    if (lanes & ~special) found |= NAME(filter)(w, q, first, lanes & ~special);
    for (; found; found &= found - 1) {
      unsigned k = first + (unsigned)__builtin_ctz(found);
      int64_t blocked = blocked_time(w, q, k);
      if (q->run[k] == writer->run_count)
        writer->blocked += blocked;
      else
        writer->runs[q->run[k]].blocked += blocked;
    }
  }
  q->count = 0;
}

/// Puts a piece of the open run into the queue.
INLINE void NAME(push_sight)(run_writer *writer, double ax, double ay, double avx, double avy, double px, double py,
                             double vx, double vy, double enter, double leave, double squared_way, int32_t cell,
                             bool found) {
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
  q->squared_way[k] = squared_way;
  q->cell[k] = cell;
  q->found[k] = found;
  q->run[k] = (uint32_t)writer->run_count;
}
