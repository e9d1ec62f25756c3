// Package cputime reads the CPU time of this process, for benchmarks: other work on the
// machine changes it less than the time that passes.
package cputime
