package claims

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quaestor/internal/language"
)

// Bounds of a search query.
const (
	maxQueryBytes = 380
	maxSubject    = 8 // words of the question
	maxAround     = 5 // words of the context
)

// facets are what a kind of research looks at, one search each.
var facets = map[string][]string{
	"competitive_analysis": {"competitors", "alternatives comparison", "pricing"},
	"market_research":      {"market size", "growth forecast", "customers"},
	"tech_feasibility":     {"feasibility", "limits performance", "requirements"},
	"domain_research":      {"rules regulation", "standards", "requirements"},
	"integration_research": {"API documentation", "integration", "connector limits"},
}

// Plan returns the two to four searches that q needs, the plainest first, each at
// most 380 bytes. They are made of key words: never of addresses, numbers of
// people or things people said. A question without key words needs none.
func Plan(q ResearchQuestion) []string {
	q = q.tidy()
	words := keyWords(q.Text, maxSubject)
	for _, t := range q.Terms {
		words = more(words, keyWords(t, 3), maxSubject+4)
	}
	around := more(nil, without(keyWords(q.Context, 3*maxAround), words), maxAround)
	if len(words) == 0 {
		words, around = around, nil
	}
	if len(words) == 0 {
		return nil
	}
	words, around = q.wantedWords(words), q.wantedWords(around)
	only := q.steering()
	out := []string{query380(words, around, only)}
	for _, f := range facetsOf(q.Kind) {
		facet := strings.Fields(f)
		subject := without(words, facet)
		if s := query380(subject[:min(len(subject), 5)], around[:min(len(around), 3)], only, facet); !slices.Contains(out, s) && len(out) < 4 {
			out = append(out, s)
		}
	}
	return out
}

func facetsOf(kind string) []string {
	if f := facets[kind]; f != nil {
		return f
	}
	return []string{"overview", "facts figures"}
}

// query380 joins groups of words, as many as fit.
func query380(groups ...[]string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, g := range groups {
		for _, w := range g {
			if seen[strings.ToLower(w)] || b.Len()+1+len(w) > maxQueryBytes {
				continue
			}
			seen[strings.ToLower(w)] = true
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	return b.String()
}

// steering returns what a search can be told of Only and Since.
func (q ResearchQuestion) steering() []string {
	var out []string
	for _, o := range q.Only {
		first, _, _ := strings.Cut(o, "|")
		out = append(out, keyWords(first, 4)...)
	}
	if q.Since > 0 {
		out = append(out, strconv.Itoa(q.Since))
	}
	return out
}

// wantedWords drops from words what the person does not want.
func (q ResearchQuestion) wantedWords(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return mentions(run(w), folds(q.Without)) })
}

// without returns the words of list whose stems are not among those of others.
func without(list, others []string) []string {
	have := map[string]bool{}
	for _, w := range others {
		have[language.Stem(strings.ToLower(w))] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return have[language.Stem(strings.ToLower(w))] })
}

// more adds the words that list does not have, up to limit in all.
func more(list, words []string, limit int) []string {
	for _, w := range without(words, list) {
		if len(list) < limit {
			list = append(list, w)
		}
	}
	return list
}

// private are things of a person that no search may carry: addresses, account
// and phone numbers, names after an address of courtesy or an introduction, what
// stands in quotation marks, and answers that came along with a question.
var private = []*regexp.Regexp{
	answerSoFar,
	regexp.MustCompile(`\S+@\S+`),
	regexp.MustCompile(`(?i)\b(?:https?://|www\.)\S+`),
	regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`),
	regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){2,}(?: ?[0-9A-Z]{1,4})?\b`),
	regexp.MustCompile(`\+?\(?\d[\d ()./-]{6,}\d`),
	regexp.MustCompile(`(?i)\b(?:\w*\d){5,}\w*`),
	regexp.MustCompile(`(?i)\b(?:[a-z]+[-_#]\d{3,}|[0-9a-f]{12,})\b`),
	regexp.MustCompile(`\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|Sr|Sra)\.? +\p{Lu}[\p{L}'’-]+(?: +\p{Lu}[\p{L}'’-]+)*`),
	regexp.MustCompile(`(?i:\b(?:my name is|my name's|i am called|i'm called|call me|this is|signed|contact person is|our (?:ceo|cto|cfo|founder|boss|manager) is?)) +\p{Lu}[\p{L}'’-]+(?: +\p{Lu}[\p{L}'’-]+)*`),
	regexp.MustCompile(`"[^"\n]{30,}"|“[^”\n]{30,}”|«[^»\n]{30,}»|„[^“”\n]{30,}[“”]`),
}

// public returns s without what is private in it.
func public(s string) string {
	for _, r := range private {
		s = r.ReplaceAllString(s, " ")
	}
	return s
}

// asking are words of questions and talk that no page answers with.
var asking = byWord(`tell know think want like need find look check research please question answer context help give see say guess believe maybe probably try going get main important describe name list work today currently
	sure thanks hello hi really actually basically kind sort thing things stuff something anything okay yes no unsure idea exactly specifically would hope big large long high roughly ask asked told mentioned person session summarise summarize`)

// keyWords returns up to limit words of s that a search can use, as they are
// written, each once.
func keyWords(s string, limit int) []string {
	s = public(clip(s, 8000))
	var out []string
	seen := map[string]bool{}
	for _, t := range cut(s) {
		useful := t.content() && !asking[t.stem] || t.class == number && len(t.text) <= 4
		if !useful || seen[t.stem+t.text] || len(t.text) > 40 || strings.Contains(t.text, "://") {
			continue
		}
		seen[t.stem+t.text] = true
		if out = append(out, strings.Trim(s[t.from:t.to], "'’")); len(out) == limit {
			break
		}
	}
	return out
}
