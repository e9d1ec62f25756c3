package main

import (
	"encoding/json"
	"testing"
	"time"

	"wfagpu/gpu"
	"wfagpu/gpu/hybrid"
)

// What takes most of the time limits the run.
func TestLimit(t *testing.T) {
	for _, tc := range []struct {
		t    reportTime
		want string
	}{
		{reportTime{Reading: 0.9, Writing: 0.3, CPU: 0.9}, "reading the input"},
		{reportTime{Reading: 0.5, Writing: 0.8, CPU: 0.7}, "writing the results"},
		{reportTime{Reading: 0.1, Writing: 0.1, CPU: 1}, "the CPU"},
		{reportTime{Reading: 0.1, CPU: 0.5}, "the CPU"},
		{reportTime{Reading: 0.4, GPU: []gpuTime{{Computing: 0.9}}}, "the GPU"},
		{reportTime{GPU: []gpuTime{{Computing: 1}, {Computing: 0.5}}}, "the GPUs"},
		{reportTime{GPU: []gpuTime{{Computing: 1}, {Computing: 0.1}}}, "the host, which packs sequences and formats results"},
		{reportTime{GPU: []gpuTime{{Computing: 0.9, Memory: 0.8}}}, "the GPU, and more of its memory would help"},
		{reportTime{GPU: []gpuTime{{Computing: 0.9, Memory: 0.8}, {Computing: 0.9, Memory: 0.8}}}, "the GPUs, and more of their memory would help"},
		{reportTime{Opening: 0.7, GPU: []gpuTime{{Computing: 0.2}}, CPU: 0.9}, "opening the GPUs"},
		{reportTime{Reading: 0.3, GPU: []gpuTime{{Computing: 0.4}}, CPU: 0.5}, "the host, which packs sequences and formats results"},
		{reportTime{Reading: 0.3, GPU: []gpuTime{{Computing: 0.4}}, CPU: 0.9}, "the CPU"},
	} {
		if got := tc.t.limit(); got != tc.want {
			t.Errorf("%+v: limited by %q, want %q", tc.t, got, tc.want)
		}
	}
}

func TestReportTime(t *testing.T) {
	var f flow
	f.reading.sum.Store(int64(time.Second))
	f.full.sum.Store(int64(2 * time.Second))
	f.writing.sum.Store(int64(3 * time.Second))
	s := hybrid.Stats{
		CPU: hybrid.CPUStats{Active: time.Second}, Opening: time.Second / 2,
		GPUs: []hybrid.GPUStats{{Device: gpu.DeviceInfo{Ordinal: 3}, Stats: gpu.Stats{Busy: 6 * time.Second, InputTime: 3 * time.Second, MemoryTime: 99 * time.Second}}},
	}
	r := newReportTime(s, &f, 10*time.Second)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"reading":0.1,"full":0.2,"writing":0.3,"opening":0.05,"cpu":0.1,"gpu":[{"device":3,` +
		`"computing":0.6,"waiting_for_input":0.1,"waiting_for_writer":0.2,"waiting_for_memory":1}],"limit":"the GPU, and more of its memory would help"}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	const line = "limited by the GPU, and more of its memory would help; of the time: reading 10 %, writing 30 %; " +
		"gpu 3 computing 60 %, waiting for input 10 %, for the writer 20 %, for memory 100 %; cpu 10 %"
	if got := r.summary(); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
	if text, err := json.Marshal(newReportTime(hybrid.Stats{}, &flow{}, 0)); err != nil || len(text) == 0 {
		t.Errorf("a run without time: %v", err)
	}
}
