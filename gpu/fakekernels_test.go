package gpu

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"wfagpu/align"
	"wfagpu/gpu/internal/driver"
	"wfagpu/gpu/internal/driver/drivertest"
)

// fakeGPU is a fake driver with the engine's kernels, written in Go. Each does
// what its twin in cuda/ does, as far as the host can tell: it takes tasks and
// hands out room in the same order, touches the same memory and keeps to the
// same limits; only the wavefronts themselves are left to the CPU engine. What
// the real kernel would not survive (memory that is too small, tables that do
// not fit, penalties of another kernel) fails the test and the launch.
type fakeGPU struct {
	*drivertest.Driver
	t      testing.TB
	fronts map[string]frontKernel
	// before is called ahead of every launch when it is not nil, and may make
	// it fail.
	before func(name string) driver.Result

	countMu sync.Mutex
	counts  map[string]int // launches by name
}

// frontKernel is a warp or block kernel.
type frontKernel struct {
	variant
	penalties align.Penalties
	rows      bool
}

// newFakeGPU returns a GPU with some MiB of memory.
func newFakeGPU(t testing.TB, memory int) *fakeGPU {
	g := &fakeGPU{Driver: drivertest.New(1), t: t, fronts: map[string]frontKernel{}, counts: map[string]int{}}
	g.Devices[0].Memory = uint64(memory) << 20
	for _, name := range []string{
		"wfa_pack", "wfa_general", "wfa_approx_trace", "wfa_window_score", "wfa_window_rows", "wfa_window_trace",
	} {
		g.Kernels[name] = drivertest.Kernel{Registers: 40}
	}
	for name := range traceLanes {
		g.Kernels[name] = drivertest.Kernel{Registers: 40}
	}
	for _, p := range variantPenalties {
		for _, v := range variants {
			for _, scoreOnly := range []bool{false, true} {
				name := v.kernelName(p, scoreOnly)
				g.Kernels[name] = drivertest.Kernel{Registers: 64}
				g.fronts[name] = frontKernel{v, p, !scoreOnly}
			}
		}
	}
	g.Launch = g.kernel
	g.Recycle = true
	return g
}

// launched counts the launches of the kernels whose names begin so.
func (g *fakeGPU) launched(prefix string) int {
	g.countMu.Lock()
	defer g.countMu.Unlock()
	n := 0
	for name, count := range g.counts {
		if strings.HasPrefix(name, prefix) {
			n += count
		}
	}
	return n
}

// violation is what a kernel panics with when it is launched wrongly.
type violation string

func must(holds bool, format string, args ...any) {
	if !holds {
		panic(violation(fmt.Sprintf(format, args...)))
	}
}

// kernel is the launch function of the driver.
func (g *fakeGPU) kernel(name string, grid, block, shared int, p unsafe.Pointer) (r driver.Result) {
	g.countMu.Lock()
	g.counts[name]++
	g.countMu.Unlock()
	if g.before != nil {
		if r := g.before(name); r != driver.Success {
			return r
		}
	}
	a := *(*params)(p)
	defer func() {
		if v := recover(); v != nil {
			what, ok := v.(violation)
			if !ok {
				panic(v)
			}
			g.t.Errorf("%s with grid %d, block %d, %d shared bytes: %s\n%+v", name, grid, block, shared, what, a)
			r = 700 // CUDA_ERROR_ILLEGAL_ADDRESS
		}
	}()
	must(block%32 == 0, "blocks are not of whole warps")
	must(a.count > 0, "nothing to do")
	if k, ok := g.fronts[name]; ok && k.kind == kindApprox {
		g.approx(&k, block, shared, &a)
		return driver.Success
	} else if ok {
		g.front(&k, block, shared, &a)
		return driver.Success
	}
	if rows, ok := strings.CutPrefix(name, "wfa_window_"); ok && rows != "trace" {
		g.window(rows == "rows", grid, block, shared, &a)
		return driver.Success
	}
	must(shared == 0, "shared memory for a kernel that uses none")
	if lanes, ok := traceLanes[name]; ok {
		must(block <= 128, "more threads than __launch_bounds__")
		g.trace(grid*block/lanes, 32/lanes, &a)
		return driver.Success
	}
	switch name {
	case "wfa_pack":
		must(block <= 256, "more threads than __launch_bounds__")
		g.pack(grid*block/8, &a)
	case "wfa_approx_trace", "wfa_window_trace":
		must(block <= 128, "more threads than __launch_bounds__")
		g.traceApprox(grid*block/approxTraceLanes, 32/approxTraceLanes, &a)
	case "wfa_general":
		must(block <= 1024, "more threads than __launch_bounds__")
		g.general(grid, &a)
	default:
		must(false, "no such kernel")
	}
	return driver.Success
}

