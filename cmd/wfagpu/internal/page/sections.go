package page

import (
	"fmt"

	"wfagpu/cmd/wfagpu/internal/tally"
)

// The share of values at either end that a linear axis need not have, and the ratios
// of values from which an axis is logarithmic.
const (
	tail       = 0.005
	wideRatio  = 100
	wideGaps   = 30
	rareCounts = 300 // of a bar to another, from which counts are on a logarithmic axis
)

func number(v int) string { return integer(v) }

// pairs says what became of the pairs.
func pairs(r *Run) *section {
	t := r.Tally
	s := &section{ID: "pairs", Title: "Pairs"}
	if t.Count() == 0 {
		s.Texts = []string{"No pair was written."}
		return s
	}
	outcome := &table{Title: "What became of the pairs", Head: []string{"outcome", "pairs", "share"}}
	add := func(name string, n int64) {
		outcome.Rows = append(outcome.Rows, []string{name, integer(n), share(n, t.Count())})
	}
	add("with a score", t.Scored())
	if t.Difference.Count() > 0 {
		add("of these, without a difference", t.Difference.Between(0, 1))
	}
	if r.MaxDistance != nil {
		add(fmt.Sprintf("score above %s (--max-distance)", integer(*r.MaxDistance)), t.Beyond)
	}
	if t.Failed > 0 {
		add("not aligned, because of an error", t.Failed)
	}
	if r.Checked {
		add("found wrong by --check", r.Mismatched)
	}
	s.Tables = []*table{outcome}
	return s
}

// unknown says why there is no alignment to look at, "" if there are some.
func unknown(r *Run, what string) string {
	t := r.Tally
	switch {
	case t.Count() == 0:
		return "No pair was written."
	case r.ScoreOnly:
		return what + " are not known: with --score-only there are scores and no alignments."
	case t.Scored() == 0:
		return what + " are not known: no pair has an alignment."
	case t.Difference.Count() == 0:
		return what + " are not known: all alignments are empty."
	}
	return ""
}

func identities(r *Run) *section {
	s := &section{ID: "identity", Title: "Identity"}
	if text := unknown(r, "Identities"); text != "" {
		s.Texts = []string{text}
		return s
	}
	t := r.Tally
	d := distribution{
		id: "identities", title: "Identity of pairs", hist: &t.Difference, xLabel: "identity in percent", item: "pair",
		axis: identityAxis(t), text: identity, mean: percent(identityNumber(t.Difference.Mean())),
	}
	s.Charts = []*chart{d.draw()}
	c := &t.Columns
	all := c.All()
	columns := &table{Title: "Columns of all alignments", Head: []string{"operation", "columns", "share"}}
	for _, row := range []struct {
		name string
		n    int64
	}{
		{"match (=)", c.Match}, {"mismatch (X)", c.Mismatch}, {"insertion (I), in the query alone", c.Insertion},
		{"deletion (D), in the target alone", c.Deletion}, {"all", all},
	} {
		columns.Rows = append(columns.Rows, []string{row.name, integer(row.n), share(row.n, all)})
	}
	s.Tables = []*table{columns}
	gaps := t.Insertions.Count() + t.Deletions.Count()
	s.Texts = []string{fmt.Sprintf("The identity of a pair is the share of the columns of its alignment that are matches. That of all columns together is %s; with every gap as one column it is %s.",
		share(c.Match, all), share(c.Match, c.Match+c.Mismatch+gaps))}
	return s
}

func scores(r *Run) *section {
	s := &section{ID: "scores", Title: "Scores"}
	h := &r.Tally.Score
	switch {
	case r.Tally.Count() == 0:
		s.Texts = []string{"No pair was written."}
	case r.Tally.Scored() == 0:
		s.Texts = []string{"No pair has a score."}
	case r.Approx && r.Similar:
		s.Texts = []string{"Scores of the approximate mode are lower bounds on the greatest similarity."}
	case r.Approx:
		s.Texts = []string{"Scores of the approximate mode are upper bounds on the least penalty."}
	}
	if below := &r.Tally.Below; below.Count() > 0 {
		s.Texts = append(s.Texts, fmt.Sprintf("%s below 0, the lowest is %s; the chart leaves them out.",
			scoresText(below.Count()), integer(-below.Max())))
	}
	if r.Tally.Beyond > 0 {
		s.Texts = append(s.Texts, fmt.Sprintf("%s above --max-distance cost more than %s; their scores are not known.",
			noun(r.Tally.Beyond, "pair"), integer(*r.MaxDistance)))
	}
	if h.Count() > 0 {
		d := plain("score", "Scores of pairs", h, "score", "pair")
		d.axis = newAxis(valueBins(h), false, number)
		s.Charts = []*chart{d.draw()}
	}
	return s
}

