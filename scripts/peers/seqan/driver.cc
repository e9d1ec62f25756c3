/*
 * Aligns pairs with SeqAn 2: globalAlignment and globalAlignmentScore, affine
 * gaps, no band, one pair at a time. Letters other than A, C, G and T count as
 * N, and N matches N.
 */
#include <seqan/align.h>
#include <seqan/sequence.h>

#include "driver.h"

typedef seqan::Dna5String letters_t;
typedef seqan::Score<int, seqan::Simple> scoring_t;

struct converted_t {
  letters_t pattern, text;
};

struct aligner_t {
  scoring_t scoring;
  bool distance_only;
};

static void check_options(const options_t *options) {
  if (options->mode[0] != '\0') fail("there are no modes");
}

static void *prepare(const pair_t *p) {
  converted_t *c = new converted_t;
  c->pattern = p->pattern;
  c->text = p->text;
  return c;
}

static void *aligner_new(const options_t *options) {
  aligner_t *a = new aligner_t;
  /* SeqAn's gap opening includes the first letter of the gap. */
  a->scoring = scoring_t(0, -options->x, -options->e, -(options->o + options->e));
  a->distance_only = options->distance_only;
  return a;
}

static int align_pair(void *state, const pair_t *p, text_t *text) {
  aligner_t *a = (aligner_t *)state;
  converted_t *c = (converted_t *)p->prepared;
  if (a->distance_only) {
    return -seqan::globalAlignmentScore(c->pattern, c->text, a->scoring, seqan::AffineGaps());
  }
  typedef seqan::Gaps<letters_t, seqan::ArrayGaps> gaps_t;
  gaps_t rows[2] = {gaps_t(c->pattern), gaps_t(c->text)};
  int score = -seqan::globalAlignment(rows[0], rows[1], a->scoring, seqan::AffineGaps());
  if (text != NULL) {
    long v = 0, h = 0;
    auto pattern = begin(rows[0]), text_row = begin(rows[1]);
    long columns = length(rows[0]) > length(rows[1]) ? length(rows[0]) : length(rows[1]);
    for (long i = 0; i < columns; i++, ++pattern, ++text_row) {
      if (isGap(pattern)) {
        text_append(text, 'D', 1);
        h++;
      } else if (isGap(text_row)) {
        text_append(text, 'I', 1);
        v++;
      } else {
        text_append_match(text, p, v++, h++, 1);
      }
    }
  }
  return score;
}
