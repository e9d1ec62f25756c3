package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	seqio "wfagpu/io"
)

// parseShard reads --shard.
func parseShard(s string) (seqio.Shard, error) {
	if s == "none" {
		return seqio.Shard{}, nil
	}
	k, n, _ := strings.Cut(s, "/")
	part, errPart := strconv.Atoi(k)
	parts, errParts := strconv.Atoi(n)
	if errPart != nil || errParts != nil || parts < 1 || parts > seqio.MaxShards || strings.Contains(s, "+") {
		return seqio.Shard{}, fmt.Errorf("want k/n, such as 3/16 for the third of 16 parts, and n up to %d", seqio.MaxShards)
	}
	if part < 1 || part > parts {
		return seqio.Shard{}, fmt.Errorf("want a part from 1 to %d: shards count from 1", parts)
	}
	return seqio.Shard{Part: part, Parts: parts}, nil
}

// indexFailure is the error of `wfagpu index`.
func indexFailure(err error) error {
	if _, ok := errors.AsType[*seqio.IndexError](err); ok || err == nil {
		return err
	}
	return inputFailure(err)
}

// shardSize is the size of the part to be aligned of an input, -1 if it is not known.
func (o *alignOptions) shardSize(size int64) int64 {
	if size < 0 || o.inputs.Shard.Parts == 0 {
		return size
	}
	return size / int64(o.inputs.Shard.Parts)
}

// countNoticed is how many bytes are counted with a notice: at more than 1 GB/s from
// memory, and much more slowly from some disks.
const countNoticed = 2e9

// countedBytes returns about how many bytes before the shard are counted, those of files
// without an index.
func (o *alignOptions) countedBytes() int64 {
	var n int64
	shard := o.inputs.Shard
	for _, path := range o.inputs.CutFiles() {
		info, err := os.Stat(path)
		_, noIndex := os.Stat(path + seqio.IndexSuffix)
		if shard.Parts > 0 && err == nil && noIndex != nil {
			n += info.Size() / int64(shard.Parts) * int64(shard.Part-1)
		}
	}
	return n
}

// inputFailure is the error of an input that could not be opened. To ask for a part of
// what has none is bad usage.
func inputFailure(err error) error {
	shard, ok := errors.AsType[*seqio.ShardError](err)
	if !ok {
		return &inputError{err}
	}
	hint := "write it to a file first"
	switch {
	case shard.Compressed:
		hint = "decompress it, or split it into files (seqkit split2 --by-part) and align each"
	case shard.Joined:
		hint = "'wfagpu pairs --names' writes the pairs to one file"
	}
	return withHint(&usageError{err}, hint)
}
