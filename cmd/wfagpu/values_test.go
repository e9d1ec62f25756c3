package main

import (
	"testing"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

func TestParseSizes(t *testing.T) {
	for _, tc := range []struct {
		text  string
		parse func(string) (int, error)
		want  int // -1: an error
	}{
		{"1", parseBases, 1},
		{"20k", parseBases, 20_000},
		{"4M", parseBases, 4_000_000},
		{"4G", parseBases, 4_000_000_000},
		{"5G", parseBases, -1},
		{"0", parseBases, -1},
		{"", parseBases, -1},
		{"M", parseBases, -1},
		{"4MB", parseBases, -1},
		{"1.5M", parseBases, -1},
		{"+5", parseBases, -1},
		{"1M", parseBytes, 1 << 20},
		{"2g", parseBytes, 2 << 30},
		{"1048575", parseBytes, -1},
		{"99999999999G", parseBytes, -1},
		{"0", parseCount, 0},
		{"2M", parseCount, 2_000_000},
		{"2000G", parseCount, -1},
		{"0", parseThreads, 0},
		{"1024", parseThreads, 1024},
		{"1025", parseThreads, -1},
		{"auto", parseAuto(8, 100), 0},
		{"8", parseAuto(8, 100), 8},
		{"100", parseAuto(8, 100), 100},
		{"7", parseAuto(8, 100), -1},
		{"101", parseAuto(8, 100), -1},
		{"0", parseAuto(8, 100), -1},
		{"", parseAuto(8, 100), -1},
		{"Auto", parseAuto(8, 100), -1},
		{"8K", parseAuto(8, 100), -1},
	} {
		got, err := tc.parse(tc.text)
		if (err != nil) != (tc.want < 0) || err == nil && got != tc.want {
			t.Errorf("%q: got %d, %v, want %d", tc.text, got, err, tc.want)
		}
	}
}

func TestParseErrorBound(t *testing.T) {
	for text, want := range map[string]gpu.ErrorBound{
		"auto": {},
		"0.1":  {Fraction: 0.1},
		"1":    {Score: 1},
		"250":  {Score: 250},
	} {
		if got, err := parseErrorBound(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "0.0", "1.0", "-1", "1.5", "NaN", "Inf", "10%"} {
		if got, err := parseErrorBound(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, got)
		}
	}
}

func TestParseDevice(t *testing.T) {
	d, err := parseDevice("3,0")
	if err != nil || d.devices != hybrid.Auto || len(d.ordinals) != 2 || d.ordinals[0] != 3 || d.ordinals[1] != 0 {
		t.Errorf("got %+v, %v", d, err)
	}
	for _, text := range []string{"", "gpu0", "0,", "0,-1", "0;1", "cpu,0", "1,0,1"} {
		if d, err := parseDevice(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, d)
		}
	}
}
