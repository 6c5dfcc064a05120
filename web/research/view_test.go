package research_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"quaestor/obligations"
	"quaestor/research"
	"quaestor/sessions"
	researchpages "quaestor/web/research"
	"quaestor/web/talk"
	"quaestor/web/ui"
	"quaestor/web/webtest"
)

var noon = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

// quoting returns a claim that quotes text from one UTF-16 unit to another.
func quoting(text string, n, start, end int) research.Claim {
	span := obligations.Span{Start: start, End: end}
	quote, _ := span.Slice(text)
	return research.Claim{N: n, Source: 1, Text: "It says so", Quote: quote, Span: span, SHA256: strings.Repeat("ab", 32)}
}

// found returns a report on one source that was read.
func found(text string, claims ...research.Claim) researchpages.ReportView {
	task := research.Task{ID: "t-1", Status: research.Completed, Step: research.Proposing, Outcome: research.Found, Summary: "One source says so.", Created: noon, Started: &noon, Ended: &noon,
		Order: research.Order{Kind: research.MarketResearch, Trigger: research.UserRequest, Query: "How large is it?"}}
	source := research.Source{N: 1, URL: "https://trade.example/report", Title: "Trade report", State: research.SourceRead, SHA256: strings.Repeat("ab", 32), Published: "2024-05-12", ReadAt: &noon}
	return researchpages.ReportView{Report: research.Report{Task: task, Sources: []research.Source{source}, Claims: claims}, Base: "/research/t-1", Texts: map[int]string{1: text}}
}

func TestQuoteStandsInTheTextAroundIt(t *testing.T) {
	t.Parallel()

	words := strings.Repeat("🚲 before ", 60) + "THE QUOTE" + strings.Repeat(" after 🚲", 60)
	at := webtest.Coordinate(strings.Repeat("🚲 before ", 60))
	moved := quoting(words, 1, at, at+9)
	moved.Span.Start++
	for _, tt := range []struct {
		name  string
		claim research.Claim
		want  string // of the block, with … for what is left out
	}{
		{"in the middle", quoting(words, 1, at, at+9), "… before 🚲 before"},
		{"whose span is not that of its words", moved, "THE QUOTE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			p := webtest.Render(t, researchpages.Report(found(words, tt.claim)))
			block := p.Test("claim-quote")
			got := strings.TrimSpace(webtest.RawText(block))

			marks := p.Within(block).All(webtest.Tag("mark"))
			if len(marks) != 1 || webtest.RawText(marks[0]) != "THE QUOTE" {
				t.Fatalf("%d marks in %q, want one on the quote", len(marks), got)
			}
			if !strings.HasPrefix(strings.ReplaceAll(got, "… 🚲", "…"), tt.want) && got != tt.want || webtest.Coordinate(got) > 2*240+9+4 {
				t.Errorf("block of %d units %q, want it to begin with %q", webtest.Coordinate(got), got, tt.want)
			}
		})
	}
}

// Whatever is quoted, and however quotes overlap, the pages of a source hold its text once
// and mark each quote.
func TestSourcePagesSayTheTextAndMarkTheQuotes(t *testing.T) {
	t.Parallel()

	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", " ", "ö", "🚲", "\n", "<b>", "語", "&amp;", strings.Repeat("long ", 1500)}), 1, 40).Draw(rt, "text")
		text := strings.Join(pieces, "")
		var claims []research.Claim
		for n := range rapid.IntRange(0, 6).Draw(rt, "claims") {
			from := rapid.IntRange(0, len(pieces)-1).Draw(rt, "from")
			to := rapid.IntRange(from+1, len(pieces)).Draw(rt, "to")
			claims = append(claims, quoting(text, n+1, webtest.Coordinate(strings.Join(pieces[:from], "")), webtest.Coordinate(strings.Join(pieces[:to], ""))))
		}
		said, marked := "", map[string]string{}
		for page, last := 1, 1; page <= last; page++ {
			v := researchpages.SourceView{Document: research.Document{Source: found(text).Report.Sources[0], Content: text}, Claims: claims, Base: "/research/t-1", Page: page}
			p := webtest.Render(t, researchpages.Source(v))
			body := p.Test("source-body")
			for n := range body.ChildNodes() {
				if n.Data == "sup" || n.Type == html.TextNode {
					continue
				}
				said += webtest.RawText(n)
				for _, claim := range strings.Fields(webtest.Attr(n, "data-claims")) {
					marked[claim] += webtest.RawText(n)
				}
			}
			if nav := p.All(webtest.Tag("nav")); len(nav) > 0 {
				last = len(p.Within(nav[0]).All(webtest.Tag("a")))
			}
		}
		if said != text {
			rt.Fatalf("the pages say %.200q, want %.200q", said, text)
		}
		for _, c := range claims {
			if got := marked[fmt.Sprint(c.N)]; got != c.Quote {
				rt.Fatalf("marked for claim %d: %.200q, want %.200q", c.N, got, c.Quote)
			}
		}
	})
}

