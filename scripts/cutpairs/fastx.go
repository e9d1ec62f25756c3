package main

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/shenwei356/bio/seq"
	"github.com/shenwei356/bio/seqio/fastx"
)

// eachRead calls do for the records of a FASTA or FASTQ file, compressed or
// not. The letters are valid during the call.
func eachRead(file string, do func(name string, letters []byte) error) error {
	if strings.HasPrefix(file, "|") {
		return errors.New("not a file") // fastx would run it
	}
	r, err := fastx.NewReader(seq.Unlimit, file, fastx.DefaultIDRegexp)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(string(record.ID), record.Seq.Seq); err != nil {
			return err
		}
	}
}

func readReference(file string) (map[string][]byte, error) {
	records := map[string][]byte{}
	err := eachRead(file, func(name string, letters []byte) error {
		records[name] = bytes.Clone(letters)
		return nil
	})
	return records, err
}