// deviceSlice is n values of device memory from p on.
func deviceSlice[T any](g *fakeGPU, what string, p driver.Ptr, n int) []T {
	var one T
	size := int(unsafe.Sizeof(one))
	if n == 0 {
		return nil
	}
	b := g.MemoryAt(p, n*size)
	if b == nil || int(p)%size != 0 {
		must(false, "%s: %d values of %d bytes at %#x are not in one allocation, or not aligned", what, n, size, p)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}

func (g *fakeGPU) pair(a *params, i uint32) pairEntry {
	p := deviceSlice[pairEntry](g, "pairs", a.pairs+driver.Ptr(16*int(i)), 1)[0]
	if p.patternLength < 1 || p.textLength < 1 {
		must(false, "pair %d has lengths %d and %d", i, p.patternLength, p.textLength)
	}
	return p
}

func (g *fakeGPU) result(a *params, i uint32) *resultEntry {
	return &deviceSlice[resultEntry](g, "results", a.results+driver.Ptr(16*int(i)), 1)[0]
}

// bases returns the packed words of a sequence. Kernels read one word more.
func (g *fakeGPU) bases(a *params, from uint32, n int32) []uint32 {
	words := (int(n) + 15) / 16
	return deviceSlice[uint32](g, "bases", a.bases+driver.Ptr(4*int(from)), int(n)/16+2)[:words]
}

// code2 is the 2-bit code of a letter as it is, 4 for one outside ACGTU.
func code2(letter byte) uint32 {
	switch letter &^ 0x20 {
	case 'A':
		return 0
	case 'C':
		return 1
	case 'T', 'U':
		return 2
	case 'G':
		return 3
	}
	return 4
}

var packTable = func() (table [256]struct{ code, strange uint8 }) {
	for i := range table {
		table[i].code = uint8(i) >> 1 & 3
		if code2(byte(i)) > 3 {
			table[i].strange = 1
		}
	}
	return table
}()

// pack is wfa_pack, cuda/pack.cu.
func (g *fakeGPU) pack(pairs int, a *params) {
	must(pairs >= int(a.count), "threads for %d pairs of %d", pairs, a.count)
	for i := range uint32(a.count) {
		p := g.pair(a, i)
		strange := g.packBases(a, p.pattern, p.patternLength) | g.packBases(a, p.text, p.textLength)
		*g.result(a, i) = resultEntry{score: -1, flags: uint32(strange) * flagLetters}
	}
}

func (g *fakeGPU) packBases(a *params, at uint32, n int32) (strange uint8) {
	bases := g.bases(a, at, n)
	letters := deviceSlice[byte](g, "letters", a.letters+driver.Ptr(letterUnit*int(at)), letterUnit*len(bases))
	for w := range bases {
		word := uint32(0)
		for i, letter := range letters[letterUnit*w:][:letterUnit] {
			c := packTable[letter]
			word = word<<2 | uint32(c.code)
			if letterUnit*w+i < int(n) {
				strange |= c.strange
			}
		}
		bases[w] = word
	}
	return strange
}

// fakeBand is makeBand of cuda/penalties.cuh: the largest score that a band of
// diagonals around the last one can vouch for.
func fakeBand(a *params, p pairEntry, most int32, half int) int {
	end := int(p.textLength - p.patternLength)
	first := end - half
	above, below := first+2*half, first-1
	if first > 0 || above <= 0 {
		return -1
	}
	limit := 2*int(a.gapOpen) + int(a.gapExtend)*min(2*above-end, end-2*below) - 1
	return min(limit, int(most), int(a.maxScore))
}

// rowTag is what the fake kernels leave in a row for the traceback to find.
func rowTag(pair uint32, row, limit, lanes, words int) uint32 {
	h := uint32(2166136261)
	for _, v := range [...]uint32{pair, uint32(row), uint32(limit), uint32(lanes), uint32(words)} {
		h = (h ^ v) * 16777619
	}
	return h
}

// front is a warp or block kernel, cuda/warp.cuh and cuda/block.cuh.
func (g *fakeGPU) front(k *frontKernel, block, shared int, a *params) {
	p := penaltiesOf(a)
	must(p == k.penalties, "penalties %v", p)
	must(block == 32*k.warps, "blocks of %d threads", block)
	must(int(a.lanes) == k.lanes && int(a.words) == k.words, "rows have the wrong shape")
	half, together, perBlock := k.lanes*k.words, 1, 1
	if k.kind == kindWarp {
		together = 32 / k.lanes
		perBlock = block / k.lanes
	}
	must(shared == perBlock*k.tableBytes(int(a.textEntries+a.patternEntries)), "shared memory is not that of the tables")
	must(min(a.textEntries, a.patternEntries) >= int32(2*half), "tables smaller than the band")
	tasks := deviceSlice[taskEntry](g, "tasks", a.tasks, int(a.count))
	next := &deviceSlice[uint32](g, "next", a.next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))

	rowWords := k.lanes * k.words
	ring := max(p.Mismatch, p.GapOpen)
	round := ring
	for round%p.GapExtend != 0 {
		round += ring
	}
	if round < 3 {
		round = 4
	}
	for {
		at := int(atomic.AddUint32(next, uint32(together))) - together
		if at >= len(tasks) {
			return
		}
		lastRow := 0 // all of a warp's groups go on as long as one does
		limits := make([]int, together)
		for i := range min(together, len(tasks)-at) {
			task := tasks[at+i]
			e := g.pair(a, task.pair)
			must(task.limit >= 0 && task.limit <= a.maxScore, "limit %d", task.limit)
			must(e.textLength < a.textEntries && e.patternLength+int32(k.bases) <= a.patternEntries,
				"tables are too small for %d and %d letters", e.patternLength, e.textLength)
			limits[i] = fakeBand(a, e, task.limit, half)
			must(int(max(e.textLength, e.patternLength))+limits[i] <= 32_000, "offsets beyond 16 bits")
			r, done := g.result(a, task.pair), limits[i]
			r.score = -1
			if limits[i] >= 0 {
				if s := g.align(a, e, k.rows).score; s <= limits[i] {
					r.score = int32(s)
					done = s
				}
			}
			lastRow = max(lastRow, (done+round-1)/round*round)
		}
		if !k.rows {
			continue
		}
		must((lastRow+1)*rowWords <= int(a.rowStride), "%d rows of %d words run into those of the next pair", lastRow+1, rowWords)
		for i := range together {
			rows := deviceSlice[uint32](g, "rows", a.rows+driver.Ptr(4*(at+i)*int(a.rowStride)), (lastRow+1)*rowWords)
			rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)
			if at+i < len(tasks) {
				task := tasks[at+i]
				for _, row := range []int{0, int(g.result(a, task.pair).score)} {
					if row >= 0 {
						rows[row*rowWords] = rowTag(task.pair, row, limits[i], k.lanes, k.words)
					}
				}
			}
		}
	}
}

