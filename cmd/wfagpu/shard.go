package main

import (
	"errors"
	"fmt"
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

// inputFailure is the error of an input that could not be opened. To ask for a part of
// what has none is bad usage.
func inputFailure(err error) error {
	shard, ok := errors.AsType[*seqio.ShardError](err)
	if !ok {
		return &inputError{err}
	}
	hint := "write it to a file first"
	if shard.Compressed {
		hint = "decompress it (gzip -dk), or split it into files (seqkit split2 --by-part) and align each"
	}
	return withHint(&usageError{err}, hint)
}
