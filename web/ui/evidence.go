package ui

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// DistinctEvidence returns list without the words that only put in writing what was picked or
// entered with the same message: those are shown with it. evidence.js does the same;
// testdata/evidence.json holds both to it.
func DistinctEvidence(list []obligations.Evidence) []obligations.Evidence {
	var out []obligations.Evidence
	for _, e := range list {
		i := slices.IndexFunc(out, func(o obligations.Evidence) bool {
			return o.Kind == obligations.WidgetInput && e.Kind == obligations.Stated && o.Message != "" && o.Message == e.Message
		})
		switch {
		case i < 0:
			out = append(out, e)
		case out[i].Quote == "":
			out[i].Quote, out[i].Span = e.Quote, e.Span
		}
	}
	return out
}

// EvidenceIntro tells the person called me in a few words what e is.
// nameOf gives the label of a key.
func EvidenceIntro(e obligations.Evidence, t *obligations.Template, me string, nameOf func(key string) string) string {
	words, pairs := EvidenceWords(e, t, me, nameOf)
	return strings.NewReplacer(pairs...).Replace(words)
}

// EvidenceWords is [EvidenceIntro] before the names are in their places: the words, and the
// pairs of places and what comes there.
func EvidenceWords(e obligations.Evidence, t *obligations.Template, me string, nameOf func(key string) string) (words string, pairs []string) {
	value, from := "", make([]string, len(e.Premises))
	if e.Proposal != nil {
		value = "“" + DisplayValue(t, e.Proposal.Value) + "”"
	}
	for i, key := range e.Premises {
		from[i] = nameOf(key)
	}
	return Phrases().Evidence[e.Kind], []string{"{who}", SpeakerName(e.By, me), "{value}", value, "{from}", language.And(from), "{source}", cmp.Or(e.Source, "a document")}
}

// SourceWithin is what stands beside a quote as its source; that of a file is named
// before it.
func SourceWithin(e obligations.Evidence) string {
	if e.Kind == obligations.Document {
		return ""
	}
	return e.Source
}

// Namer returns the function that names the obligations of list by key.
func Namer(list []obligations.Obligation) func(key string) string {
	return func(key string) string {
		if o := obligations.Find(list, key); o != nil {
			return o.Name()
		}
		return strings.ReplaceAll(key, "_", " ")
	}
}

// SpanAttribute is e's span for the script that highlights it; empty for none.
func SpanAttribute(e obligations.Evidence) string {
	if e.Span == nil {
		return ""
	}
	return fmt.Sprintf("[%d,%d]", e.Span.Start, e.Span.End)
}

// WebLink returns s when it is an address on the web a page may link to.
func WebLink(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", false
	}
	return s, true
}
