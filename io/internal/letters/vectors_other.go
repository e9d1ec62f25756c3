//go:build !amd64

package letters

func runVectors(s []byte) (run int, ended bool) { return runWords(s), false }

func basesVectors([]byte) (bases, known bool) { return false, false }

func valuesVectors([]byte) (values, known bool) { return false, false }
