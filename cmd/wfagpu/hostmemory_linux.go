package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// machineMemory is the memory of the machine, or of the container or the process if
// that has less, in bytes; 0 if unknown.
func machineMemory() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	all := int64(info.Totalram) * int64(info.Unit)
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// Without a limit, the text is "max" or a number beyond all memory.
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
			all = min(all, n)
		}
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err == nil && limit.Cur < uint64(all) {
		all = int64(limit.Cur)
	}
	return all
}
