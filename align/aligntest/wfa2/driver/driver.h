/*
 * The common part of the drivers of other libraries: reading pairs, threads, the
 * clock, and the results. A driver includes this file once, in C or C++, and
 * defines the functions declared under "The driver's own part".
 *
 *   driver [options] FILE          a .seq file; - is standard input
 *     -p X,O,E   mismatch, gap opening, gap extension           (2,3,1)
 *                X,O,E,O2,E2 for gaps with two costs
 *     -A MATCH   match score: scores are similarities           (0: penalties)
 *     -S SPAN    global, ends-free, extension or local          (global)
 *     -f QB,QE,TB,TE  for ends-free: letters of the pattern and the text that
 *                may be left out at the begin and the end; -1 is all
 *     -z Z       for extension: the drop-off                    (none)
 *     -m MODE    a variant or mode of the library
 *     -d         distance (score) only, no alignment
 *     -t N       threads, each with an aligner of its own       (1)
 *     -n N       the first N pairs alone
 *     -r N       repetitions; 0 for -o alone                    (1)
 *     -u SECS    align the pairs repeatedly for so long, instead of once
 *     -o FILE    first of all align every pair once, and write score, tab and
 *                CIGAR (or the score alone) of each
 *     -l SECS    for -o: start no pair after so long, and write the pairs done,
 *                which are the first ones
 *     -c         times are CPU time of the process instead of the clock's
 *     -s         print every pair's score instead of the times
 *
 * All pairs are read and converted to the library's format, and the aligners
 * made, before a clock starts: the times are for alignment alone, with the
 * library's own form of alignment. Threads take the next few pairs from a shared
 * counter. It prints
 *
 *   PAIRS <tab> SUM OF PENALTIES <tab> SECONDS [<tab> SECONDS ...]
 *
 * with one time for each repetition, or with -u one line for each repetition,
 *
 *   PAIRS <tab> SECONDS
 *
 * where PAIRS are those aligned, some of them several times.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef enum { SPAN_GLOBAL, SPAN_ENDS_FREE, SPAN_EXTENSION, SPAN_LOCAL } span_t;

typedef struct {
  int x, o, e;
  int o2, e2; /* both 0 when gaps have one cost */
  int match;
  span_t span;
  int free[4];      /* begin and end of the pattern and of the text; FREE_ALL is all */
  int zdrop;        /* -1 for none */
  const char *mode; /* "" when none is named */
  bool distance_only;
} options_t;

#define FREE_ALL 0x7fffffff

typedef struct {
  char *pattern, *text;
  int pattern_length, text_length;
  void *prepared; /* what prepare returns */
  int score;
  char *cigar;
} pair_t;

/* A CIGAR's text as it grows, in SAM's sense: I consumes the pattern alone. */
typedef struct {
  char *at;
  size_t length, room;
  char op; /* the run under way */
  long run;
} text_t;

/* The driver's own part. */

/* Ends the program when the options cannot be met. */
static void check_options(const options_t *options);
/* Converts a pair, before any clock; NULL when there is nothing to convert. */
static void *prepare(const pair_t *pair);
static void *aligner_new(const options_t *options);
#ifdef BATCH_PAIRS
/* Aligns n pairs, up to BATCH_PAIRS where there are so many, and sets their scores.
 * Appends their alignments to cigars unless that is NULL. */
static void align_pairs(void *aligner, pair_t **pairs, long n, text_t *cigars);
#else
/* Returns the penalty or the similarity; appends the alignment to cigar unless that
 * is NULL. The library makes the alignment in any case, except for -d. */
static int align_pair(void *aligner, const pair_t *pair, text_t *cigar);
#endif

static void fail(const char *what) {
  fprintf(stderr, "driver: %s\n", what);
  exit(1);
}

#ifndef BATCH_PAIRS
#define BATCH_PAIRS 1
static void align_pairs(void *aligner, pair_t **pairs, long n, text_t *cigars) {
  for (long i = 0; i < n; i++) pairs[i]->score = align_pair(aligner, pairs[i], cigars ? &cigars[i] : NULL);
}
#endif

/* Ends the program unless alignments are global, of penalties, with one cost of gaps. */
__attribute__((unused)) static void check_plain(const options_t *options) {
  if (options->match || options->o2 || options->e2 || options->span != SPAN_GLOBAL) fail("global penalties alone");
}

