package rules

import (
	"slices"
	"strings"

	"quaestor/obligations"
	"quaestor/sessions"
)

// inSummary returns what a summary of list shows, line by line: by category, in the
// order of the objective.
func inSummary(list []obligations.Obligation) []*obligations.Obligation {
	var out []*obligations.Obligation
	at := map[string]int{}
	for i := range list {
		o := &list[i]
		if o.Value == nil || o.Status == obligations.Skipped {
			continue
		}
		if _, ok := at[o.Category]; !ok {
			at[o.Category] = len(at)
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b *obligations.Obligation) int { return at[a.Category] - at[b.Category] })
	return out
}

// lineNouns are what people call a line of the summary.
var lineNouns = set("one line point item entry bullet answer row thing")

// lastAnswers are names for what was told last.
var lastAnswers = phrases("last answer", "previous answer")

// lineOf returns the obligation whose line of the summary just shown words from to
// (excluded) open with: "the first one", "point 3". "My last answer" is what was told
// last wherever it is said.
func (r *reader) lineOf(from, to int) (cueHit, bool) {
	u, at := r.u, from
	if owners[u.at(at)] {
		at++
	}
	if n, last := u.starts(at, to, lastAnswers), r.answeredLast(); n > 0 && len(last) == 1 {
		return cueHit{o: last[0], from: from, to: at + n, label: true}, true
	}
	if r.purpose() != sessions.ToFinish {
		return cueHit{}, false
	}
	shown := inSummary(r.scene.Obligations)
	end := at + 1
	switch {
	case at >= to:
		return cueHit{}, false
	case ordinals[u.at(at)] != 0 && lineNouns[u.at(at+1)]:
		end = at + 2
	case ordinals[u.at(at)] != 0 && (linkVerbs[u.at(at+1)] || u.at(at+1) == "should" || u.at(at+1) == "to"):
	case (lineNouns[u.at(at)] || u.at(at) == "number") && isDigit(u.at(at+1)):
		at, end = at+1, at+2
	default:
		return cueHit{}, false
	}
	i := u.place(at, len(shown))
	if i < 0 || end > to {
		return cueHit{}, false
	}
	return cueHit{o: shown[i], from: from, to: end, label: true}, true
}

// akin returns the one obligation held that a word akin to one of its name, its cues or
// its question stands for, where the summary was just shown: "payment" for how customers
// pay. What is said of it must say that it is wrong or what it should be.
func (r *reader) akin(from, to int) (cueHit, bool) {
	word := r.u.at(from)
	if from >= to || r.purpose() != sessions.ToFinish || len(word) < 4 || generalWords[word] ||
		r.u.starts(from+1, to, wrongWords)+r.u.starts(from+1, to, shouldWords) == 0 {
		return cueHit{}, false
	}
	var found cueHit
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		if o.Value == nil || !r.akinTo(o, r.u.words[from].stem) {
			continue
		}
		if found.o != nil {
			return cueHit{}, false
		}
		found = cueHit{o: o, from: from, to: from + 1}
	}
	return found, found.o != nil
}

// endings make one word of another: pay, payment, payer.
var endings = set("ment er or ing al ance ation ity y e")

func (r *reader) akinTo(o *obligations.Obligation, stem string) bool {
	for _, s := range stems(cut(strings.Join(append(slices.Clone(o.Cues), o.Name(), o.Prompt), " "))) {
		long, short := s, stem
		if len(long) < len(short) {
			long, short = short, long
		}
		if rest, ok := strings.CutPrefix(long, short); ok && len(short) >= 3 && (rest == "" || endings[rest]) && !smallStems[s] {
			return true
		}
	}
	return false
}
