package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

func line(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }

// figures formats a value with about three significant figures.
func figures(v float64) string {
	switch {
	case v == 0 || math.IsInf(v, 0) || math.IsNaN(v):
		return "n/a"
	case v >= 100:
		return grouping(int(math.Round(v)))
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%#.3g", v)
}

// grouping formats a number with commas.
func grouping(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
