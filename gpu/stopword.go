package gpu

import (
	"errors"
	"sync"

	"wfagpu/gpu/internal/driver"
)

// wordBytes is the size of a stop word.
const wordBytes = 4

// stopWord ends the kernels of a runner's launch once it is set. It is in memory of the device, and
// the host copies to it: a look at the host's memory takes a kernel as long as hundreds of rows.
type stopWord struct {
	dev *driver.Device
	// copied is the point of the runner's stream at which the device has the word.
	copied *driver.Event

	mu     sync.Mutex
	source []byte         // pinned memory from which the word is copied, nil without a launch
	at     driver.Ptr     // where it is on the device, 0 before it is copied there
	stream *driver.Stream // beside that of the kernels, nil before it is first needed
	beside bool           // the stream copies the word of this launch
}

func newStopWord(dev *driver.Device) (*stopWord, error) {
	e, err := dev.NewEvent()
	if err != nil {
		return nil, err
	}
	return &stopWord{dev: dev, copied: e}, nil
}

// begin is called before a launch, which has pinned memory for the word.
func (w *stopWord) begin(source []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.source = source[:wordBytes]
	clear(w.source)
}

// copy has the stream of a launch copy memory to the device that begins with the word.
func (w *stopWord) copy(s *driver.Stream, at driver.Ptr, memory []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := s.ToDevice(at, memory)
	if err == nil {
		err = s.Record(w.copied)
	}
	if err == nil {
		w.at = at
	}
	return err
}

// stop sets the word while there is a launch. It may be called at any time. If that fails the device
// has failed, and so do the calls of the launch.
func (w *stopWord) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.source == nil || w.beside {
		return
	}
	w.source[0] = 1
	if w.at == 0 || w.copied.Wait() != nil { // the first copy could come last
		return
	}
	if w.stream == nil {
		var err error
		if w.stream, err = w.dev.NewStream(); err != nil {
			return
		}
	}
	w.beside = w.stream.ToDevice(w.at, w.source) == nil
}

// end is called after the kernels of a launch, whose memory the word does not use from then on.
func (w *stopWord) end() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if w.beside {
		err = w.stream.Synchronize()
	}
	w.source, w.at, w.beside = nil, 0, false
	return err
}

func (w *stopWord) close() error {
	err := w.copied.Close()
	if w.stream != nil {
		err = errors.Join(err, w.stream.Close())
	}
	return err
}
