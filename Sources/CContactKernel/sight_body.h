// Included once per instruction set, after `approach`, with NAME(x) and LANES defined. A window of the raster
// rules walls out for most pieces of contact. The others are queued for a test with the walls near them, and most of these
// are solved together.

INLINE vd NAME(lesser)(vd a, vd b) { return a < b ? a : b; }
INLINE vd NAME(greater)(vd a, vd b) { return a > b ? a : b; }

/// The start cells, as numbers of columns or rows. Values outside, and NaN, are moved to the edge.
INLINE NAME(vi) NAME(cells)(vd at, uint32_t count) {
  const vd zero = 0.0, last = (double)(count - 1);
  return __builtin_convertvector(NAME(lesser)(NAME(greater)(at, zero), last), NAME(vi));
}

/// The lanes of `live` on which a wall may be in the way. On the others, no cell of the box around the area that the sight
/// line sweeps has one.
INLINE unsigned NAME(unclear)(const cordon_contact_walls *w, vd ax, vd ay, vd avx, vd avy, vd px, vd py, vd vx, vd vy,
                              const NAME(solution) *out, unsigned live) {
  if (!w->starts) return live;
  vd enter = NAME(load)(out->enter), leave = NAME(load)(out->leave);
  vd ax0 = ax + avx * enter, ay0 = ay + avy * enter, ax1 = ax + avx * leave, ay1 = ay + avy * leave;
  vd bx0 = ax0 - (px + vx * enter), by0 = ay0 - (py + vy * enter);
  vd bx1 = ax1 - (px + vx * leave), by1 = ay1 - (py + vy * leave);
  vd x0 = NAME(lesser)(NAME(lesser)(ax0, ax1), NAME(lesser)(bx0, bx1));
  vd x1 = NAME(greater)(NAME(greater)(ax0, ax1), NAME(greater)(bx0, bx1));
  vd y0 = NAME(lesser)(NAME(lesser)(ay0, ay1), NAME(lesser)(by0, by1));
  vd y1 = NAME(greater)(NAME(greater)(ay0, ay1), NAME(greater)(by0, by1));
  NAME(vi) c0 = NAME(cells)((x0 - w->left) * w->per_metre, w->columns);
  NAME(vi) c1 = NAME(cells)((x1 - w->left) * w->per_metre, w->columns);
  NAME(vi) r0 = NAME(cells)((y0 - w->bottom) * w->per_metre, w->rows);
  NAME(vi) r1 = NAME(cells)((y1 - w->bottom) * w->per_metre, w->rows);
  // The cell width at which the box spans at most five cells, which fit into a window.
  NAME(vi) over = c1 - c0, high = r1 - r0;
  over = __builtin_elementwise_max(over, high);
  NAME(vi) first = over > 4, second = over > 8, third = over > 16, beyond = over > 32;
  NAME(vi) width = -(first + second + third);
  c0 >>= width;
  c1 >>= width;
  r0 >>= width;
  r1 >>= width;
  NAME(vi) row = (r0 >> 2) + (first & (int32_t)w->window_rows[1]) + (second & (int32_t)(w->window_rows[2] - w->window_rows[1])) +
                 (third & (int32_t)(w->window_rows[3] - w->window_rows[2]));
  NAME(vi) window = row * (int32_t)w->window_columns + (c0 >> 2);
  vl ones = 1;
  vl bits = ((ones + 1) << __builtin_convertvector(c1 - c0, vl)) - 1;
  bits <<= __builtin_convertvector(c0 & 3, vl);
  bits |= bits << 8;
  bits |= bits << 16;
  bits |= bits << 32;
  vl tall = ((ones + 1) << __builtin_convertvector(((r1 - r0) << 3) + 7, vl)) - 1;
  bits &= tall << __builtin_convertvector((r0 & 3) << 3, vl);
  int32_t place[LANES];
  memcpy(place, &window, sizeof place);
  vl walls;
  for (unsigned l = 0; l < LANES; l++) walls[l] = (int64_t)w->windows[place[l]];
  return live & (NAME(bits)((walls & bits) != 0) | NAME(bits)(__builtin_convertvector(beyond, vl)));
}