// traceLanes are the kernels of cuda/trace.cu, with the lanes that walk back one
// pair.
var traceLanes = map[string]int{"wfa_trace_1": 1, "wfa_trace_8": 8, "wfa_trace_32": 32}

// trace is any of them.
func (g *fakeGPU) trace(pairs, perWarp int, a *params) {
	rowWords := int(a.lanes * a.words)
	g.eachRoom(pairs, perWarp, a, func(at int, task taskEntry, room []uint32) (elements int) {
		p, r := g.pair(a, task.pair), g.result(a, task.pair)
		limit := fakeBand(a, p, task.limit, rowWords)
		rows := deviceSlice[uint32](g, "rows", a.rows+driver.Ptr(4*at*int(a.rowStride)), (int(r.score)+1)*rowWords)
		for _, row := range []int{0, int(r.score)} {
			must(rows[row*rowWords] == rowTag(task.pair, row, limit, int(a.lanes), int(a.words)),
				"row %d of pair %d is not the one stored", row, task.pair)
		}
		elems := g.align(a, p, true).cigar
		must(len(elems) <= len(room), "%d elements for a score of %d", len(elems), r.score)
		return copy(room[len(room)-len(elems):], elems)
	})
}

// eachRoom is takeRoom of cuda/walk.cuh: a warp takes room for all its pairs at a
// time. write fills a task's room from the end on.
func (g *fakeGPU) eachRoom(pairs, perWarp int, a *params, write func(at int, task taskEntry, room []uint32) (elements int)) {
	must(pairs >= int(a.count), "threads for %d pairs of %d", pairs, a.count)
	tasks := deviceSlice[taskEntry](g, "tasks", a.tasks, int(a.count))
	cigars := deviceSlice[uint32](g, "cigars", a.cigars, int(a.cigarCapacity))
	used := &deviceSlice[uint32](g, "used", a.used, 1)[0]
	for first := 0; first < len(tasks); first += perWarp {
		warp := tasks[first:min(first+perWarp, len(tasks))]
		sum := 0
		for _, task := range warp {
			sum += cigarRoom(a, g.result(a, task.pair).score)
		}
		end := int(atomic.AddUint32(used, uint32(sum))) - sum
		for i, task := range warp {
			r := g.result(a, task.pair)
			if r.score < 0 {
				continue
			}
			room := cigarRoom(a, r.score)
			end += room
			if end > len(cigars) {
				r.flags = r.flags&flagLetters | flagNoRoom
				continue
			}
			n := write(first+i, task, cigars[end-room:end:end])
			r.flags &= flagLetters
			r.cigar, r.cigarLength = uint32(end-n), uint32(n)
		}
	}
}

