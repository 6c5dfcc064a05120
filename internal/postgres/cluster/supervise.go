package cluster

import (
	"context"
	"time"
)

// A server that lasts less than steadyAfter counts as a failure; after
// maxFailures in a row it is given up.
const (
	maxFailures = 5
	steadyAfter = time.Minute
	restartWait = 200 * time.Millisecond // doubled with every failure
)

// supervise starts the server again whenever it ends, until ctx ends or it has
// failed too often in a row.
func (c *Cluster) supervise(ctx context.Context) {
	defer close(c.done)
	since := time.Now()
	for failures := 0; failures < maxFailures; {
		if !c.current().awaitEnd(ctx, c.dir) {
			return
		}
		if time.Since(since) > steadyAfter {
			failures = 0
		}
		failures++
		c.log.WarnContext(ctx, "database ended unexpectedly, starting it again", "failures", failures)
		if !pause(ctx, restartWait<<(failures-1)) {
			return
		}
		since = time.Now()
		if err := c.restart(ctx); err != nil && ctx.Err() == nil {
			c.log.ErrorContext(ctx, "database did not start again", "err", err)
		}
	}
	c.log.ErrorContext(ctx, "database given up", "failures", maxFailures)
}

// restart brings a server back under the same address: one that this process starts, or
// one that another process has started meanwhile.
func (c *Cluster) restart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	pm, err := c.ensure(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pm = pm
	return nil
}

// pause waits for d and reports whether it passed before ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
