package language

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A Pattern is the name of a way in which people put something. How they put it stands, language by language, in
// patterns/<language>.txt; see docs/languages.md for the format. A name that a language does not have is recognised
// nowhere in it.
type Pattern string

//go:embed patterns/*.txt
var patternFiles embed.FS

// In reports whether text has the pattern in any language.
func (p Pattern) In(text string) bool {
	from, _ := p.At(text)
	return from >= 0
}

// At returns where text has the pattern first, in bytes; of several languages that of the longest stretch that begins
// first. Without the pattern both are -1.
func (p Pattern) At(text string) (from, to int) {
	words := Words(text)
	folded, starts := foldedWords(words)
	from, to = p.AtFolded(folded)
	if from < 0 {
		return -1, -1
	}
	first, _ := slices.BinarySearch(starts, from)
	last, _ := slices.BinarySearch(starts, to)
	if last == first { // it stands for no word at all
		return words[first].From, words[first].From
	}
	return words[first].From, words[last-1].To
}

// foldedWords joins words, marks among them, as [FoldWords] does, and returns where each of them begins.
func foldedWords(words []Word) (folded string, starts []int) {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		starts = append(starts, b.Len())
		b.WriteString(Fold(w.Text))
	}
	return b.String(), starts
}

// AtFolded is [Pattern.At] for text as [FoldWords] or [PlainWords] write it.
func (p Pattern) AtFolded(folded string) (from, to int) {
	from, to = -1, -1
	compile := patterns()[p]
	if compile == nil || folded == "" {
		return from, to
	}
	padded := " " + folded
	for _, re := range compile() {
		at := re.FindStringSubmatchIndex(padded)
		if at == nil {
			continue
		}
		group := 2
		for at[group] < 0 { // each form is a group
			group += 2
		}
		if f, t := at[group]-1, at[group+1]-1; from < 0 || f < from || f == from && t > to {
			from, to = f, t
		}
	}
	return from, to
}

// Cut returns text without the first stretch that has the pattern.
func (p Pattern) Cut(text string) string {
	from, to := p.At(text)
	if from < 0 {
		return text
	}
	return text[:from] + text[to:]
}

// patterns returns what compiles each pattern, an expression a language that has it, when it is first asked for.
var patterns = sync.OnceValue(func() map[Pattern]func() []*regexp.Regexp {
	forms := make(map[Pattern][]func() *regexp.Regexp)
	for tag, file := range PatternFiles() {
		for name := range file {
			if strings.HasPrefix(name, "{") {
				continue
			}
			p := Pattern(name)
			forms[p] = append(forms[p], func() *regexp.Regexp { return file.compile(name, Lexicons()[tag]) })
		}
	}
	out := make(map[Pattern]func() []*regexp.Regexp, len(forms))
	for p, list := range forms {
		out[p] = sync.OnceValue(func() []*regexp.Regexp {
			var all []*regexp.Regexp
			for _, compile := range list {
				all = append(all, compile())
			}
			return all
		})
	}
	return out
})

// A patternFile is what a file of patterns says: the forms of each pattern by its name, and what a name in braces
// stands for.
type patternFile map[string][]string

// PatternFiles returns the forms of all patterns, by language and name. Names in braces are parts of others.
var PatternFiles = sync.OnceValue(func() map[string]patternFile {
	out := make(map[string]patternFile)
	for tag, body := range DataFiles(patternFiles, "patterns", "patterns") {
		out[tag] = parsePatterns(body)
	}
	return out
})

// parsePatterns reads a file of patterns: a name at the beginning of a line, and its forms behind it or indented below.
func parsePatterns(body string) patternFile {
	out, name := make(patternFile), ""
	for line := range strings.SplitSeq(body, "\n") {
		form := strings.TrimSpace(line)
		if form == "" || strings.HasPrefix(form, "#") {
			continue
		}
		if !unicode.IsSpace(rune(line[0])) {
			name, form, _ = strings.Cut(form, " ")
			form = strings.TrimSpace(form)
		}
		if form != "" {
			out[name] = append(out[name], form)
		}
	}
	return out
}

// compile returns the expression for a pattern in text as [FoldWords] writes it, with a space before it. It panics for a
// form that is none, which the test of the files excludes.
func (f patternFile) compile(name string, l *Lexicon) *regexp.Regexp {
	var forms []string
	for _, form := range f[name] {
		begin := " "
		if rest, ok := strings.CutPrefix(form, "^^"); ok {
			begin, form = "^ ", rest
		} else if rest, ok := strings.CutPrefix(form, "^"); ok {
			begin, form = "^"+someMarks+" ", rest
		}
		forms = append(forms, begin+"("+f.expand(form, l)+")(?: |$)")
	}
	re, err := regexp.Compile(strings.Join(forms, "|"))
	if err != nil {
		panic(fmt.Sprintf("pattern %s: %v", name, err))
	}
	re.Longest()
	return re
}

// What stands between words: marks, which are words of their own, and within a sentence any words.
const (
	someMarks = `(?: [^\pL\d ]+)*`
	anyWords  = `(?: [^ .!?;]\S*)* `
)

// reference matches a name in braces; the sign behind it lets it be repeated.
var reference = regexp.MustCompile(`(\{[a-z][a-z-]*\})(\* |\+)?`)

// hyphen matches a hyphen within a word, which may be left out or be a space, and what has others: names and classes.
var hyphen = regexp.MustCompile(`\{[^}]*\}|\[[^\]]*\]|\pL-\pL`)

// uncaptured makes the groups of a form such that only forms as a whole are captured.
var uncaptured = strings.NewReplacer(`\(`, `\(`, "(?", "(?", "(", "(?:")

// expand writes out a form: what names in braces stand for, and the signs that only patterns have.
func (f patternFile) expand(form string, l *Lexicon) string {
	form = hyphen.ReplaceAllStringFunc(form, func(part string) string {
		if from, to, ok := strings.Cut(part, "-"); ok && part[0] != '{' && part[0] != '[' {
			return from + "( - | )?" + to
		}
		return part
	})
	form = strings.ReplaceAll(uncaptured.Replace(form), " … ", anyWords)
	form = strings.ReplaceAll(form, "$", someMarks+"$")
	return reference.ReplaceAllStringFunc(form, func(ref string) string {
		m := reference.FindStringSubmatch(ref)
		one := "(?:" + f.alternatives(m[1], l) + ")"
		switch m[2] {
		case "* ":
			return "(?:" + one + someMarks + " )*"
		case "+":
			return one + "(?:" + someMarks + " " + one + ")*"
		}
		return one
	})
}

// alternatives returns what a name in braces stands for: forms of the file, or else the words that the lexicon has of
// that kind.
func (f patternFile) alternatives(ref string, l *Lexicon) string {
	var out []string
	for _, form := range f[ref] {
		out = append(out, f.expand(form, l))
	}
	if out == nil {
		for word, kinds := range l.words {
			if _, ok := kinds[strings.Trim(ref, "{}")]; ok {
				out = append(out, regexp.QuoteMeta(strings.ReplaceAll(word, "_", " ")))
			}
		}
		slices.Sort(out)
	}
	if out == nil {
		panic("no words for " + ref)
	}
	return strings.Join(out, "|")
}
