package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"wfagpu/cigar"
	seqio "wfagpu/io"
)

// formatOptions say what is written of each result.
type formatOptions struct {
	format     string
	cigarStyle cigar.Style

	// Of TSV.
	header      bool
	columns     []seqio.Column // empty for the usual ones
	coordinates bool

	cs         bool   // of PAF
	md         bool   // of SAM
	samTargets string // a file that lists the targets of SAM

	filter resultFilter
}

func (o *formatOptions) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.format, "format", "O", "tsv", "output format: tsv, paf or sam")
	f.Var(newValue(&o.cigarStyle, "style", "extended", parseStyle), "cigar-style", "extended (= and X) or classic (M)")
	f.BoolVar(&o.header, "header", false, "with --format tsv: start with a line of column names; with --shard, only part 1 has it")
	f.Var(newValue(&o.columns, "names", "query_name,target_name,score,cigar", seqio.ParseColumns), "columns",
		"with --format tsv: the columns, names with commas between them: "+columnNames())
	f.BoolVar(&o.coordinates, "coordinates", false, "with --format tsv: add query_start, query_end, target_start and target_end behind the usual columns: from 0, ends exclusive; always there if --span is not global, and unknown with --score-only")
	f.BoolVar(&o.cs, "cs", false, "with --format paf: add the tag cs:Z")
	f.BoolVar(&o.md, "md", false, "with --format sam: add the tag MD:Z")
	f.StringVar(&o.samTargets, "sam-targets", "", "with --format sam: a `file` that lists the targets for the lines @SQ: FASTA, its index (.fai), or a SAM header (.dict); without it, the targets' file is read twice")
	f.Var(newValue(&o.filter.maxScore, "S", "none", parseMaxScore), "max-score", "leave out pairs with a higher score, and those above --max-distance")
	f.Var(newValue(&o.filter.minIdentity, "I", "none", parseIdentity), "min-identity",
		"leave out pairs with a lower identity, a share such as 0.95 or 95%: matches divided by all columns of the alignment, those of gaps too")
}

// columnNames are the names of all columns.
func columnNames() string {
	var names []string
	for _, c := range seqio.Columns() {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

// columnsHelp is a list of all columns in Markdown.
func columnsHelp() string {
	var text strings.Builder
	for _, c := range seqio.Columns() {
		fmt.Fprintf(&text, "%v\n: %s.\n\n", c, c.About())
	}
	return text.String()
}

// formatNames are the formats, and flags of one of them alone.
var (
	formatNames = []string{"tsv", "paf", "sam"}
	formatOwn   = map[string]string{"header": "tsv", "columns": "tsv", "coordinates": "tsv", "cs": "paf", "md": "sam", "sam-targets": "sam"}
)

// check refuses combinations. scoreOnly says that there are no CIGARs.
func (o *formatOptions) check(f *pflag.FlagSet, scoreOnly bool) error {
	if !slices.Contains(formatNames, o.format) {
		return usagef("unknown --format %q: want tsv, paf or sam", o.format)
	}
	var wrong error
	f.Visit(func(flag *pflag.Flag) {
		if own := formatOwn[flag.Name]; own != "" && own != o.format && wrong == nil {
			wrong = usagef("--%s belongs to --format %s, and the output is %s", flag.Name, own, o.format)
			if flag.Name == "cs" && o.format == "tsv" {
				wrong = withHint(wrong, "--columns has a column cs")
			}
		}
	})
	switch {
	case wrong != nil:
		return wrong
	case len(o.columns) > 0 && o.coordinates:
		return usagef("--columns names all columns, and --coordinates adds to the usual ones: give one of them")
	case !scoreOnly:
		return nil
	case o.format != "tsv":
		return withHint(usagef("--format %s needs alignments, and --score-only has none", o.format), "use --format tsv, or leave --score-only out")
	case o.filter.minIdentity > 0:
		return usagef("--min-identity needs alignments, and --score-only has none")
	}
	if i := slices.IndexFunc(o.columns, seqio.Column.Traced); i >= 0 {
		return usagef("the column %s needs alignments, and --score-only has none", o.columns[i])
	}
	return nil
}

// tsv are the options of TSV.
func (o *formatOptions) tsv(scoreOnly bool) seqio.TSVOptions {
	return seqio.TSVOptions{ScoreOnly: scoreOnly, Style: o.cigarStyle, Columns: o.columns, Coordinates: o.coordinates}
}

var errIdentity = errors.New("want none, a share such as 0.95, or percent such as 95%")

// identityUnit is the unit of a least identity: 1 is this many.
const identityUnit = 1_000_000_000

// parseIdentity reads --min-identity.
func parseIdentity(s string) (int64, error) {
	if s == "none" {
		return 0, nil
	}
	digits, decimals := s, 9
	if d, ok := strings.CutSuffix(s, "%"); ok {
		digits, decimals = d, 7
	}
	whole, part, _ := strings.Cut(digits, ".")
	if whole+part == "" || len(whole) > 3 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, errIdentity
	}
	part = part[:min(len(part), decimals)] // 3/7 to any number of decimals leaves a pair of that identity
	var n int64
	for _, d := range whole + part + strings.Repeat("0", decimals-len(part)) {
		n = 10*n + int64(d-'0')
	}
	if n > identityUnit {
		return 0, fmt.Errorf("%s is more than 1, the identity of equal sequences", s)
	}
	return n, nil
}
