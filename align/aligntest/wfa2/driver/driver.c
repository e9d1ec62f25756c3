/*
 * Aligns pairs with WFA2-lib: global, gap-affine, exact; penalties 1,0,1 by its
 * metric for edit distance, which is faster. Modes (-m) are those of
 * its memory: high (the default), med, low or ultralow (BiWFA).
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

static void check_options(const options_t *options) { memory_mode(options->mode); }

static void *prepare(const pair_t *pair) { return NULL; }

static void *aligner_new(const options_t *options) {
  wavefront_aligner_attr_t attributes = wavefront_aligner_attr_default;
  if (options->x == 1 && options->o == 0 && options->e == 1) {
    attributes.distance_metric = edit;
  } else {
    attributes.distance_metric = gap_affine;
    attributes.affine_penalties.match = 0;
    attributes.affine_penalties.mismatch = options->x;
    attributes.affine_penalties.gap_opening = options->o;
    attributes.affine_penalties.gap_extension = options->e;
  }
  attributes.alignment_form.span = alignment_end2end;
  attributes.alignment_scope = options->distance_only ? compute_score : compute_alignment;
  attributes.heuristic.strategy = wf_heuristic_none;
  attributes.memory_mode = memory_mode(options->mode);
  attributes.system.max_num_threads = 1;
  return wavefront_aligner_new(&attributes);
}

static int align_pair(void *state, const pair_t *p, text_t *text) {
  wavefront_aligner_t *aligner = state;
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
