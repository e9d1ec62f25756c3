/*
 * Aligns pairs with SeqAn 2 by its vectorised interface: a batch of pairs at a
 * time, one to a lane, affine gaps, no band; global, or scores alone of the whole
 * pattern within the text, or local ones. Lanes have 16 bits where the scores of a batch fit them,
 * else 32. Where the table of a batch to trace would take more than table_bytes,
 * alignments are made one at a time, without vectors. Letters other than A, C, G
 * and T count as N, and N matches N.
 */
#include <seqan/align.h>
#include <seqan/align_parallel.h>
#include <seqan/sequence.h>

#define BATCH_PAIRS 64
#include "driver.h"

typedef seqan::Dna5String letters_t;
typedef seqan::Gaps<letters_t, seqan::ArrayGaps> gaps_t;

static const double table_bytes = 1e9;

struct converted_t {
  letters_t pattern, text;
};

struct aligner_t {
  const options_t *options;
};

static void check_options(const options_t *options) {
  if (options->mode[0] != '\0') fail("there are no modes");
  if (options->span == SPAN_EXTENSION || options->o2 || options->e2) fail("no extension, no second cost of gaps");
  const int *free = options->free;
  if (options->span == SPAN_ENDS_FREE && (free[0] || free[1] || free[2] != FREE_ALL || free[3] != FREE_ALL)) {
    fail("of free ends, those of the text alone");
  }
  if (options->span != SPAN_GLOBAL && !options->distance_only) fail("global alignments, or scores alone");
}

static void *prepare(const pair_t *p) {
  converted_t *c = new converted_t;
  c->pattern = p->pattern;
  c->text = p->text;
  return c;
}

static void *aligner_new(const options_t *options) { return new aligner_t{options}; }

static void append_rows(text_t *text, const pair_t *p, gaps_t &across, gaps_t &down) {
  long v = 0, h = 0;
  auto pattern = begin(down), row = begin(across);
  long columns = length(across) > length(down) ? length(across) : length(down);
  for (long i = 0; i < columns; i++, ++pattern, ++row) {
    if (isGap(pattern)) {
      text_append(text, 'D', 1);
      h++;
    } else if (isGap(row)) {
      text_append(text, 'I', 1);
      v++;
    } else {
      text_append_match(text, p, v++, h++, 1);
    }
  }
}

typedef seqan::ExecutionPolicy<seqan::Serial, seqan::Vectorial> policy_t;
typedef seqan::StringSet<letters_t, seqan::Dependent<>> letters_set_t;

/* Scores of other spans, in 32 bits alone: each instance takes long to compile. */
template <typename scoring_t>
static seqan::String<int32_t> scores_of(const options_t *o, letters_set_t &across, letters_set_t &down, const scoring_t &scoring) {
  if (o->span == SPAN_LOCAL) return seqan::localAlignmentScore(policy_t(), across, down, scoring);
  seqan::AlignConfig<true, false, false, true> text_free;
  return seqan::globalAlignmentScore(policy_t(), across, down, scoring, text_free, seqan::AffineGaps());
}

/* Aligns with lanes of score_t. */
template <typename score_t>
static void align_as(const options_t *o, pair_t **pairs, long n, text_t *texts, bool vectors) {
  /* SeqAn's gap opening includes the first letter of the gap. */
  seqan::Score<score_t, seqan::Simple> scoring(o->match, -o->x, -o->e, -(o->o + o->e));
  seqan::AlignConfig<> global;
  seqan::String<score_t> scores;
  if (o->distance_only) {
    letters_set_t across, down;
    for (long i = 0; i < n; i++) {
      converted_t *c = (converted_t *)pairs[i]->prepared;
      appendValue(across, c->text);
      appendValue(down, c->pattern);
    }
    if (o->span == SPAN_GLOBAL) {
      scores = seqan::globalAlignmentScore(policy_t(), across, down, scoring, global, seqan::AffineGaps());
    } else if constexpr (sizeof(score_t) == 4) {
      scores = scores_of(o, across, down, scoring);
    }
  } else {
    seqan::StringSet<gaps_t> across, down;
    for (long i = 0; i < n; i++) {
      converted_t *c = (converted_t *)pairs[i]->prepared;
      appendValue(across, gaps_t(c->text));
      appendValue(down, gaps_t(c->pattern));
    }
    if (vectors) {
      scores = seqan::globalAlignment(across, down, scoring, global, seqan::AffineGaps());
    } else {
      resize(scores, n);
      for (long i = 0; i < n; i++) scores[i] = seqan::globalAlignment(across[i], down[i], scoring, global, seqan::AffineGaps());
    }
    for (long i = 0; texts != NULL && i < n; i++) append_rows(&texts[i], pairs[i], across[i], down[i]);
  }
  for (long i = 0; i < n; i++) pairs[i]->score = o->match > 0 ? scores[i] : -scores[i];
}

static void align_pairs(void *state, pair_t **pairs, long n, text_t *texts) {
  const options_t *o = ((aligner_t *)state)->options;
  long longest = 0;
  for (long i = 0; i < n; i++) {
    longest = std::max({longest, (long)pairs[i]->pattern_length, (long)pairs[i]->text_length});
  }
  int worst = std::max({o->x, o->match, o->e});
  bool narrow = o->span == SPAN_GLOBAL && (2 * longest + 2) * worst + 4 * (o->o + o->e) < 16000;
  bool vectors = o->distance_only || 64.0 * longest * longest < table_bytes;
  if (vectors && narrow) {
    align_as<int16_t>(o, pairs, n, texts, true);
  } else {
    align_as<int32_t>(o, pairs, n, texts, vectors);
  }
}
