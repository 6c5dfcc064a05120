package claims

import "strings"

// stem brings the forms of an English word together, roughly: grow, grows,
// growing, grew; company, company's, companies. Words of other languages lose an
// ending now and then, on both sides of a comparison alike.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	if base := irregular[w]; base != "" {
		return base
	}
	if len(w) < 4 || hasDigit(w) {
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

var irregular = table(`grow: grew grown growth
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

// stopwords carry no subject of their own.
var stopwords = set(`a an the this that these those it its they them their theirs there here he she his her him we us our ours you your yours i me my mine who whom whose which what
	when where why how and or but nor so if then than as of at by for from in into on onto to with within without about above across after again against all also among any are be been being
	am is was were before below between both can could did do does doing done down during each either else ever every few further had has have having just like may might more most much must
	not no never none neither now off often once one only other others our out over own per please rather same shall should since some such too under until till up upon very via was will would yet
	while whereas though although however therefore thus because due according etc eg ie e.g i.e s t re ve ll d m yes ok still even well new said says say lot many let's it's that's there's
	i'm i've i'd we're we've you're they're don't doesn't didn't isn't aren't wasn't weren't can't won't cannot`)

// content reports whether t is a word that carries meaning.
func (t *token) content() bool {
	return t.class == word && !stopwords[t.text] && (len(t.text) > 1 || t.text > "~")
}

// stems returns the stems of the content words of s, each once, in order.
func stems(s string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range cut(s) {
		if t.content() && !seen[t.stem] {
			seen[t.stem] = true
			out = append(out, t.stem)
		}
	}
	return out
}
