#include "CContactKernel.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A fused multiply-add rounds once where a product and a sum round twice: results would then depend on
// the instruction set.
#pragma STDC FP_CONTRACT OFF


/// Pieces whose gap is at most this long, in nanoseconds, are one run.
#define JOIN 1000

typedef struct sight_queue sight_queue;

typedef struct {
  const cordon_contact_segments *segments;
  cordon_contact_run *runs;
  size_t run_count;
  const cordon_contact_walls *walls;
  sight_queue *queue;
  int32_t first, second;
  bool open;
  int64_t start, end, blocked;
  // The closest piece of the open run.
  uint32_t i, j;
  double from, closest, squared;
} run_writer;

#include "sight.h"

/// Milliseconds to whole nanoseconds, halves to even. Adding 1.5 x 2^52 leaves no bits for a fraction;
/// valid below 2^51 ns, which is 26 days.
static inline int64_t nanoseconds(double milliseconds) {
  double shifted = milliseconds * 1e6 + 6755399441055744.0;
  return (int64_t)(shifted - 6755399441055744.0);
}

static inline void close_run(run_writer *w) {
  const cordon_contact_segments *s = w->segments;
  double oi = (w->from - s->start[w->i]), oj = (w->from - s->start[w->j]);
  double ax = s->x[w->i] + s->vx[w->i] * oi, ay = s->y[w->i] + s->vy[w->i] * oi;
  double bx = s->x[w->j] + s->vx[w->j] * oj, by = s->y[w->j] + s->vy[w->j] * oj;
  double dx = (bx - ax) + (s->vx[w->j] - s->vx[w->i]) * w->closest;
  double dy = (by - ay) + (s->vy[w->j] - s->vy[w->i]) * w->closest;
  cordon_contact_run *run = w->runs + w->run_count++;
  run->start = w->start;
  run->end = w->end;
  run->closest = (int64_t)w->from * 1000000 + nanoseconds(w->closest);
  run->squared = w->squared;
  run->x = (ax + s->vx[w->i] * w->closest) + dx * 0.5;
  run->y = (ay + s->vy[w->i] * w->closest) + dy * 0.5;
  run->dx = dx;
  run->dy = dy;
  run->first = w->first;
  run->second = w->second;
  run->blocked = w->walls ? w->blocked : -1;
  w->open = false;
}

static inline void add_piece(run_writer *w, uint32_t i, uint32_t j, double from, double enter, double leave,
                             double closest, double squared) {
  int64_t base = (int64_t)from * 1000000;
  int64_t start = base + nanoseconds(enter), end = base + nanoseconds(leave);
  if (w->open && start <= w->end + JOIN) {
    if (end > w->end) w->end = end;
    if (cordon_contact_is_nearer(squared, w->squared)) {
      w->squared = squared;
      w->closest = closest;
      w->from = from;
      w->i = i;
      w->j = j;
    }
  } else {
    if (w->open) close_run(w);
    w->open = true;
    w->blocked = 0;
    w->start = start;
    w->end = end;
    w->squared = squared;
    w->closest = closest;
    w->from = from;
    w->i = i;
    w->j = j;
  }
}

#define LANES 2
#define BOX_LANES 4
#define NAME(x) plain_##x
#include "kernel_body.h"
#undef NAME
#undef LANES
#undef BOX_LANES

#if defined(__x86_64__)
#define LANES 4
#define BOX_LANES 8
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(x) avx2_##x
#include "kernel_body.h"
#undef NAME
#pragma clang attribute pop
#undef LANES
#undef BOX_LANES

// Four lanes of doubles: a pair seldom has more pieces in a slab, and wider divisions and roots are slower in proportion.
#define LANES 4
#define BOX_LANES 16
#define COMPRESS
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))), \
                             apply_to = function)
#define NAME(x) avx512_##x
#include "kernel_body.h"
#undef NAME
#undef COMPRESS
#pragma clang attribute pop
#endif

int cordon_contact_kernel_best_level(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    return CORDON_CONTACT_KERNEL_AVX512;
  if (__builtin_cpu_supports("avx2")) return CORDON_CONTACT_KERNEL_AVX2;
#endif
  return CORDON_CONTACT_KERNEL_PLAIN;
}

void cordon_contact_find_ways(int level, const cordon_contact_segments *segments, const cordon_contact_track *tracks,
                              const cordon_contact_boxes *boxes, double left, double bottom, double margin) {
#if defined(__x86_64__)
  if (level == CORDON_CONTACT_KERNEL_AVX512) return avx512_find_ways(segments, tracks, boxes, left, bottom, margin);
  if (level == CORDON_CONTACT_KERNEL_AVX2) return avx2_find_ways(segments, tracks, boxes, left, bottom, margin);
#endif
  (void)level;
  plain_find_ways(segments, tracks, boxes, left, bottom, margin);
}

size_t cordon_contact_sweep(int level, const cordon_contact_boxes *boxes, const cordon_contact_track *tracks,
                            int only_unknown, uint32_t *position, uint32_t *pair_a, uint32_t *pair_b, size_t capacity) {
#if defined(__x86_64__)
  if (level == CORDON_CONTACT_KERNEL_AVX512)
    return avx512_sweep(boxes, tracks, only_unknown, position, pair_a, pair_b, capacity);
  if (level == CORDON_CONTACT_KERNEL_AVX2)
    return avx2_sweep(boxes, tracks, only_unknown, position, pair_a, pair_b, capacity);
#endif
  (void)level;
  return plain_sweep(boxes, tracks, only_unknown, position, pair_a, pair_b, capacity);
}

size_t cordon_contact_solve(int level, const cordon_contact_segments *segments, const cordon_contact_track *tracks,
                            const uint32_t *pair_a, const uint32_t *pair_b, size_t pair_count, size_t *position,
                            double squared_limit, cordon_contact_run *runs, size_t run_capacity,
                            const cordon_contact_walls *walls) {
#if defined(__x86_64__)
  if (level == CORDON_CONTACT_KERNEL_AVX512)
    return avx512_solve(segments, tracks, pair_a, pair_b, pair_count, position, squared_limit, runs, run_capacity,
                        walls);
  if (level == CORDON_CONTACT_KERNEL_AVX2)
    return avx2_solve(segments, tracks, pair_a, pair_b, pair_count, position, squared_limit, runs, run_capacity,
                        walls);
#endif
  (void)level;
  return plain_solve(segments, tracks, pair_a, pair_b, pair_count, position, squared_limit, runs, run_capacity, walls);
}