// cigarRoom is the function of that name in cuda/cigar.cuh.
func cigarRoom(a *params, score int32) int {
	if score < 0 {
		return 0
	}
	return 2*(int(score)/int(min(a.mismatch, a.gapOpen+a.gapExtend))) + 1
}

// eachTask takes the tasks of a launch one by one, as a block or a warp does that
// has one pair at a time.
func (g *fakeGPU) eachTask(a *params, do func(at int, task taskEntry, p pairEntry, r *resultEntry)) {
	tasks := deviceSlice[taskEntry](g, "tasks", a.tasks, int(a.count))
	next := &deviceSlice[uint32](g, "next", a.next, 1)[0]
	must(atomic.LoadUint32(next) == 0, "the counter of tasks begins at %d", atomic.LoadUint32(next))
	for {
		at := int(atomic.AddUint32(next, 1)) - 1
		if at >= len(tasks) {
			return
		}
		task := tasks[at]
		do(at, task, g.pair(a, task.pair), g.result(a, task.pair))
	}
}

// general is wfa_general, cuda/general.cu.
func (g *fakeGPU) general(workers int, a *params) {
	o, e := int(a.gapOpen), int(a.gapExtend)
	lookback, width := max(int(a.mismatch), o+e), int(a.width)
	must(width%4 == 0 && a.rowStride%4 == 0 && a.rows%16 == 0, "rows that do not begin at 16 bytes")
	mRows := lookback + 1
	if a.segmentRows > 0 {
		mRows = lookback + int(a.segmentRows)
	}
	slab := (2*(e+1) + mRows + int(a.checkpoints)*(lookback+2*(e+1))) * width
	if a.segmentRows > 0 {
		slab += int(a.scratch)
	}
	must(slab <= int(a.rowStride), "a worker needs %d words of memory", slab)
	rows := deviceSlice[uint32](g, "rows", a.rows, workers*int(a.rowStride))
	rows[0], rows[len(rows)-1] = ^uint32(0), ^uint32(0)

	cigars := deviceSlice[uint32](g, "cigars", a.cigars, int(a.cigarCapacity))
	used := &deviceSlice[uint32](g, "used", a.used, 1)[0]
	g.eachTask(a, func(_ int, task taskEntry, p pairEntry, r *resultEntry) {
		must(task.limit >= 0 && task.limit <= a.maxScore, "limit %d", task.limit)
		limit := int(task.limit)
		// Diagonals that gaps reach, and leave for the end, within the limit;
		// threads write four at a time.
		reach, last := 0, int(p.textLength-p.patternLength)
		if limit >= o+e {
			reach = (limit - o) / e
		}
		lowest := -min(int(p.patternLength), (reach-last)/2+1)
		highest := min(int(p.textLength), (reach+last)/2+1)
		must(lowest <= 0 && highest >= 0, "diagonals from %d to %d", lowest, highest)
		must(highest-lowest+1 <= width, "rows of %d cells for %d diagonals", width, highest-lowest+1)
		found := g.align(a, p, a.segmentRows > 0)
		// The score at which a worker's memory ends.
		end := limit
		if a.segmentRows > 0 {
			end = min(limit, (int(a.checkpoints)+1)*int(a.segmentRows)-1)
		}
		if found.score > end {
			r.score = -1
			if end < limit {
				r.flags |= flagMemory
			}
			return
		}
		r.score = int32(found.score)
		if a.segmentRows == 0 {
			return
		}
		must(len(found.cigar) <= int(a.scratch), "%d elements of scratch", a.scratch)
		n := len(found.cigar)
		place := int(atomic.AddUint32(used, uint32(n))) - n
		r.flags &= flagLetters
		r.cigar, r.cigarLength = uint32(place), uint32(n)
		if place+n > len(cigars) {
			r.flags |= flagNoRoom
			r.cigarLength = 0
			return
		}
		copy(cigars[place:], found.cigar)
	})
}