static void text_flush(text_t *t) {
  if (t->run == 0) return;
  if (t->room - t->length < 32) {
    t->room = 2 * t->room + 64;
    t->at = (char *)realloc(t->at, t->room);
    if (t->at == NULL) fail("out of memory");
  }
  t->length += snprintf(t->at + t->length, 32, "%ld%c", t->run, t->op);
  t->run = 0;
}

/* Appends n columns of op. */
__attribute__((unused)) static void text_append(text_t *t, char op, long n) {
  if (t->op != op) text_flush(t);
  t->op = op;
  t->run += n;
}

/* Appends n columns of letter against letter, from v in the pattern and h in
 * the text on, for libraries that do not tell = from X. */
__attribute__((unused)) static void text_append_match(text_t *t, const pair_t *p, long v, long h, long n) {
  for (long i = 0; i < n; i++) text_append(t, p->pattern[v + i] == p->text[h + i] ? '=' : 'X', 1);
}

static char *copy_line(const char *line, ssize_t length, char mark, int *out_length) {
  while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
  if (length < 1 || line[0] != mark) fail("not a .seq file: want lines of > and < in turn");
  char *copy = strndup(line + 1, length - 1);
  if (copy == NULL) fail("out of memory");
  *out_length = (int)(length - 1);
  return copy;
}

typedef struct {
  pair_t *at;
  long count, bases;
} pairs_t;

static pairs_t read_pairs(FILE *in, long most) {
  pairs_t pairs = {NULL, 0, 0};
  long room = 0;
  char *line = NULL;
  size_t line_room = 0;
  ssize_t length;
  while ((most == 0 || pairs.count < most) && (length = getline(&line, &line_room, in)) > 0) {
    if (pairs.count == room) {
      room = room ? 2 * room : 1024;
      pairs.at = (pair_t *)realloc(pairs.at, room * sizeof(pair_t));
      if (pairs.at == NULL) fail("out of memory");
    }
    pair_t *p = &pairs.at[pairs.count++];
    memset(p, 0, sizeof(*p));
    p->pattern = copy_line(line, length, '>', &p->pattern_length);
    if ((length = getline(&line, &line_room, in)) <= 0) fail("the last pair has no text");
    p->text = copy_line(line, length, '<', &p->text_length);
    pairs.bases += p->text_length;
    p->prepared = prepare(p);
  }
  free(line);
  return pairs;
}

/* A few short neighbouring pairs at a time, and long ones alone, or batches of them. */
static long portion(pairs_t pairs, int threads) {
  long n = pairs.count / (8L * threads), few = 20000 * pairs.count / (pairs.bases + 1);
  if (few > 64) few = 64;
  if (n > few) n = few;
  return n < BATCH_PAIRS ? BATCH_PAIRS : n;
}

static clockid_t clock_used = CLOCK_MONOTONIC;