// scoresText says how many scores there are, as the subject of a sentence.
func scoresText(n int64) string {
	if n == 1 {
		return "1 score is"
	}
	return integer(n) + " scores are"
}

// plain is a distribution of whole numbers.
func plain(id, title string, h *tally.Hist, xLabel, item string) *distribution {
	return &distribution{id: id, title: title, hist: h, xLabel: xLabel, item: item, text: number, mean: decimal(h.Mean())}
}

// valueBins are the bins of scores and lengths.
func valueBins(h *tally.Hist) bins {
	if scattered(h, tail, wideRatio) {
		return logarithmic(h)
	}
	return linear(h, tail, 0)
}

func lengths(r *Run) *section {
	s := &section{ID: "lengths", Title: "Lengths"}
	if r.Tally.Count() == 0 {
		s.Texts = []string{"No pair was written."}
		return s
	}
	s.Charts = beside(valueBins, false,
		plain("query", "Lengths of queries", &r.Tally.Query, "bases", "query"),
		plain("target", "Lengths of targets", &r.Tally.Target, "bases", "target"))
	return s
}

// beside draws charts with the same axes. There is a value in one of them at least.
// rare says that rare values matter: they can be seen on a logarithmic axis of counts.
func beside(choose func(*tally.Hist) bins, rare bool, list ...*distribution) []*chart {
	var all tally.Hist
	for _, d := range list {
		all.Join(d.hist)
	}
	b := choose(&all)
	var most, least int64
	for _, d := range list {
		d.axis = newAxis(b, false, number)
		for _, n := range d.counts() {
			most = max(most, n)
			if n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
	}
	var charts []*chart
	for _, d := range list {
		d.most, d.logCounts = most, rare && most >= rareCounts*least
		if d.hist.Count() > 0 {
			charts = append(charts, d.draw())
		}
	}
	for _, c := range charts {
		c.Heading = true
	}
	return charts
}

func gaps(r *Run) *section {
	s := &section{ID: "gaps", Title: "Gap lengths"}
	t := r.Tally
	text := unknown(r, "Gaps")
	if text == "" && t.Insertions.Count()+t.Deletions.Count() == 0 {
		text = "No alignment has a gap."
	}
	if text != "" {
		s.Texts = []string{text}
		return s
	}
	insertions := plain("insertion", "Insertions: bases of the query alone", &t.Insertions, "length of the gap", "gap")
	deletions := plain("deletion", "Deletions: bases of the target alone", &t.Deletions, "length of the gap", "gap")
	for _, d := range []*distribution{insertions, deletions} {
		if d.hist.Count() == 0 {
			s.Texts = append(s.Texts, "There is none of: "+d.title+".")
		}
	}
	s.Charts = beside(func(h *tally.Hist) bins {
		if scattered(h, 0, wideGaps) {
			return logarithmic(h)
		}
		return linear(h, 0, 0)
	}, true, insertions, deletions)
	return s
}

func recall(r *Recall) *section {
	s := &section{ID: "recall", Title: "Recall"}
	if r.Pairs == 0 {
		s.Texts = []string{"There is no pair whose score could be compared."}
		return s
	}
	s.Texts = []string{fmt.Sprintf("%s of %s have the optimal score, %s. The sum of all scores exceeds that of the optima by %.4f\u00a0%%.",
		integer(r.Optimal), noun(r.Pairs, "pair"), share(r.Optimal, r.Pairs), r.ExcessPercent)}
	if r.Excess.Count() > 0 {
		d := plain("excess", "Excess of the scores that are not optimal", r.Excess, "score minus optimum", "pair")
		d.axis = newAxis(valueBins(r.Excess), false, number)
		s.Charts = []*chart{d.draw()}
	}
	return s
}
