/*
 * Aligns pairs with edlib: global, by edit distance. The penalties (-p) do not
 * concern it; the distance it reports is the number of edits.
 */
#include <edlib.h>

#include "driver.h"

static EdlibAlignConfig config;

static void check_options(const options_t *options) {
  check_plain(options);
  if (options->mode[0] != '\0') fail("there are no modes");
  config = edlibNewAlignConfig(-1, EDLIB_MODE_NW, options->distance_only ? EDLIB_TASK_DISTANCE : EDLIB_TASK_PATH, NULL, 0);
}

static void *prepare(const pair_t *pair) { return NULL; }

static void *aligner_new(const options_t *options) { return NULL; }

static int align_pair(void *state, const pair_t *p, text_t *text) {
  EdlibAlignResult r = edlibAlign(p->pattern, p->pattern_length, p->text, p->text_length, config);
  if (r.status != EDLIB_STATUS_OK) fail("edlibAlign failed");
  if (text != NULL) {
    for (int i = 0; i < r.alignmentLength; i++) {
      switch (r.alignment[i]) {
        case EDLIB_EDOP_MATCH: text_append(text, '=', 1); break;
        case EDLIB_EDOP_MISMATCH: text_append(text, 'X', 1); break;
        case EDLIB_EDOP_INSERT: text_append(text, 'I', 1); break;
        case EDLIB_EDOP_DELETE: text_append(text, 'D', 1); break;
      }
    }
  }
  int distance = r.editDistance;
  edlibFreeAlignResult(r);
  return distance;
}
