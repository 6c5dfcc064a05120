package reader

import (
	"strconv"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
)

const (
	agentName     = "quaestor" // what robots.txt calls us
	maxRobots     = 500 << 10  // bytes of a robots.txt that are read
	maxCrawlDelay = 10 * time.Second
)

// rules are what one site asks of us.
type rules struct {
	group *robotstxt.Group // nil if everything may be read
	delay time.Duration    // between requests; 0 if the site does not say
}

// allows reports whether a path with its query may be read.
func (r rules) allows(target string) bool {
	return r.group == nil || target == "/robots.txt" || r.group.Test(target)
}

// parseRobots reads a robots.txt. Lines that are none of its few are passed over,
// so one bad line, or a page sent in its place, says nothing.
func parseRobots(body []byte) rules {
	text, _ := decode(formPlain, "", body)
	data, err := robotstxt.FromString(sensible(text))
	if err != nil {
		return rules{group: deny()}
	}
	g := data.FindGroup(agentName)
	return rules{group: g, delay: min(max(g.CrawlDelay, 0), maxCrawlDelay)}
}

// deny is a group that allows nothing: for a file whose sensible lines still
// cannot be read.
func deny() *robotstxt.Group {
	data, err := robotstxt.FromString("User-agent: *\nDisallow: /\n")
	if err != nil {
		panic(err) // two constant lines
	}
	return data.FindGroup(agentName)
}

// sensible returns the lines that say something: agents, and rules after the
// first of them.
func sensible(text string) string {
	var b strings.Builder
	started := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		line, _, _ = strings.Cut(line, "#")
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if !ok || len(value) > 2048 {
			continue
		}
		switch key {
		case "user-agent":
			started = started || value != ""
		case "crawl-delay":
			if seconds, err := strconv.ParseFloat(value, 64); err != nil || !(seconds >= 0 && seconds < 1e6) {
				continue
			}
		case "allow", "disallow":
		default:
			continue
		}
		if started {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	return b.String()
}
