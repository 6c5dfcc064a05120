package language

import "strings"

// Stem brings the forms of an English word in lower case together, roughly: grow, grows,
// growing and grew; company, company's and companies; organisation and organization. What it
// returns is to be compared and not to be shown. Words of other languages lose an ending now
// and then, on both sides of a comparison alike.
func Stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	if base := irregular[w]; base != "" {
		return base
	}
	if len(w) < 4 || strings.ContainsAny(w, "0123456789") {
		return w
	}
	w = ending(w)
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if strings.HasSuffix(w, "our") && len(w) > 4 {
		w = w[:len(w)-3] + "or"
	}
	if strings.Contains(w, "yz") || strings.Contains(w, "iz") {
		w = strings.ReplaceAll(strings.ReplaceAll(w, "yz", "ys"), "iz", "is")
	}
	return w
}

// ending takes off what a plural, a tense or an adverb adds.
func ending(w string) string {
	n := len(w)
	switch {
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "ied") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "ing") && n > 5:
		return single(w[:n-3])
	case strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && n > 4:
		return single(w[:n-2])
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "zes"):
		return w[:n-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:n-1]
	case strings.HasSuffix(w, "ly") && n > 5:
		return w[:n-2]
	}
	return w
}

// single undoes the doubling before -ed and -ing.
func single(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

var irregular = invert(`grow: grew grown growth
	rise: rose risen
	fall: fell fallen
	shrink: shrank shrunk
	sell: sold sale sales
	buy: bought
	build: built
	pay: paid
	mak: made
	lead: led
	win: won
	los: lost loss losses
	hold: held
	begin: began begun
	people: person persons
	man: men
	woman: women
	child: children
	cost: costing
	drop: dropped
	b: is was are were been being be am
	hav: has had have having
	do: does did done
	analysis: analyses
	busines: business businesses
	us: using used uses use`)

// invert reads lines of "name: word word" as a map from word to name.
func invert(s string) map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(s) {
		name, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		for w := range strings.FieldsSeq(words) {
			out[w] = name
		}
	}
	return out
}
