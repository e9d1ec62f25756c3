package main

import "context"

// stock has the buffers that are not in flight. The goroutine that reads has it.
type stock struct {
	ledger
	inFlight func() int      // see pipeline
	opened   <-chan struct{} // and here, nil since it was closed
	early    int64
	idle     []*buffer
	made     int
	full     *stopwatch
}

// next returns a buffer for the next batch as soon as there is room. made is called
// for a new one.
func (k *stock) next(ctx context.Context, free <-chan *buffer, made func()) (*buffer, error) {
	k.takeBack(free)
	for k.isEarly() {
		if err := k.await(ctx, free); err != nil {
			return nil, err
		}
	}
	if !k.hasRoom() {
		k.full.start()
		defer k.full.stop()
	}
	for !k.hasRoom() {
		if err := k.await(ctx, free); err != nil {
			return nil, err
		}
	}
	if n := len(k.idle); n > 0 {
		s := k.idle[n-1] // the one whose storage was used last
		k.idle = k.idle[:n-1]
		return s, nil
	}
	k.made++
	made()
	return &buffer{done: make(chan struct{}, 1)}, nil
}

// await waits for a buffer, or for devices to be open.
func (k *stock) await(ctx context.Context, free <-chan *buffer) error {
	select {
	case s := <-free:
		k.put(s)
	case <-k.opened:
		k.opened = nil
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// isEarly reports whether enough is in flight for devices that are being opened.
func (k *stock) isEarly() bool {
	return k.opened != nil && k.flying > 0 && k.flying+k.typical > k.early
}

// takeBack takes what is free, without waiting.
func (k *stock) takeBack(free <-chan *buffer) {
	for {
		select {
		case s := <-free:
			k.put(s)
		default:
			return
		}
	}
}

func (k *stock) put(s *buffer) {
	k.end(s)
	k.idle = append(k.idle, s)
}

// hasRoom reports whether another batch may be read. One always may.
func (k *stock) hasRoom() bool {
	flying := k.made - len(k.idle)
	if flying == 0 {
		return true
	}
	most := maxBuffers
	if k.inFlight != nil {
		if n := k.inFlight(); n > 0 {
			most = min(n, most)
		}
	}
	return flying < most && k.room()
}
