/*
 * Aligns pairs with WFA2-lib: global or ends-free, gap-affine with one or two
 * pieces, exact; penalties 1,0,1 by its metric for edit distance, which is faster.
 * Modes (-m) are those of its memory: high (the default), med, low or ultralow
 * (BiWFA). Match scores are left to other libraries: with them its ends-free
 * alignments are not the best.
 */
/* First, for WFA2-lib's headers need types that they do not include. */
#include "driver.h"

#include "wavefront/wavefront_align.h"

static wavefront_memory_t memory_mode(const char *name) {
  if (!strcmp(name, "") || !strcmp(name, "high")) return wavefront_memory_high;
  if (!strcmp(name, "med")) return wavefront_memory_med;
  if (!strcmp(name, "low")) return wavefront_memory_low;
  if (!strcmp(name, "ultralow")) return wavefront_memory_ultralow;
  fail("unknown memory mode");
  return wavefront_memory_high;
}

static void check_options(const options_t *options) {
  memory_mode(options->mode);
  if (options->match != 0 || options->span == SPAN_EXTENSION || options->span == SPAN_LOCAL) fail("penalties, global or ends-free");
}

static void *prepare(const pair_t *pair) { return NULL; }

typedef struct {
  wavefront_aligner_t *aligner;
  const options_t *options;
} state_t;

static void *aligner_new(const options_t *options) {
  wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
  if (options->o2 || options->e2) {
    attributes.distance_metric = gap_affine_2p;
    attributes.affine2p_penalties.match = 0;
    attributes.affine2p_penalties.mismatch = options->x;
    attributes.affine2p_penalties.gap_opening1 = options->o;
    attributes.affine2p_penalties.gap_extension1 = options->e;
    attributes.affine2p_penalties.gap_opening2 = options->o2;
    attributes.affine2p_penalties.gap_extension2 = options->e2;
  } else if (options->x == 1 && options->o == 0 && options->e == 1 && options->span == SPAN_GLOBAL) {
    attributes.distance_metric = edit;
  } else {
    attributes.distance_metric = gap_affine;
    attributes.affine_penalties.match = 0;
    attributes.affine_penalties.mismatch = options->x;
    attributes.affine_penalties.gap_opening = options->o;
    attributes.affine_penalties.gap_extension = options->e;
  }
  attributes.alignment_form.span = options->span == SPAN_GLOBAL ? alignment_end2end : alignment_endsfree;
  attributes.alignment_scope = options->distance_only ? compute_score : compute_alignment;
  attributes.heuristic.strategy = wf_heuristic_none;
  attributes.memory_mode = memory_mode(options->mode);
  attributes.system.max_num_threads = 1;
  state_t *state = malloc(sizeof(*state));
  if (state == NULL) fail("out of memory");
  state->aligner = wavefront_aligner_new(&attributes);
  state->options = options;
  return state;
}

static int at_most(int n, int most) { return n < most ? n : most; }

static int align_pair(void *state, const pair_t *p, text_t *text) {
  wavefront_aligner_t *aligner = ((state_t *)state)->aligner;
  const options_t *options = ((state_t *)state)->options;
  if (options->span == SPAN_ENDS_FREE) {
    const int *free = options->free;
    wavefront_aligner_set_alignment_free_ends(aligner, at_most(free[0], p->pattern_length), at_most(free[1], p->pattern_length),
                                              at_most(free[2], p->text_length), at_most(free[3], p->text_length));
  }
  wavefront_align(aligner, p->pattern, p->pattern_length, p->text, p->text_length);
  const cigar_t *cigar = aligner->cigar;
  if (text != NULL) {
    for (int i = cigar->begin_offset; i < cigar->end_offset; i++) {
      char op = cigar->operations[i];
      /* I and D are the other way round there. */
      text_append(text, op == 'M' ? '=' : op == 'I' ? 'D' : op == 'D' ? 'I' : op, 1);
    }
  }
  return abs(cigar->score); /* a negative penalty, or a distance */
}
