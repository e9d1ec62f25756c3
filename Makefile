# Most targets need Go alone. The race detector and the comparison with WFA2-lib
# need a C compiler; without one they are skipped with a message. The kernels'
# targets need compilers of their own.

GO       ?= go
FUZZTIME ?= 30s

.PHONY: build man demo dist deb test-packages test test-workflow check generated race bench bench-edit bench-full bench-approx bench-cpu bench-binaries fuzz generate kernels kernels-check kernels-sanitize clean gpu-binaries

build: ## the program, ./wfagpu
	CGO_ENABLED=0 $(GO) build -o wfagpu ./cmd/wfagpu

# The man pages, build/man/man1, dated by the last commit.
man:
	rm -rf build/man
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s) CGO_ENABLED=0 $(GO) run ./cmd/wfagpu man build/man/man1

# Aligns the committed pairs, verifies every alignment, and compares the result
# with the committed one.
demo: build
	./wfagpu align --check -o demo.tsv datasets/small.seq
	cmp demo.tsv datasets/small.expected.tsv
	head -n 3 demo.tsv

# The packages of the last commit, with checksums: build/dist. Needs git, zip and, for the
# Debian packages, dpkg-deb; see CONTRIBUTING.md.
dist:
	scripts/package-dist.sh

deb:
	scripts/package-dist.sh deb-$$($(GO) env GOARCH)

# The packages in a clean root and under emulation, as root on Debian, in minutes.
test-packages:
	scripts/package-test.sh
	scripts/package-image-test.sh

# The packages whose tests take longest come first. The tests make much garbage and need little
# memory at a time.
test: export GOGC ?= 400
test: check generated
	CGO_ENABLED=0 $(GO) build ./...
	$(GO) test ./gpu/internal/emu ./align ./gpu ./scripts/peers ./...
	$(GO) -C scripts/chart test ./...
	@if command -v $${CC:-gcc} >/dev/null; then $(MAKE) --no-print-directory race; \
	else echo "make test: no C compiler: the race detector is left out"; fi

# The workflows of scripts/workflow, with jobs that are killed, in minutes: Snakemake,
# and a Slurm of one node. Needs Debian's snakemake, slurm-wlm and munge.
test-workflow:
	GO='$(GO)' scripts/workflow/test/run.sh

