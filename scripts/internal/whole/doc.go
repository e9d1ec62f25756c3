// Package whole measures whole runs of the program wfagpu, from the start of the
// process to its end, files in and files out, and compares the output of every run
// with that of the CPU engine.
//
// Inputs are made of blocks (block.go): some pairs, real or simulated, with the lines
// that the CPU engine gives for them. An input (input.go) repeats and mixes the pairs
// of blocks, so that the expected output of a large file is known from a short run.
// A process is started, timed and judged in process.go; race.go lets several
// commands take turns. Each part of the measurement is a file of its own, listed in
// parts.go.
package whole
