/*
 * Aligns pairs with parasail: global (nw), ends-free where each end is free or not
 * (sg), or local (sw), gap-affine with one cost of gaps. Modes (-m) are its ways to
 * vectorise: scan (the default), striped and diag. Eight-bit cells are tried
 * first and wider ones when they overflow, as its authors recommend. Letters
 * other than A, C, G, T and N count as parasail's wildcard, a mismatch.
 */
#include <parasail.h>

#include "driver.h"

typedef parasail_result_t *(*function_t)(const char *, int, const char *, int, int, int, const parasail_matrix_t *);

typedef struct {
  function_t align;
  int similarity; /* or -1 for penalties */
  int open, extend;
  parasail_matrix_t *matrix;
} aligner_t;

/* The function of the mode and the span: parasail's names tell which ends are free. */
static function_t find(const options_t *options) {
  const char *mode = options->mode[0] != '\0' ? options->mode : "scan";
  const char *span = "nw";
  if (strcmp(mode, "scan") && strcmp(mode, "striped") && strcmp(mode, "diag")) fail("unknown mode");
  if (options->span == SPAN_EXTENSION || options->o2 || options->e2) fail("no extension, no second cost of gaps");
  if (options->span == SPAN_LOCAL) span = "sw";
  if (options->span == SPAN_ENDS_FREE) {
    static const char *const names[16] = {"nw",    "sg_qb",    "sg_qe",    "sg_qx", "sg_db", "sg_qb_db", "sg_qe_db", NULL,
                                          "sg_de", "sg_qb_de", "sg_qe_de", NULL,    "sg_dx", NULL,       NULL,       "sg"};
    int ends = 0;
    for (int i = 0; i < 4; i++) {
      if (options->free[i] != 0 && options->free[i] != FREE_ALL) fail("an end is free or not");
      if (options->free[i] != 0) ends |= 1 << i;
    }
    span = names[ends];
    if (span == NULL) fail("no function for these free ends");
  }
  char name[64];
  snprintf(name, sizeof(name), "%s_%s%s_sat", span, options->distance_only ? "" : "trace_", mode);
  function_t function = (function_t)parasail_lookup_function(name);
  if (function == NULL) fail("parasail lacks the function");
  return function;
}

static void check_options(const options_t *options) { find(options); }

static void *prepare(const pair_t *pair) { return NULL; }

static void *aligner_new(const options_t *options) {
  aligner_t *a = (aligner_t *)malloc(sizeof(*a));
  if (a == NULL) fail("out of memory");
  a->align = find(options);
  a->similarity = options->match > 0 ? 1 : -1;
  a->open = options->o + options->e; /* the first letter of a gap */
  a->extend = options->e;
  a->matrix = parasail_matrix_create("ACGTN", options->match, -options->x);
  return a;
}

static int align_pair(void *state, const pair_t *p, text_t *text) {
  const aligner_t *a = (const aligner_t *)state;
  parasail_result_t *r =
      a->align(p->pattern, p->pattern_length, p->text, p->text_length, a->open, a->extend, a->matrix);
  if (r == NULL) fail("parasail failed");
  if (!(r->flag & PARASAIL_FLAG_TRACE)) { /* -d */
    int score = a->similarity * r->score;
    parasail_result_free(r);
    return score;
  }
  /* The alignment is made here: before, there is only the table to trace. */
  parasail_cigar_t *cigar =
      parasail_result_get_cigar(r, p->pattern, p->pattern_length, p->text, p->text_length, a->matrix);
  if (text != NULL) {
    for (int i = 0; i < cigar->len; i++) {
      text_append(text, parasail_cigar_decode_op(cigar->seq[i]), parasail_cigar_decode_len(cigar->seq[i]));
    }
  }
  int score = a->similarity * r->score;
  parasail_cigar_free(cigar);
  parasail_result_free(r);
  return score;
}
