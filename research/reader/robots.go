package reader

import (
	"strconv"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
)

const (
	agentName     = "quaestor" // our name in robots.txt
	maxRobots     = 500 << 10  // bytes of a robots.txt that are read
	maxCrawlDelay = 10 * time.Second
)

// rules are the parts of a site's robots.txt that concern us.
type rules struct {
	group *robotstxt.Group // nil if everything is allowed
	delay time.Duration    // between requests; 0 if the site does not say
}

// allows reports whether a path with its query may be read.
func (r rules) allows(target string) bool {
	return r.group == nil || target == "/robots.txt" || r.group.Test(target)
}

// parseRobots parses a robots.txt. Unknown lines are skipped, so that neither a bad
// line nor a web page sent in its place has any effect.
func parseRobots(body []byte) rules {
	text, _ := decode(formPlain, "", body)
	data, err := robotstxt.FromString(sensible(text))
	if err != nil {
		return rules{group: deny()}
	}
	g := data.FindGroup(agentName)
	return rules{group: g, delay: min(max(g.CrawlDelay, 0), maxCrawlDelay)}
}

// deny is a group that disallows everything, for a file that cannot be parsed even
// without its unknown lines.
func deny() *robotstxt.Group {
	data, err := robotstxt.FromString("User-agent: *\nDisallow: /\n")
	if err != nil {
		panic(err) // cannot happen: the input is constant
	}
	return data.FindGroup(agentName)
}

// sensible returns the known directives: the agents, and the rules after the first
// of them.
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
