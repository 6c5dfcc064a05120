package reader

import (
	"fmt"
	"testing"
	"time"
)

func TestHostsAreForgottenOldestFirstAndNeverInUse(t *testing.T) {
	t.Parallel()

	h := hosts{all: make(map[string]*host)}
	start := time.Now()
	busy := h.enter("busy", start)
	h.leave(h.enter("first", start.Add(time.Second)))
	for i := range maxHosts {
		h.leave(h.enter(fmt.Sprint(i), start.Add(time.Hour+time.Duration(i)*time.Second)))
	}

	if len(h.all) > maxHosts {
		t.Errorf("%d hosts are kept, want %d", len(h.all), maxHosts)
	}
	if h.all["busy"] != busy || h.all["first"] != nil || h.all["0"] != nil || h.all[fmt.Sprint(maxHosts-1)] == nil {
		t.Error("a host in use was forgotten, or one that nobody came to was kept")
	}
}

func TestCrawlDelayIsAtMostTenSeconds(t *testing.T) {
	t.Parallel()

	for said, want := range map[string]time.Duration{"3": 3 * time.Second, "0.5": 500 * time.Millisecond, "86400": 10 * time.Second, "-1": 0, "NaN": 0, "1e300": 0, "": 0} {
		if got := parseRobots([]byte("User-agent: *\nCrawl-delay: " + said + "\nDisallow:\n")).delay; got != want {
			t.Errorf("Crawl-delay %s = %s, want %s", said, got, want)
		}
	}
}

func TestALargeRobotsIsReadInTime(t *testing.T) {
	t.Parallel()

	start := time.Now()
	body := "User-agent: *\n"
	for i := range 10_000 {
		body += fmt.Sprintf("Disallow: /*a%d*b$\n", i)
	}

	if r := parseRobots([]byte(body)); r.allows("/xa7yb") || !r.allows("/x") {
		t.Error("the rules do not hold")
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("reading took %s", d)
	}
}
