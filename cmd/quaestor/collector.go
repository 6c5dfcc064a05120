package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// How the garbage collector is set where the environment does not say. The heap may
// grow by so many percent of what is alive and of the ballast: Go's own setting lets
// a small server collect every few turns, and a big one hold as much garbage as data.
// The two meet at some 30 MB alive; with twice the ballast a turn cost as much
// processor, and a stream 40 KB more. A server that has little to do collects more
// often: while streams flow, what it saves is memory of each of them, and the
// collections are few all the same.
const (
	ballastBytes = 48 << 20 // never touched, so it takes addresses and no memory
	roomPercent  = 20
	busyPercent  = 40
	busyAllocs   = 32 << 20 // bytes allocated between two looks from which a server is busy: some 125 turns
)

// When a server is at rest. The collector runs when the heap has grown, so one that
// stops working just before would keep its garbage until somebody comes, and one that
// stops just after would keep the memory it was in.
const (
	restFor    = time.Second / 2 // between two looks
	restAllocs = 1 << 20         // bytes allocated meanwhile, at most: a few turns
	restWaste  = 8 << 20         // bytes of garbage and of free memory that are worth giving back
)

// collect sets the garbage collector and keeps the process tidy, unless the
// environment says how. What it returns ends that.
func collect() (end func()) {
	ballast := setCollector()
	if ballast == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { tidy(ctx) })
	return func() {
		cancel()
		wg.Wait()
		runtime.KeepAlive(ballast)
	}
}

// setCollector sets the garbage collector, unless GOGC or GOMEMLIMIT do. What it
// returns must be kept alive for as long as that shall hold.
func setCollector() (ballast []byte) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	debug.SetGCPercent(roomPercent)
	return make([]byte, ballastBytes)
}

// tidy sets how much garbage there may be by how busy the server is, and gives back
// what nobody needs whenever it comes to rest, until ctx ends.
func tidy(ctx context.Context) {
	tick := time.NewTicker(restFor)
	defer tick.Stop()
	busy := false
	for last := lookAtHeap(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := lookAtHeap()
		if now.busy(last) != busy {
			busy = !busy
			debug.SetGCPercent(percent(busy))
		}
		if now.resting(last) {
			debug.FreeOSMemory()
			now = lookAtHeap()
		}
		last = now
	}
}

// percent is how much of what is alive a server's garbage may come to.
func percent(busy bool) int {
	if busy {
		return busyPercent
	}
	return roomPercent
}

// heap is where the heap stands, in bytes.
type heap struct {
	allocated uint64 // since the start
	held      uint64 // alive or not collected yet
	alive     uint64 // when it was collected last
	free      uint64 // of the system's memory, with nothing in it
}

func lookAtHeap() heap {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	return heap{allocated: s[0].Value.Uint64(), held: s[1].Value.Uint64(), alive: s[2].Value.Uint64(), free: s[3].Value.Uint64()}
}

// resting reports whether little happened since an earlier look and there is
// something to give back.
func (h heap) resting(earlier heap) bool {
	return h.allocated-earlier.allocated <= restAllocs && h.held+h.free > h.alive+restWaste
}

// busy reports whether much was allocated since an earlier look.
func (h heap) busy(earlier heap) bool { return h.allocated-earlier.allocated >= busyAllocs }
