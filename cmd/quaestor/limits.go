package main

import (
	"errors"
	"math"
	"net/url"
	"os"
	"strings"
	"time"

	"quaestor/internal/embedding"
	"quaestor/internal/fault"
	"quaestor/research/warehouse/analyst"
)

// minConns is the fewest connections that a process needs. With one alone it would
// wait for itself: a refresh of a warehouse's schema holds a connection for its lock
// while it writes through another.
const minConns = 2

// maxConns is the most connections that a process may open. Each is a process of
// PostgreSQL, and far more of them than processors only slow the server down.
const maxConns = 500

// most stands for "no upper limit" in the table of [Settings.checkNumbers].
const most = math.MaxInt32

// checkNumbers returns a fault for the first number with which the server would start
// but not work.
func (s *Settings) checkNumbers() error {
	for _, n := range []struct {
		flag        string
		is          int
		least, most int
	}{
		{"max-conns", int(s.MaxConns), minConns, maxConns},
		{"model-window", s.ModelWindow, analyst.MinWindow, most},
		{"embedding-dimension", s.EmbeddingDimension, 0, embedding.Stored},
		{"keep-prompts", s.KeepPrompts, 0, maxKeepPrompts},
		{"research-daily", s.ResearchDaily, 0, most},
	} {
		switch {
		case n.is >= n.least && n.is <= n.most:
		case n.most == most:
			return fault.New(fault.Invalid, "must be %d or more, not %d", n.least, n.is).At(setting(n.flag))
		default:
			return fault.New(fault.Invalid, "must be %d to %d, not %d", n.least, n.most, n.is).At(setting(n.flag))
		}
	}
	for flag, price := range map[string]float64{"prompt-price": s.PromptPrice, "reply-price": s.ReplyPrice} {
		if !(price >= 0) || math.IsInf(price, 0) {
			return fault.New(fault.Invalid, "must be 0 or more, not %v", price).At(setting(flag))
		}
	}
	return s.checkPolicy()
}

// checkPolicy returns a fault for a default that organisations could not choose
// themselves. The fault names the field of the policy; its flag is called alike, but
// for keep instead of kept: keptJobsDays is --keep-jobs-days.
func (s *Settings) checkPolicy() error {
	err := s.policy().Check()
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	flag := strings.Replace(kebab(f.Field), "kept-", "keep-", 1)
	return fault.New(fault.Invalid, "%s", f.Message).At(setting(flag))
}

// checkTimes returns a fault for the first duration with which the server would start
// but not work.
func (s *Settings) checkTimes() error {
	for _, d := range []struct {
		flag      string
		is, least time.Duration
	}{
		{"turn-limit", s.TurnLimit, time.Second},
		{"head-start", s.HeadStart, 0},
		{"drain-limit", s.DrainLimit, 0},
		{"research-lease", s.ResearchLease, time.Second},
	} {
		if d.is < d.least {
			return fault.New(fault.Invalid, "must be %s or more, not %s", d.least, d.is).At(setting(d.flag))
		}
	}
	return nil
}

// checkAddresses returns a fault for the first setting that should be the address of
// another server and is not. The fault does not repeat the value: it may hold a key
// by mistake.
func (s *Settings) checkAddresses() error {
	for _, a := range []struct{ flag, is string }{
		{"model-url", s.ModelURL}, {"embedding-url", s.EmbeddingURL}, {"searxng-url", s.SearXNGURL}, {"brave-url", s.BraveURL},
		{"tavily-url", s.TavilyURL}, {"speech-url", s.SpeechURL}, {"governance-url", s.GovernanceURL},
	} {
		u, err := url.Parse(a.is)
		switch {
		case a.is == "":
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
			return fault.New(fault.Invalid, "must be an address such as https://host/v1").At(setting(a.flag))
		case u.User != nil:
			return fault.New(fault.Invalid, "must hold no user or password; give the key in the setting for it").At(setting(a.flag))
		case a.flag != "governance-url" && (u.RawQuery != "" || u.Fragment != ""):
			return fault.New(fault.Invalid, "must end before the ? or the #; paths are put at its end").At(setting(a.flag))
		}
	}
	return nil
}

// checkFolders returns a fault for the first folder that was named and is missing.
// The default folder of documents, in the data folder, may be made later.
func (s *Settings) checkFolders() error {
	for _, d := range []struct{ flag, is string }{{"documents-dir", s.DocumentsDir}, {"warehouse-dir", s.WarehouseDir}} {
		if d.is == "" {
			continue
		}
		if st, err := os.Stat(d.is); err != nil || !st.IsDir() {
			return fault.New(fault.Invalid, "must be a folder that this user may read; %s is none: make it, or name another", d.is).At(setting(d.flag))
		}
	}
	return nil
}
