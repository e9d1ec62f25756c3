/*
 * Aligns pairs with parasail: global, gap-affine. Modes (-m) are its ways to
 * vectorise: scan (the default), striped and diag. Eight-bit cells are tried
 * first and wider ones when they overflow, as its authors recommend. Letters
 * other than A, C, G, T and N count as parasail's wildcard, a mismatch.
 */
#include <parasail.h>

#include "driver.h"

typedef parasail_result_t *(*function_t)(const char *, int, const char *, int, int, int, const parasail_matrix_t *);

typedef struct {
  function_t align;
  int open, extend;
  parasail_matrix_t *matrix;
} aligner_t;

static function_t find(const options_t *options) {
  bool trace = !options->distance_only;
  const char *mode = options->mode;
  if (!strcmp(mode, "") || !strcmp(mode, "scan")) return trace ? parasail_nw_trace_scan_sat : parasail_nw_scan_sat;
  if (!strcmp(mode, "striped")) return trace ? parasail_nw_trace_striped_sat : parasail_nw_striped_sat;
  if (!strcmp(mode, "diag")) return trace ? parasail_nw_trace_diag_sat : parasail_nw_diag_sat;
  fail("unknown mode");
  return NULL;
}

static void check_options(const options_t *options) { find(options); }

static void *prepare(const pair_t *pair) { return NULL; }

static void *aligner_new(const options_t *options) {
  aligner_t *a = (aligner_t *)malloc(sizeof(*a));
  if (a == NULL) fail("out of memory");
  a->align = find(options);
  a->open = options->o + options->e; /* the first letter of a gap */
  a->extend = options->e;
  a->matrix = parasail_matrix_create("ACGTN", 0, -options->x);
  return a;
}

static int align_pair(void *state, const pair_t *p, text_t *text) {
  const aligner_t *a = (const aligner_t *)state;
  parasail_result_t *r =
      a->align(p->pattern, p->pattern_length, p->text, p->text_length, a->open, a->extend, a->matrix);
  if (r == NULL) fail("parasail failed");
  if (!(r->flag & PARASAIL_FLAG_TRACE)) { /* -d */
    int score = -r->score;
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
  int score = -r->score;
  parasail_cigar_free(cigar);
  parasail_result_free(r);
  return score;
}
