package packdrafts

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"quaestor/research/claims"
	"quaestor/research/warehouse/catalog"
)

// clean returns the paragraphs of a source without those that give orders to machines.
func clean(text string) string {
	var out []string
	for p := range strings.SplitSeq(text, "\n") {
		if !claims.Hostile(p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n")
}

// passages returns sentences of the documents that use most of the words of tables.
func passages(m Material) []string {
	known := tableWords(m)
	type scored struct {
		text string
		n    int
	}
	var list []scored
	for _, s := range m.Sources {
		for sentence := range strings.FieldsFuncSeq(clean(s.Text), func(r rune) bool { return r == '\n' || r == '.' || r == '!' || r == '?' }) {
			text := strings.Join(strings.Fields(strings.TrimLeft(sentence, "#*-•| ")), " ")
			if len([]rune(text)) < 30 || len([]rune(text)) > passageRunes || strings.Contains(text, "{{") || address.MatchString(text) || claims.Hostile(text) {
				continue
			}
			n := 0
			for _, w := range distinct(wordsOf(text)) {
				if known[catalog.Singular(w)] {
					n++
				}
			}
			list = append(list, scored{text + ".", n})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.n, a.n) })
	var out []string
	for _, s := range list {
		if len(out) < mostPassages && !slices.Contains(out, s.text) {
			out = append(out, s.text)
		}
	}
	return out
}

// tableWords returns the words in names of tables and columns, in the singular.
func tableWords(m Material) map[string]bool {
	out := map[string]bool{}
	for _, t := range m.Tables {
		for _, w := range wordsOf(t.Name) {
			out[catalog.Singular(w)] = true
		}
		for _, c := range t.Columns {
			for _, w := range wordsOf(c.Name) {
				out[catalog.Singular(w)] = true
			}
		}
	}
	return out
}

// common are words that are no terms.
var common = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`about after again also because been before being between both could does each every from have here into just like made make many more most much must never only other
		over same should since some such than that their them then there these they this those through under until very want were what when where which while will with within without would your
		aber alle auch beim dass dem den der die das diese dieser durch eine einem einen einer eines haben hier ihre immer jede jeder kann kein keine mehr muss nach nicht noch oder ohne sein seine sich
		sind sowie über unter vom von vor wenn werden wird wurde zum zur zwischen`) {
		out[w] = true
	}
	return out
}()

// termsOf returns what the documents speak of most and no table is called.
func termsOf(m Material) []string {
	known, count := tableWords(m), map[string]int{}
	for _, s := range m.Sources {
		for _, w := range wordsOf(clean(s.Text)) {
			if len([]rune(w)) >= 5 && !common[w] && !known[catalog.Singular(w)] && !strings.ContainsFunc(w, unicode.IsDigit) {
				count[w]++
			}
		}
	}
	var out []string
	for w, n := range count {
		if n >= leastTerm {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
	return out[:min(len(out), mostTerms)]
}

// wordsOf splits a text or a name into words in small letters.
func wordsOf(s string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteRune(' ')
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(' ')
		}
		before = r
	}
	return strings.Fields(b.String())
}

// titled returns the words of a name as a title.
func titled(name string) string {
	words := strings.Join(wordsOf(name), " ")
	if words == "" {
		return name
	}
	r := []rune(words)
	return clippedTo(string(unicode.ToUpper(r[0]))+string(r[1:]), maxTitle)
}

// slugOf returns a name as an identifier: small letters, digits and _.
func slugOf(name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		return ' '
	}, strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss").Replace(strings.ToLower(strings.Join(wordsOf(name), " "))))
	out := strings.Join(strings.Fields(ascii), "_")
	return strings.Trim(out[:min(len(out), 60)], "_")
}

// clippedTo returns at most n characters of s on one line.
func clippedTo(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	return string(r[:min(len(r), n)])
}
