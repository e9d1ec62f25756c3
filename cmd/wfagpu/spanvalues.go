package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wfagpu/align"
)

// spanNames are the words of --span.
var spanNames = []string{align.Global: "global", align.EndsFree: "ends-free", align.Extension: "extension", align.Local: "local"}

// parseSpan reads --span.
func parseSpan(s string) (align.Span, error) {
	i := slices.Index(spanNames, s)
	if i < 0 {
		return 0, fmt.Errorf("want %s or %s", strings.Join(spanNames[:3], ", "), spanNames[3])
	}
	return align.Span(i), nil
}

// readInTarget is what --span ends-free is without --free: the whole query anywhere in the
// target.
var readInTarget = align.Free{TextBegin: align.FreeAll, TextEnd: align.FreeAll}

// parseFree reads --free: four numbers, each or all.
func parseFree(s string) (free align.Free, err error) {
	fields := strings.Split(s, ",")
	if len(fields) != 4 {
		return free, fmt.Errorf("want four numbers Qb,Qe,Tb,Te (begin and end of the query and of the target), each a number or all")
	}
	for i, to := range []*int{&free.PatternBegin, &free.PatternEnd, &free.TextBegin, &free.TextEnd} {
		if fields[i] == "all" {
			*to = align.FreeAll
			continue
		}
		n, err := strconv.Atoi(fields[i])
		if err != nil || n < 0 || n > align.FreeAll {
			return free, fmt.Errorf("%q is neither all nor a whole number from 0 to %d", fields[i], align.FreeAll)
		}
		*to = n
	}
	return free, nil
}

// freeText is what parseFree reads.
func freeText(f align.Free) string {
	var text []string
	for _, n := range []int{f.PatternBegin, f.PatternEnd, f.TextBegin, f.TextEnd} {
		if n == align.FreeAll {
			text = append(text, "all")
		} else {
			text = append(text, strconv.Itoa(n))
		}
	}
	return strings.Join(text, ",")
}

// parseMatch reads --match.
func parseMatch(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > align.MaxPenalty {
		return 0, fmt.Errorf("want a whole number from 0 to %d", align.MaxPenalty)
	}
	return n, nil
}

// parseZDrop reads --zdrop; none is 0.
func parseZDrop(s string) (int, error) {
	if s == "none" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > align.FreeAll {
		return 0, fmt.Errorf("want none or a whole number from 1 to %d", align.FreeAll)
	}
	return n, nil
}
