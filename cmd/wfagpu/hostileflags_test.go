package main

import "testing"

// TestHostileFlags: values that overflow, that are empty as an unset variable of a
// script is, or that look like numbers to another program.
func TestHostileFlags(t *testing.T) {
	const (
		wholeNumber = "is not a whole number with an optional K, M or G behind it"
		penalties   = "want x,e or x,o,e or x,o1,e1,o2,e2 (mismatch, gap open, gap extend), or edit"
		threads     = "want a whole number from 0 (every CPU) to 1024"
		distance    = "want none or a whole number from 0 to 2147483647"
		errorBound  = "want auto, a fraction between 0 and 1 such as 0.1, or a score of 1 or more"
		devices     = "want auto, cpu, gpu, or device numbers such as 0,1"
		huge        = "99999999999999999999"
	)
	for _, tc := range []struct{ flag, value, stderr string }{
		{"-g", "", penalties}, {"-g", "2,3,1,1", penalties}, {"-g", "EDIT", penalties}, {"-g", "2;3;1", penalties},
		{"-g", "2,,1", `"" is not a whole number`},
		{"-g", "2.5,3,1", `"2.5" is not a whole number`},
		{"-g", "0x2,3,1", `"0x2" is not a whole number`},
		{"-g", "2,3,1e0", `"1e0" is not a whole number`},
		{"-g", "2,3," + huge, `"` + huge + `" is outside 0..255`},
		{"-g", "-" + huge + ",3,1", `"-` + huge + `" is outside 0..255`},
		{"-g", "256,3,1", "mismatch penalty 256 is outside 1..255"},
		{"-g", "2,-1,1", "gap-open penalty -1 is outside 0..255"},
		{"-g", "2,3,-1", "gap-extend penalty -1 is outside 1..255"},
		{"-j", "", threads}, {"-j", "1025", threads}, {"-j", "1e3", threads}, {"-j", "2.0", threads}, {"-j", huge, threads}, {"-j", "0x2", threads},
		{"-b", "", wholeNumber}, {"-b", "M", wholeNumber}, {"-b", "-5", wholeNumber}, {"-b", "+5", wholeNumber}, {"-b", "1e6", wholeNumber}, {"-b", "1.5M", wholeNumber}, {"-b", "4MB", wholeNumber}, {"-b", huge, wholeNumber},
		{"-b", "4000000001", "4000000001 bases are outside 1..4G"},
		{"-b", "9223372036854775807K", "9223372036854775807K is too large"},
		{"--memory", "", wholeNumber}, {"--memory", "-1", wholeNumber}, {"--memory", "64 M", wholeNumber},
		{"--memory", "0", "0 bytes are below the least of 1M"},
		{"--memory", "1048575", "1048575 bytes are below the least of 1M"},
		{"--memory", "8589934592G", "8589934592G is too large"},
		{"--host-memory", "0", "0 bytes are below the least of 1M"},
		{"--host-memory", "NaN", wholeNumber}, {"--host-memory", "Inf", wholeNumber}, {"--host-memory", "1e400", wholeNumber},
		{"--host-memory", "200%", "is no share above 0 and up to 1, or 100%"},
		{"--host-memory", "0.0", "is no share above 0 and up to 1, or 100%"},
		{"--host-memory", "NaN%", "is no share above 0 and up to 1, or 100%"},
		{"--gpu-memory", "-5%", "is no share above 0 and up to 1, or 100%"},
		{"--gpu-memory", "%", "is no share above 0 and up to 1, or 100%"},
		{"--max-distance", "", distance}, {"--max-distance", "2147483648", distance}, {"--max-distance", huge, distance}, {"--max-distance", "1.5", distance}, {"--max-distance", "NONE", distance},
		{"-e", "", errorBound}, {"-e", "NaN", errorBound}, {"-e", "Inf", errorBound}, {"-e", "1.0", errorBound}, {"-e", "1e-400", errorBound}, {"-e", huge, errorBound}, {"-e", "10%", errorBound},
		{"--device", "", devices}, {"--device", "-1", devices}, {"--device", "0,", devices}, {"--device", "0,,1", devices}, {"--device", "GPU", devices}, {"--device", huge, devices}, {"--device", "0 1", devices},
		{"--mode", "", `unknown --mode "": want exact or approx`},
		{"--mode", "Exact", `unknown --mode "Exact": want exact or approx`},
		{"--band", huge, "want auto or a whole number from 8 to 65536"},
		{"--band", "", "want auto or a whole number from 8 to 65536"},
		{"--lambda", "-1", "want auto or a whole number from 1 to 1048576"},
		{"--cigar-style", "", "want extended (= and X) or classic (M)"},
		{"--cigar-style", "Classic", "want extended (= and X) or classic (M)"},
		{"--cpu-level", "", `invalid argument "" for "--cpu-level" flag: want auto, avx512, avx2 or go`},
		{"--cpu-level", "AVX2", `unknown code path "AVX2": want auto, avx512, avx2 or go`},
		{"--check-names", "", "want notice, error or off"},
		{"--format", "", `unknown --format "": want tsv`},
		{"--format", "TSV", `unknown --format "TSV": want tsv`},
		{"--query", "", "--query wants the name of a file, and it is empty"},
		{"--target", "", "--target wants the name of a file, and it is empty"},
		{"--log-file", "-", "--stats, --report and --log-file want the name of a file, not -"},
		{"--log-file", ".", "--log-file: . is a directory"},
		{"--log-file", "none/log", "--log-file: none/log: there is no directory none"},
		{"--stats", "good.seq/s", "--stats: "},
	} {
		run := badRun{
			files: map[string]string{"good.seq": pair}, args: []string{"align", tc.flag, tc.value, "good.seq"},
			code: exitUsage, stderr: tc.stderr,
		}
		t.Run(tc.flag+" "+tc.value, run.try)
	}

	for _, tc := range []struct {
		name   string
		args   []string
		stderr string
	}{
		{"a switch that is no number of times", []string{"align", "--check=2", "good.seq"}, `invalid argument "2" for "--check" flag: want true or false, or no value`},
		{"a switch with a word", []string{"align", "--score-only=no", "good.seq"}, `invalid argument "no" for "--score-only" flag: want true or false, or no value`},
		{"a switch with an operand of another command", []string{"align", "--header", "-q", "no", "good.seq"}, "give either files of pairs or --query with --target, not both"},
		{"three dashes", []string{"align", "---", "good.seq"}, "bad flag syntax: ---"},
		{"an equals sign alone", []string{"align", "--=x", "good.seq"}, "bad flag syntax: --=x"},
		{"a flag that is not complete", []string{"align", "--stat", "s", "good.seq"}, "unknown flag: --stat"},
		{"standard input twice", []string{"align", "-", "-"}, "standard input can be only one of the inputs"},
		{"standard input and a file", []string{"align", "-q", "-", "good.seq"}, "give either files of pairs or --query with --target, not both"},
		{"the last flag lacks its value", []string{"align", "good.seq", "-o"}, "flag needs an argument: 'o' in -o"},
		{"a flag of another command", []string{"align", "--seed", "1", "good.seq"}, "unknown flag: --seed"},
		{"a flag before the command", []string{"--check", "align", "good.seq"}, "unknown flag: --check"},
		{"control characters in a command", []string{"al\x1b[2Jign"}, `unknown command "al\x1b[2Jign"`},
		{"control characters in a flag", []string{"align", "--a\nb", "good.seq"}, `unknown flag: --a\x0ab`},
		{"generate: pairs that overflow", []string{"generate", "-n", huge}, `invalid argument "` + huge + `" for "-n, --count" flag`},
		{"generate: a rate that is none", []string{"generate", "-e", "NaN"}, "error rate NaN is outside 0..1"},
		{"generate: no model", []string{"generate", "--model", ""}, `unknown error model ""`},
		{"devices: an operand", []string{"devices", "0"}, "wfagpu devices takes no arguments"},
	} {
		run := badRun{files: map[string]string{"good.seq": pair}, args: tc.args, code: exitUsage, stderr: tc.stderr}
		t.Run(tc.name, run.try)
	}
}
