package page

import (
	"fmt"
	"strings"
)

// document is what the template prints.
type document struct {
	*Run
	Title    string
	Date     string
	Alerts   []string
	Figures  []figure
	Sections []*section
}

// figure is a number of the head of the page.
type figure struct {
	Name, Value, More string
	Words             bool // the value is no number
}

// section has texts, then charts side by side, then bars of shares, then tables.
type section struct {
	ID, Title string
	Texts     []string
	Charts    []*chart
	Shares    *shares
	Tables    []*table
	Command   string
}

func newDocument(r *Run) *document {
	d := &document{Run: r, Title: r.Input, Date: r.Finished.Format("2 January 2006, 15:04:05 MST"), Alerts: alerts(r), Figures: figures(r)}
	d.Sections = []*section{pairs(r), identities(r), scores(r), lengths(r), gaps(r)}
	if r.Recall != nil {
		d.Sections = append(d.Sections, recall(r.Recall))
	}
	d.Sections = append(d.Sections, whereTimeWent(r), devices(r), command(r))
	return d
}

// alerts say what is not as it should be.
func alerts(r *Run) []string {
	var list []string
	if r.Error != "" {
		list = append(list, fmt.Sprintf("The run ended with exit code %d: %s. The figures below count the %s that had been written.",
			r.ExitCode, strings.TrimSuffix(r.Error, "."), noun(r.Tally.Count(), "pair")))
	}
	return list
}

// figures are those of the head.
func figures(r *Run) []figure {
	t := r.Tally
	list := []figure{{"Pairs", integer(t.Count()), integer(r.Bases) + " bases", false}}
	if t.Difference.Count() > 0 {
		list = append(list, figure{"Identity", identity(t.Difference.Quantile(0.5)), "median", false})
	}
	if t.Scored() > 0 {
		list = append(list, figure{"Score", integer(t.MedianScore()), "median", false})
	}
	if r.Recall != nil && r.Recall.Pairs > 0 {
		list = append(list, figure{"Recall", share(r.Recall.Optimal, r.Recall.Pairs), "optimal scores", false})
	}
	return append(list,
		figure{"Time", seconds(r.Seconds), rate(float64(t.Count())/max(r.Seconds, 1e-9)) + " pairs/s", false},
		figure{"Limited by", r.Time.Limit, "", true})
}

// rate is a number of pairs in a second.
func rate(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.2f\u00a0M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.1f\u00a0k", v/1e3)
	}
	return decimal(v)
}
