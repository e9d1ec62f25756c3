/*
 * Aligns the pairs of a .seq file with WFA2-lib: global, gap-affine, exact.
 *
 *   driver [options] FILE          FILE may be - for standard input
 *     -p X,O,E   mismatch, gap opening, gap extension       (2,3,1)
 *     -m MODE    memory: high, med, low or ultralow (BiWFA) (high)
 *     -d         distance (score) only, no alignment
 *     -t N       threads, each with its own aligner         (1)
 *     -r N       repetitions                                (1)
 *     -s         print every pair's penalty instead of the times
 *
 * All pairs are read before the clock starts and the aligners exist by then:
 * the times are for alignment alone. It prints one line,
 *
 *   PAIRS <tab> SUM OF PENALTIES <tab> SECONDS [<tab> SECONDS ...]
 *
 * with one time for each repetition.
 */
#define _GNU_SOURCE
#include <stdbool.h> /* WFA2-lib's headers need both and include neither */
#include <stdint.h>

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "wavefront/wavefront_align.h"

typedef struct {
  char *pattern, *text;
  int pattern_length, text_length;
  int score;
} pair_t;

typedef struct {
  pair_t *at;
  long count;
} pairs_t;

static void fail(const char *what) {
  fprintf(stderr, "driver: %s\n", what);
  exit(1);
}

static char *copy_line(const char *line, ssize_t length, char mark, int *out_length) {
  while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
  if (length < 1 || line[0] != mark) fail("not a .seq file: want lines of > and < in turn");
  char *copy = strndup(line + 1, length - 1);
  if (copy == NULL) fail("out of memory");
  *out_length = (int)(length - 1);
  return copy;
}

static pairs_t read_pairs(FILE *in) {
  pairs_t pairs = {NULL, 0};
  long room = 0;
  char *line = NULL;
  size_t line_room = 0;
  ssize_t length;
  while ((length = getline(&line, &line_room, in)) > 0) {
    if (pairs.count == room) {
      room = room ? 2 * room : 1024;
      pairs.at = realloc(pairs.at, room * sizeof(pair_t));
      if (pairs.at == NULL) fail("out of memory");
    }
    pair_t *p = &pairs.at[pairs.count++];
    p->pattern = copy_line(line, length, '>', &p->pattern_length);
    if ((length = getline(&line, &line_room, in)) <= 0) fail("the last pair has no text");
    p->text = copy_line(line, length, '<', &p->text_length);
  }
  free(line);
  return pairs;
}

static wavefront_memory_t memory_mode(const char *name) {
  if (!strcmp(name, "high")) return wavefront_memory_high;
  if (!strcmp(name, "med")) return wavefront_memory_med;
  if (!strcmp(name, "low")) return wavefront_memory_low;
  if (!strcmp(name, "ultralow")) return wavefront_memory_ultralow;
  fail("unknown memory mode");
  return wavefront_memory_high;
}

/* A few neighbouring pairs at a time, and enough portions to share out evenly. */
static long portion(long count, int threads) {
  long n = count / (8L * threads);
  return n < 1 ? 1 : n > 64 ? 64 : n;
}

static double align_all(pairs_t pairs, wavefront_aligner_t **aligners, int threads) {
  struct timespec start, end;
  long size = portion(pairs.count, threads);
  clock_gettime(CLOCK_MONOTONIC, &start);
#pragma omp parallel for num_threads(threads) schedule(dynamic, size)
  for (long i = 0; i < pairs.count; i++) {
    wavefront_aligner_t *aligner = aligners[omp_get_thread_num()];
    pair_t *p = &pairs.at[i];
    wavefront_align(aligner, p->pattern, p->pattern_length, p->text, p->text_length);
    p->score = -aligner->cigar->score; /* reported as a negative penalty */
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
}

int main(int argc, char **argv) {
  int x = 2, o = 3, e = 1, threads = 1, repetitions = 1;
  bool print_scores = false, distance_only = false;
  const char *mode = "high";
  for (int c; (c = getopt(argc, argv, "p:m:dt:r:s")) != -1;) {
    switch (c) {
      case 'p':
        if (sscanf(optarg, "%d,%d,%d", &x, &o, &e) != 3) fail("-p wants X,O,E");
        break;
      case 'm': mode = optarg; break;
      case 'd': distance_only = true; break;
      case 't': threads = atoi(optarg); break;
      case 'r': repetitions = atoi(optarg); break;
      case 's': print_scores = true; break;
      default: return 2;
    }
  }
  if (optind + 1 != argc || threads < 1 || repetitions < 1) fail("usage: see the top of driver/driver.c");
  FILE *in = strcmp(argv[optind], "-") ? fopen(argv[optind], "r") : stdin;
  if (in == NULL) fail("cannot open the input");
  pairs_t pairs = read_pairs(in);

  wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
  attributes.distance_metric = gap_affine;
  attributes.affine_penalties.match = 0;
  attributes.affine_penalties.mismatch = x;
  attributes.affine_penalties.gap_opening = o;
  attributes.affine_penalties.gap_extension = e;
  attributes.alignment_form.span = alignment_end2end;
  attributes.alignment_scope = distance_only ? compute_score : compute_alignment;
  attributes.heuristic.strategy = wf_heuristic_none;
  attributes.memory_mode = memory_mode(mode);
  attributes.system.max_num_threads = 1;

  wavefront_aligner_t **aligners = malloc(threads * sizeof(*aligners));
  if (aligners == NULL) fail("out of memory");
  for (int t = 0; t < threads; t++) aligners[t] = wavefront_aligner_new(&attributes);

  double *seconds = malloc(repetitions * sizeof(*seconds));
  if (seconds == NULL) fail("out of memory");
  for (int r = 0; r < repetitions; r++) seconds[r] = align_all(pairs, aligners, threads);

  if (print_scores) {
    for (long i = 0; i < pairs.count; i++) printf("%d\n", pairs.at[i].score);
  } else {
    long sum = 0;
    for (long i = 0; i < pairs.count; i++) sum += pairs.at[i].score;
    printf("%ld\t%ld", pairs.count, sum);
    for (int r = 0; r < repetitions; r++) printf("\t%.6f", seconds[r]);
    printf("\n");
  }
  return 0;
}