/// The roots of a t^2 + b t + c, as in `add_roots`: a missing root is NaN, infinite or `duration`.
INLINE void NAME(roots)(vd a, vd b, vd c, vd duration, vd *first, vd *second) {
  vd root = __builtin_elementwise_sqrt(b * b - 4.0 * a * c);
  vd q = -0.5 * (b >= 0.0 ? b + root : b - root);
  vl straight = a == 0.0;
  *first = (straight ? -c : q) / (straight ? b : a);
  *second = straight ? duration : c / q;
}

/// The same as `add_passage` and `covered` for many pieces with one wall each.
static __attribute__((noinline)) void NAME(pass)(run_writer *writer, const passages *p) {
  const vd zero = 0.0;
  for (unsigned n = 0; n < p->count; n += LANES) {
    vd sa = NAME(load)(p->sa + n), sa_per = NAME(load)(p->sa_per + n);
    vd sb = NAME(load)(p->sb + n), sb_per = NAME(load)(p->sb_per + n);
    vd ta = NAME(load)(p->ta + n), ta_per = NAME(load)(p->ta_per + n);
    vd tb = NAME(load)(p->tb + n), tb_per = NAME(load)(p->tb_per + n);
    vd length = NAME(load)(p->length + n), duration = NAME(load)(p->duration + n);
    vl beside = NAME(load)(p->beside + n) != 0.0;
    vd times[8];
    times[1] = -sa / sa_per;
    times[2] = -sb / sb_per;
    vd f2 = ta_per * sb_per - tb_per * sa_per;
    vd f1 = (ta * sb_per + ta_per * sb) - (tb * sa_per + tb_per * sa);
    vd f0 = ta * sb - tb * sa;
    NAME(roots)(f2, f1, f0, duration, times + 3, times + 4);
    NAME(roots)(f2, f1 - length * (sb_per - sa_per), f0 - length * (sb - sa), duration, times + 5, times + 6);
    for (int k = 1; k <= 6; k++) {
      vl inside = (times[k] > zero) & (times[k] < duration);
      if (k > 2) inside &= ~beside;
      times[k] = inside ? times[k] : duration;
    }
    // A sorting network for six.
    static const unsigned char swaps[12][2] = {{1, 2}, {3, 4}, {5, 6}, {1, 3}, {2, 5}, {4, 6},
                                               {1, 2}, {3, 4}, {5, 6}, {2, 3}, {4, 5}, {3, 4}};
#pragma unroll
    for (int k = 0; k < 12; k++) {
      vd low = times[swaps[k][0]], high = times[swaps[k][1]];
      times[swaps[k][0]] = NAME(lesser)(low, high);
      times[swaps[k][1]] = NAME(greater)(low, high);
    }
    times[0] = zero;
    times[7] = duration;
    vd total = 0.0, since = 0.0;
    vl before = zero != zero;
#pragma unroll
    for (int k = 0; k < 7; k++) {
      vd time = (times[k] + times[k + 1]) * 0.5;
      vd a = sa + sa_per * time, b = sb + sb_per * time;
      vd along = ((ta + ta_per * time) * b - (tb + tb_per * time) * a) / (b - a);
      vl crosses = (a * b < 0.0) & (along >= 0.0) & (along <= length);
      vl blocked = times[k + 1] > times[k] ? crosses : before;
      since = blocked & ~before ? times[k] : since;
      total = before & ~blocked ? total + (times[k] - since) : total;
      before = blocked;
    }
    total = before ? total + (duration - since) : total;
    unsigned lanes = p->count - n < LANES ? p->count - n : LANES;
    for (unsigned l = 0; l < lanes; l++) add_blocked(writer, p->run[n + l], nanoseconds_of(total[l]));
  }
}

/// Tests the queued pieces, and adds blocked times to the runs.
static __attribute__((noinline)) void NAME(look)(run_writer *writer) {
  passages single;
  look(writer, &single);
  NAME(pass)(writer, &single);
}