// alignment is what the CPU engine makes of a pair of packed sequences.
type alignment struct {
	score  int
	cigar  []uint32
	traced bool // cigar is there
}

// alignments remembers them, as tests align the same pairs over and over.
var alignments = struct {
	mu       sync.Mutex
	seed     maphash.Seed
	known    map[alignmentKey]alignment
	elements int
}{seed: maphash.MakeSeed(), known: map[alignmentKey]alignment{}}

// aligners are idle ones of the CPU engine.
var aligners = struct {
	mu   sync.Mutex
	idle map[align.Options][]*align.Aligner
}{idle: map[align.Options][]*align.Aligner{}}

// idleAligner returns an aligner with these options, to be given back by done.
func idleAligner(o align.Options) (a *align.Aligner, done func()) {
	c := &aligners
	c.mu.Lock()
	defer c.mu.Unlock()
	if idle := c.idle[o]; len(idle) > 0 {
		a, c.idle[o] = idle[len(idle)-1], idle[:len(idle)-1]
	} else {
		var err error
		a, err = align.NewAligner(o)
		must(err == nil, "penalties %v: %v", o.Penalties, err)
	}
	return a, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.idle[o] = append(c.idle[o], a)
	}
}

type alignmentKey struct {
	penalties                 align.Penalties
	pattern, text             uint64
	patternLength, textLength int32
}

func penaltiesOf(a *params) align.Penalties {
	return align.Penalties{Mismatch: int(a.mismatch), GapOpen: int(a.gapOpen), GapExtend: int(a.gapExtend)}
}

// align aligns a pair, with its packed letters, as kernels see it.
func (g *fakeGPU) align(a *params, p pairEntry, traced bool) alignment {
	pattern, text := g.bases(a, p.pattern, p.patternLength), g.bases(a, p.text, p.textLength)
	key := alignmentKey{
		penaltiesOf(a), hashBases(pattern, p.patternLength), hashBases(text, p.textLength), p.patternLength, p.textLength,
	}
	c := &alignments
	c.mu.Lock()
	found, ok := c.known[key]
	c.mu.Unlock()
	if ok && (found.traced || !traced) {
		return found
	}

	aligner, done := idleAligner(align.Options{Penalties: key.penalties, ScoreOnly: !traced, Memory: 1 << 30})
	defer done()
	score, cigar, err := aligner.Align(unpack(pattern, p.patternLength), unpack(text, p.textLength), nil)
	must(err == nil, "%v", err)
	found = alignment{score: score, traced: traced}
	for _, e := range cigar {
		found.cigar = append(found.cigar, uint32(e))
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.elements += 16 + len(found.cigar); c.elements > 1<<24 {
		clear(c.known)
		c.elements = 0
	}
	c.known[key] = found
	return found
}

// hashBases hashes n packed bases, without what follows them.
func hashBases(words []uint32, n int32) uint64 {
	var h maphash.Hash
	h.SetSeed(alignments.seed)
	whole := int(n) / 16
	if whole > 0 {
		h.Write(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 4*whole))
	}
	if rest := n % 16; rest > 0 {
		maphash.WriteComparable(&h, words[whole]>>(32-2*rest))
	}
	return h.Sum64()
}

// unpack returns the letters of n packed bases.
func unpack(words []uint32, n int32) []byte {
	letters := make([]byte, 0, 16*len(words))
	for _, w := range words {
		for shift := 30; shift >= 0; shift -= 2 {
			letters = append(letters, "ACTG"[w>>shift&3])
		}
	}
	return letters[:n]
}
