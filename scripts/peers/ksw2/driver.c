/*
 * Aligns pairs with ksw2 as minimap2's library has it: ksw_extz2_sse, or
 * ksw_extd2_sse for gaps with two costs; global, or extension with a drop-off or
 * without; no band. Letters other than A, C, G, T and N count
 * as N, and N matches N.
 */
#include "driver.h"

#define HAVE_KALLOC
#include <ksw2.h>

typedef struct {
  uint8_t *pattern, *text;
} codes_t;

typedef struct {
  void *memory;
  int8_t scores[25];
  int8_t open, extend, open2, extend2;
  int flags, zdrop, match;
  bool extension;
  ksw_extz_t result;
} aligner_t;

static void check_options(const options_t *options) {
  if (options->mode[0] != '\0') fail("there are no modes");
  /* Eight-bit differences: ksw2 gives up in silence beyond these. */
  int most = options->o + options->e;
  if (most < options->o2 + options->e2) most = options->o2 + options->e2;
  if (most + options->match > 60 || options->x > 2 * (options->o + options->e)) fail("penalties ksw2 has no room for");
  if (options->span == SPAN_ENDS_FREE || options->span == SPAN_LOCAL) fail("global or extension");
}

static uint8_t *encode(const char *letters, int length) {
  uint8_t *codes = (uint8_t *)malloc(length + 1);
  if (codes == NULL) fail("out of memory");
  for (int i = 0; i < length; i++) {
    switch (letters[i]) {
      case 'A': case 'a': codes[i] = 0; break;
      case 'C': case 'c': codes[i] = 1; break;
      case 'G': case 'g': codes[i] = 2; break;
      case 'T': case 't': codes[i] = 3; break;
      default: codes[i] = 4;
    }
  }
  return codes;
}

static void *prepare(const pair_t *p) {
  codes_t *codes = (codes_t *)malloc(sizeof(*codes));
  if (codes == NULL) fail("out of memory");
  codes->pattern = encode(p->pattern, p->pattern_length);
  codes->text = encode(p->text, p->text_length);
  return codes;
}

static void *aligner_new(const options_t *options) {
  aligner_t *a = (aligner_t *)calloc(1, sizeof(*a));
  if (a == NULL) fail("out of memory");
  a->memory = km_init();
  for (int i = 0; i < 25; i++) a->scores[i] = i % 6 == 0 ? options->match : -options->x;
  a->open = options->o;
  a->extend = options->e;
  /* The "approximate maximum" is where an extension would end best; the score
   * at both ends, which is all that is asked for here, is exact. */
  a->extension = options->span == SPAN_EXTENSION;
  a->match = options->match;
  a->open2 = options->o2;
  a->extend2 = options->e2;
  a->zdrop = options->zdrop;
  a->flags = (a->extension ? KSW_EZ_EXTZ_ONLY : KSW_EZ_APPROX_MAX) | KSW_EZ_GENERIC_SC | (options->distance_only ? KSW_EZ_SCORE_ONLY : 0);
  return a;
}

static int align_pair(void *state, const pair_t *p, text_t *text) {
  aligner_t *a = (aligner_t *)state;
  const codes_t *codes = (const codes_t *)p->prepared;
  if (p->pattern_length == 0 || p->text_length == 0) { /* outside ksw2's domain */
    int n = p->pattern_length + p->text_length;
    if (a->extension) return 0;
    if (text != NULL && n > 0) text_append(text, p->pattern_length > 0 ? 'I' : 'D', n);
    int cost = a->open + n * a->extend;
    if (a->extend2 && a->open2 + n * a->extend2 < cost) cost = a->open2 + n * a->extend2;
    return n == 0 ? 0 : a->match ? -cost : cost;
  }
  ksw_extz_t *r = &a->result;
  if (a->extend2) {
    ksw_extd2_sse(a->memory, p->pattern_length, codes->pattern, p->text_length, codes->text, 5, a->scores, a->open,
                  a->extend, a->open2, a->extend2, -1, a->zdrop, 0, a->flags, r);
  } else {
    ksw_extz2_sse(a->memory, p->pattern_length, codes->pattern, p->text_length, codes->text, 5, a->scores, a->open,
                  a->extend, -1, a->zdrop, 0, a->flags, r);
  }
  if (text != NULL) {
    long v = 0, h = 0;
    for (int i = 0; i < r->n_cigar; i++) {
      long n = r->cigar[i] >> 4;
      switch (r->cigar[i] & 0xf) {
        case KSW_CIGAR_MATCH:
          text_append_match(text, p, v, h, n);
          v += n;
          h += n;
          break;
        case KSW_CIGAR_INS:
          text_append(text, 'I', n);
          v += n;
          break;
        case KSW_CIGAR_DEL:
          text_append(text, 'D', n);
          h += n;
          break;
      }
    }
  }
  if (a->extension) return r->max;
  return a->match ? r->score : -r->score;
}
