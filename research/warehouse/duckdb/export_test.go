//go:build duckdb && cgo

package duckdb

import (
	"context"
	"time"
)

// Make makes a DuckDB file of a script, as the sample data is made.
func Make(c *Connector, file, script string) error {
	p, err := startProcess(c.Child)
	if err != nil {
		return err
	}
	defer p.close()
	var got openReply
	return p.ask(context.Background(), request{Do: "build", Open: openRequest{File: file, Memory: 1 << 30, Scratch: p.scratch}, Text: script}, time.Minute, only(frameOpened, &got))
}

// Pid is the process that has the data open; 0 for none.
func (c *Conn) Pid() int {
	c.data.mu.Lock()
	defer c.data.mu.Unlock()
	if c.data.child == nil || c.data.child.gone() {
		return 0
	}
	return c.data.child.cmd.Process.Pid
}

// SetIdle says how long children may have nothing to do.
func (c *Conn) SetIdle(d time.Duration) { c.data.idle, c.trees.idle = d, d }

// Ended is closed when the process that has the data open is gone.
func (c *Conn) Ended() <-chan struct{} {
	c.data.mu.Lock()
	defer c.data.mu.Unlock()
	return c.data.child.ended
}