func TestMoreClaimsUnfold(t *testing.T) {
	t.Parallel()

	text := strings.Repeat("words ", 40)
	var claims []research.Claim
	for n := range 30 {
		claims = append(claims, quoting(text, n+1, n*6, n*6+5))
	}
	p := webtest.Render(t, researchpages.Report(found(text, claims...)))

	if all, folded := len(p.Tests("claim")), len(p.Within(p.Test("more-claims")).Tests("claim")); all != 30 || folded != 18 {
		t.Errorf("%d claims, %d of them folded, want 30 and 18", all, folded)
	}
}

func TestLinkLeadsOnlyToTheWeb(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct{ address, host string }{ // no host: no link
		{"https://trade.example/report", "trade.example"},
		{"HTTP://Trade.example:8080/", "Trade.example"},
		{"javascript:alert(1)", ""},
		{"data:text/html,x", ""},
		{"//trade.example/", ""},
		{"/documents/report.pdf", ""},
		{"https://bank.example@evil.example/", ""},
		{"https://evil.example/\u202egpj.exe", ""},
		{"ftp://trade.example/", ""},
		{"", ""},
	} {
		t.Run(tt.address, func(t *testing.T) {
			t.Parallel()

			v := found("x")
			v.Report.Sources[0].URL = tt.address
			links := webtest.Render(t, researchpages.Report(v)).Tests("source-link")

			switch {
			case tt.host == "" && len(links) > 0:
				t.Errorf("a link to %q", webtest.Attr(links[0], "href"))
			case tt.host != "" && (len(links) != 1 || !strings.HasPrefix(webtest.Text(links[0]), tt.host) || webtest.Attr(links[0], "rel") != "noopener noreferrer nofollow" || webtest.Attr(links[0], "target") != "_blank"):
				t.Errorf("no such link to %s", tt.host)
			}
		})
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()

	for in, want := range map[string]string{
		"plain\nwords\t": "plain\nwords\t", "\u202eevil\u202c": "evil", "\u2066a\u2069\u200f\u200e\u061c": "a", "a\x00b\x1b[1m\r": "ab[1m", "👩\u200d🌾 \u06a9\u200c": "👩\u200d🌾 \u06a9\u200c", "zero\u200bwidth\ufeff": "zerowidth", "tag\U000e0041": "tag",
	} {
		if got := ui.Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFigureWords(t *testing.T) {
	t.Parallel()

	for in, want := range map[string]string{
		``: "", `[]`: "", `null`: "", `{"words":1}`: "",
		`[{"words":"12 million EUR","value":12000000,"when":"2024","approximate":true},{"words":"3 %","value":3}]`: "about 12 million EUR (2024); 3 %",
	} {
		if got := researchpages.FigureWords([]byte(in)); got != want {
			t.Errorf("FigureWords(%s) = %q, want %q", in, got, want)
		}
	}
}

// A task that waits for a source tells what would help, not only that it waits.
func TestTaskWithoutSourcesSaysWhatWouldHelp(t *testing.T) {
	t.Parallel()

	v := found("nothing")
	v.Report.Task.Status, v.Report.Task.Note = research.Pending, research.NoSources

	got := webtest.Text(webtest.Render(t, researchpages.Report(v)).Test("report-outcome"))

	for _, want := range []string{"no research source", "documents", "search engine"} {
		if !strings.Contains(got, want) {
			t.Errorf("says %q, want %q in it", got, want)
		}
	}
}

// A card offers what its reader may do with the task as it stands.
func TestTaskCardOffersWhatIsPossible(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name   string
		change func(*talk.ChatView)
		want   []string // ids of what can be pressed
	}{
		{"queued", func(v *talk.ChatView) { v.Research[0].Status, v.Research[0].Proposal = research.Pending, nil }, []string{"steer", "cancel-task"}},
		{"running, to an observer", func(v *talk.ChatView) { v.Research[0].Status, v.Role = research.Running, sessions.ObserverRole }, nil},
		{"proposed", func(*talk.ChatView) {}, []string{"use", "not-right-send"}},
		{"proposed, to an observer", func(v *talk.ChatView) { v.Role = sessions.ObserverRole }, nil},
		{"proposed nothing", func(v *talk.ChatView) { v.Research[0].Proposal = nil }, nil},
		{"when another value is held by now", func(v *talk.ChatView) { v.Obligations[1].Value = webtest.Encoded(t, "goods") }, nil},
		{"for what is settled", func(v *talk.ChatView) { v.Obligations[1].Status = obligations.Satisfied }, nil},
		{"for what is in dispute", func(v *talk.ChatView) {
			v.Obligations[1].Negotiation = &obligations.Negotiation{Status: obligations.NegotiationActive}
		}, nil},
		{"in a finished interview", func(v *talk.ChatView) { v.Session.Status = sessions.Completed }, nil},
		{"for nothing that is there", func(v *talk.ChatView) { v.Research[0].Proposal.Key = "gone" }, nil},
		{"failed", func(v *talk.ChatView) { v.Research[0].Status = research.Failed }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()

			v := webtest.Sample(t)
			v.Role = sessions.OwnerRole
			task := found("x").Report.Task
			task.Order.Key, task.Proposal = "offer", &research.Proposal{Key: "offer", Value: webtest.Encoded(t, "saas")}
			v.Research, v.Obligations[1].Value = []research.Task{task}, webtest.Encoded(t, "saas")
			tt.change(&v)
			p := webtest.Render(t, talk.Chat(v))
			var got []string
			for _, n := range p.Within(p.Test("task")).All(webtest.Tag("button")) {
				got = append(got, webtest.Attr(n, "data-testid"))
			}

			if !slices.Equal(got, tt.want) {
				t.Errorf("it offers %v, want %v", got, tt.want)
			}
			if reports := p.Tests("task-report"); len(reports) != 1 {
				t.Errorf("%d links to the report, want 1", len(reports))
			}
		})
	}
}

func TestHostileTextInResearch(t *testing.T) {
	t.Parallel()

	for _, s := range webtest.Hostile {
		t.Run(s, func(t *testing.T) {
			t.Parallel()

			v := found(s, quoting(s, 1, 0, webtest.Coordinate(s)))
			r := &v.Report
			r.Task.ID, r.Task.User, r.Task.Summary, r.Task.Note, r.Task.Failure, r.Task.Order.Query = s, s, s, s, s, s
			r.Task.Order.Kind, r.Task.Order.Trigger, r.Task.Steering = research.Kind(s), research.Trigger(s), []research.Steer{{By: s, Text: s}}
			r.Task.Proposal = &research.Proposal{Key: "k", Value: webtest.Encoded(t, s), By: s}
			r.Claims[0].Text, r.Claims[0].Figures, r.Claims[0].Against = s, webtest.Encoded(t, []map[string]any{{"words": s, "when": s}}), []int{1, 2}
			r.Claims = append(r.Claims, research.Claim{N: 2, Source: 9, Text: s, Quote: s, Against: []int{1}})
			r.Sources[0].URL, r.Sources[0].Title, r.Sources[0].Published, r.Sources[0].SHA256 = s, s, s, s
			r.Sources = append(r.Sources, research.Source{N: 2, URL: s, Title: s, State: research.SourceFailed, Reason: s})
			r.Searches = []research.Search{{Query: s, Engine: s, Failure: s, Hits: []research.SearchHit{{URL: s, Title: s}}}}
			v.Interview = s
			chat := webtest.HostileView(t, s)
			for _, status := range []research.Status{research.Completed, research.Failed, research.Running} {
				r.Task.Status = status
				chat.Research, chat.Reports = []research.Task{r.Task}, map[string]research.Report{s: *r}
				source := researchpages.SourceView{Document: research.Document{Source: r.Sources[0], Content: s}, Claims: r.Claims, Base: "/research/t-1"}
				for _, p := range []webtest.Page{webtest.Render(t, researchpages.Report(v)), webtest.Render(t, researchpages.Source(source)), webtest.Render(t, talk.Chat(chat))} {
					for _, n := range p.Every() {
						webtest.CheckPolicy(t, s, n)
					}
				}
			}
		})
	}
}
