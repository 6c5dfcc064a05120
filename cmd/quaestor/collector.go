package main

import (
	"os"
	"runtime/debug"
)

// How the garbage collector is set where the environment does not say. The heap may
// grow by roomPercent of what is alive and of the ballast: Go's own setting lets a
// small server collect every few turns, and a big one hold as much garbage as data.
// The two meet at some 60 MB alive.
const (
	ballastBytes = 96 << 20 // never touched, so it takes addresses and no memory
	roomPercent  = 40
)

// setCollector sets the garbage collector, unless GOGC or GOMEMLIMIT do. What it
// returns must be kept alive for as long as that shall hold.
func setCollector() (ballast []byte) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	debug.SetGCPercent(roomPercent)
	return make([]byte, ballastBytes)
}