# Format; vet for the architectures and systems with code of their own; staticcheck. The
# plots are a module of their own (scripts/chart), and so is staticcheck
# (scripts/tools).
check:
	@bad=$$(gofmt -l align cigar cmd cuda gpu io scripts); \
	if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi
	$(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	$(GO) tool -modfile=scripts/tools/go.mod staticcheck ./...
	$(GO) -C scripts/chart vet ./...
	$(GO) -C scripts/chart tool -modfile=../tools/go.mod staticcheck ./...

# The committed assembly is what its generator makes: tried on a copy.
generated:
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	cp -R go.mod go.sum align "$$dir" && (cd "$$dir" && $(GO) generate ./align) && \
	for f in kernels_amd64.s kernels_stubs_amd64.go kernels_layout_amd64.go; do \
		cmp "align/$$f" "$$dir/align/$$f" || { echo "align/$$f is not what make generate writes"; exit 1; }; \
	done

# The packages that start goroutines, without real reads, and the concurrent part of the engines'
# conformance suite.
race: export GOGC ?= 400
race:
	CGO_ENABLED=1 $(GO) test -race -skip '^TestReal' ./cmd/... ./io/... ./gpu/internal/driver ./gpu/internal/memory ./gpu/internal/estimate
	CGO_ENABLED=1 $(GO) test -race -run 'Test[^C]|TestClose|TestContract/.*/(Batch|Threads|Concurrent|Cancelled)' ./gpu/hybrid
	CGO_ENABLED=1 $(GO) test -race -short -run 'TestEngine/.*/(Batch|Threads|Concurrent|Cancelled)' ./align/aligntest
	CGO_ENABLED=1 $(GO) test -race -short -run 'TestEngineOnFake/(Concurrent|Cancelled$$)|Test(InParts|ConcurrentGated|GatedEnds|ShrinkingMemory|ConcurrentBatches|ConcurrentPieces|ConcurrentLongReads|InsideEnds|CancelledBefore|CancelledWithoutPinnedMemory)OnFake' ./gpu

# The paper's tables from few pairs, in minutes; scripts/README.md describes the
# method. As root on Debian this installs the libraries to compare with. DATA
# names files or a directory of real pairs, PAGE and SECTION the page and section
# that take the results; BENCHFLAGS are more flags of `bench paper`, and then
# `bench-edit` is not a part.
BENCH   = $(GO) run ./scripts/bench
SECTION ?= cpu
DATASET = $(if $(DATA),-data '$(DATA)')

bench:
	scripts/bench-packages.sh
	$(BENCH) paper -command 'make bench$(if $(DATA), DATA=…)' $(DATASET) $(if $(PAGE),-page '$(PAGE)' -section $(SECTION)) $(BENCHFLAGS)
	$(if $(BENCHFLAGS),,$(BENCH) paper -of ewfa-gpu -command 'make bench')
	$(BENCH) bandmap -command 'make bench' -pairs 40 -seconds 0.1

# The same for the paper's numbers of alignments, in hours.
bench-full:
	scripts/bench-packages.sh
	$(BENCH) paper -full -command 'make bench-full$(if $(DATA), DATA=…)' $(DATASET) $(if $(PAGE),-page '$(PAGE)' -section $(SECTION)) $(BENCHFLAGS)
	$(BENCH) bandmap -command 'make bench-full$(if $(DATA), DATA=…)' -pairs 1000 -seconds 1 $(DATASET)

# Edit distance, for the tables of eWFA-GPU's paper.
bench-edit:
	scripts/bench-packages.sh
	$(BENCH) paper -of ewfa-gpu -command 'make bench-edit' $(if $(PAGE),-page '$(PAGE)' -section $(SECTION)-edit) $(BENCHFLAGS)

# The approximate mode, for scripts/RESULTS-approx.md: the map over band and λ,
# the band's rule beside the paper's, and the recall of sets at the automatic
# band. Real pairs are optional: MAP and RULES name files, DATA a directory.
APPROX = $(BENCH) bandmap $(BANDFLAGS) -command '$(strip make bench-approx $(foreach v,MAP RULES DATA,$(if $($v),$v=…)))'

bench-approx:
	$(APPROX) $(if $(MAP),-data '$(MAP)') $(if $(PAGE),-page '$(PAGE)' -section $(SECTION)-map)
	$(APPROX) -rules $(if $(RULES),-data '$(RULES)') $(if $(PAGE),-page '$(PAGE)' -section rules)
	$(if $(DATA),$(APPROX) -recall-of '$(DATA)' $(if $(PAGE),-page '$(PAGE)' -section $(SECTION)-recall))

# The CPU engine beside WFA2-lib, for scripts/RESULTS-cpu.md.
bench-cpu:
	$(BENCH) table
	$(BENCH) threads
	$(BENCH) command

# The benchmarks for a machine without Go and without a network: build/bench,
# build/chart for its plots, and the libraries' drivers in build/peers.
bench-binaries:
	scripts/bench-packages.sh
	mkdir -p build
	rm -rf build/peers
	CGO_ENABLED=0 $(GO) build -ldflags '-s -w' -o build/bench ./scripts/bench
	CGO_ENABLED=0 $(GO) -C scripts/chart build -ldflags '-s -w' -o ../../build/chart .
	build/bench drivers -out build/peers
	du -sh build/peers

# go test fuzzes one target at a time.
fuzz:
	$(GO) test ./align/aligntest -run '^$$' -fuzz '^FuzzAlign$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align/aligntest -run '^$$' -fuzz '^FuzzSpans$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align -run '^$$' -fuzz '^FuzzEdit$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align -run '^$$' -fuzz '^FuzzApprox$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align -run '^$$' -fuzz '^FuzzPieces$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align -run '^$$' -fuzz '^FuzzLaneBatches$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align -run '^$$' -fuzz '^FuzzLaneBands$$' -fuzztime $(FUZZTIME)
	$(GO) test ./align -run '^$$' -fuzz '^FuzzSpanMethods$$' -fuzztime $(FUZZTIME)
	$(GO) test ./cigar -run '^$$' -fuzz '^FuzzParse$$' -fuzztime $(FUZZTIME)
	$(GO) test ./io -run '^$$' -fuzz '^FuzzReadSeq$$' -fuzztime $(FUZZTIME)
	$(GO) test ./io -run '^$$' -fuzz '^FuzzFastx$$' -fuzztime $(FUZZTIME)
	$(GO) test ./io -run '^$$' -fuzz '^FuzzPairs$$' -fuzztime $(FUZZTIME)
	$(GO) test ./io -run '^$$' -fuzz '^FuzzBlocks$$' -fuzztime $(FUZZTIME)
	$(GO) test ./io -run '^$$' -fuzz '^FuzzDamagedGzip$$' -fuzztime $(FUZZTIME)
	$(GO) test ./io -run '^$$' -fuzz '^FuzzPAF$$' -fuzztime $(FUZZTIME)

# The assembly, from the program in align/_asm, and the CUDA headers that follow from
# Go, from gpu/internal/gen.
generate:
	$(GO) generate ./align ./gpu

# The GPU kernels, which are committed: cuda/bin. Needs nvcc; ARCHS=90 compiles
# for one architecture into build/ instead.
kernels:
	scripts/build-kernels.sh

# Compiles the kernels with clang, without the CUDA toolkit.
kernels-check:
	scripts/check-format.sh
	scripts/check-kernels.sh

# The kernels on the CPU, with traps where C++ leaves undefined what they do.
kernels-sanitize:
	WFAGPU_EMULATION_FLAGS='-fsanitize=undefined -fsanitize-trap=undefined' $(GO) test ./gpu/internal/emu

# What scripts/gpu-check.sh and scripts/real-reads.sh run on a machine with a GPU and
# without Go.
gpu-binaries:
	mkdir -p build
	CGO_ENABLED=0 $(GO) build -ldflags '-s -w' -o build/wfagpu ./cmd/wfagpu
	CGO_ENABLED=0 $(GO) build -ldflags '-s -w' -o build/bench ./scripts/bench
	CGO_ENABLED=0 $(GO) test -c -ldflags '-s -w' -o build/driver.test ./gpu/internal/driver
	CGO_ENABLED=0 $(GO) test -c -ldflags '-s -w' -o build/kernel.test ./gpu/internal/kernel
	CGO_ENABLED=0 $(GO) test -c -ldflags '-s -w' -o build/gpu.test ./gpu
	CGO_ENABLED=0 $(GO) test -c -ldflags '-s -w' -o build/wfagpu.test ./cmd/wfagpu

clean:
	rm -rf wfagpu demo.tsv build