static double now(void) {
  struct timespec t;
  clock_gettime(clock_used, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/*
 * Aligns every pair once, or with round for so many seconds, or with limit
 * until then at most. Returns how many were aligned, and in seconds how long
 * that took.
 */
static long align_all(pairs_t pairs, void **aligners, int threads, double round, double limit, bool keep, double *seconds) {
  long size = portion(pairs, threads), next = 0;
  double until = round > 0 ? round : limit, start = now();
#pragma omp parallel num_threads(threads)
  {
    void *aligner = aligners[omp_get_thread_num()];
    while (until <= 0 || now() - start < until) {
      long first;
#pragma omp atomic capture
      {
        first = next;
        next += size;
      }
      if (round <= 0 && first >= pairs.count) break;
      long last = round > 0 || first + size < pairs.count ? first + size : pairs.count;
      while (first < last) {
        pair_t *batch[BATCH_PAIRS];
        text_t texts[BATCH_PAIRS];
        long n = 0;
        for (; n < BATCH_PAIRS && first < last; n++) batch[n] = &pairs.at[first++ % pairs.count];
        memset(texts, 0, sizeof(texts));
        align_pairs(aligner, batch, n, keep ? texts : NULL);
        for (long i = 0; keep && i < n; i++) {
          text_flush(&texts[i]);
          batch[i]->cigar = texts[i].at;
        }
      }
    }
  }
  *seconds = now() - start;
  return round <= 0 && next > pairs.count ? pairs.count : next;
}

static void write_results(const char *name, pairs_t pairs, long done, bool distance_only) {
  FILE *out = fopen(name, "w");
  if (out == NULL) fail("cannot write the results");
  for (long i = 0; i < done; i++) {
    const pair_t *p = &pairs.at[i];
    if (distance_only) {
      fprintf(out, "%d\n", p->score);
    } else {
      fprintf(out, "%d\t%s\n", p->score, p->cigar ? p->cigar : "*");
    }
  }
  if (fclose(out) != 0) fail("cannot write the results");
}

static span_t parse_span(const char *name) {
  if (!strcmp(name, "global")) return SPAN_GLOBAL;
  if (!strcmp(name, "ends-free")) return SPAN_ENDS_FREE;
  if (!strcmp(name, "extension")) return SPAN_EXTENSION;
  if (strcmp(name, "local")) fail("unknown span");
  return SPAN_LOCAL;
}

static void parse_free(const char *text, int *to) {
  if (sscanf(text, "%d,%d,%d,%d", &to[0], &to[1], &to[2], &to[3]) != 4) fail("-f wants QB,QE,TB,TE");
  for (int i = 0; i < 4; i++) {
    if (to[i] < 0) to[i] = FREE_ALL;
  }
}

int main(int argc, char **argv) {
  options_t options = {2, 3, 1, 0, 0, 0, SPAN_GLOBAL, {0, 0, 0, 0}, -1, "", false};
  int threads = 1, repetitions = 1;
  long most = 0;
  double round = 0, limit = 0, seconds;
  bool print_scores = false;
  const char *results = NULL;
  for (int c; (c = getopt(argc, argv, "p:A:S:f:z:m:dt:n:r:u:o:l:cs")) != -1;) {
    switch (c) {
      case 'p': {
        int given = sscanf(optarg, "%d,%d,%d,%d,%d", &options.x, &options.o, &options.e, &options.o2, &options.e2);
        if (given != 3 && given != 5) fail("-p wants X,O,E or X,O,E,O2,E2");
        break;
      }
      case 'A': options.match = atoi(optarg); break;
      case 'S': options.span = parse_span(optarg); break;
      case 'f': parse_free(optarg, options.free); break;
      case 'z': options.zdrop = atoi(optarg); break;
      case 'm': options.mode = optarg; break;
      case 'd': options.distance_only = true; break;
      case 't': threads = atoi(optarg); break;
      case 'n': most = atol(optarg); break;
      case 'r': repetitions = atoi(optarg); break;
      case 'u': round = atof(optarg); break;
      case 'o': results = optarg; break;
      case 'l': limit = atof(optarg); break;
      case 'c': clock_used = CLOCK_PROCESS_CPUTIME_ID; break;
      case 's': print_scores = true; break;
      default: return 2;
    }
  }
  if (optind + 1 != argc || threads < 1 || repetitions < 0) fail("usage: see the top of driver.h");
  check_options(&options);
  FILE *in = strcmp(argv[optind], "-") ? fopen(argv[optind], "r") : stdin;
  if (in == NULL) fail("cannot open the input");
  pairs_t pairs = read_pairs(in, most);
  if (pairs.count == 0) round = 0;

  void **aligners = (void **)malloc(threads * sizeof(*aligners));
  if (aligners == NULL) fail("out of memory");
  for (int t = 0; t < threads; t++) aligners[t] = aligner_new(&options);

  if (results != NULL) {
    long done = align_all(pairs, aligners, threads, 0, limit, !options.distance_only, &seconds);
    write_results(results, pairs, done, options.distance_only);
    if (repetitions == 0) return 0;
  } else if (round > 0) {
    align_all(pairs, aligners, threads, round / 10, 0, false, &seconds); /* for the allocations */
  }
  if (round > 0) {
    for (int r = 0; r < repetitions; r++) {
      long done = align_all(pairs, aligners, threads, round, 0, false, &seconds);
      printf("%ld\t%.6f\n", done, seconds);
    }
    return 0;
  }
  double *times = (double *)malloc(repetitions * sizeof(*times));
  if (times == NULL) fail("out of memory");
  for (int r = 0; r < repetitions; r++) align_all(pairs, aligners, threads, 0, 0, false, &times[r]);
  if (print_scores) {
    for (long i = 0; i < pairs.count; i++) printf("%d\n", pairs.at[i].score);
    return 0;
  }
  long sum = 0;
  for (long i = 0; i < pairs.count; i++) sum += pairs.at[i].score;
  printf("%ld\t%ld", pairs.count, sum);
  for (int r = 0; r < repetitions; r++) printf("\t%.6f", times[r]);
  printf("\n");
  return 0;
}
