package spoken

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a value that was asked for is, as far as it matters how it is spoken.
type Kind string

// The kinds.
const (
	Prose      Kind = "prose" // anything else
	Name       Kind = "name"
	Email      Kind = "email"
	Phone      Kind = "phone"
	Identifier Kind = "identifier" // a postcode, a number of a contract
	Address    Kind = "address"    // where a letter goes to
	Figure     Kind = "figure"
	Date       Kind = "date"
	Choice     Kind = "choice" // one of several, or yes or no
)

// Written returns a transcript with what was spelled or dictated in it as people write it,
// in the language of a BCP 47 tag, when a value of that kind was asked for:
//
//   - letters one by one, and words of spelling alphabets: "S C H M I D T", "S wie
//     Siegfried", "sierra charlie hotel". Two letters are enough where a name is asked for,
//     three elsewhere;
//   - a name with a hint: "Schmitt with d t" is "Schmidt";
//   - addresses: "anna dot meyer at example dot org";
//   - digits one by one, where a phone number or an identifier is asked for: "oh seven nine
//     double two".
//
// Numbers and dates in words stay: package language reads them as they are. Everything else
// stays as it was heard.
func Written(language, transcript string, kind Kind) string {
	if kind == Choice {
		return withoutBreath(transcript)
	}
	s := &script{vocabulary: wordsOf(language), kind: kind, tokens: tokensOf(transcript)}
	var steps []func(int) (string, int)
	if kind != Figure && kind != Date {
		steps = append(steps, s.address, s.spelling)
	}
	if kind == Phone || kind == Identifier {
		steps = append(steps, s.dictated)
	}
	for _, step := range steps {
		s.rewrite(step)
	}
	if kind == Name || kind == Prose {
		s.hints()
	}
	if kind == Name {
		s.merge()
	}
	return s.String()
}

// withoutBreath leaves out what a recogniser makes of a breath after a plain yes or no: "yes the".
func withoutBreath(transcript string) string {
	words := strings.Fields(transcript)
	n := len(words)
	for n > 1 && (words[n-1] == "the" || words[n-1] == "a" || words[n-1] == "and") {
		n--
	}
	rest := strings.Join(words[:n], " ")
	if _, clear := YesOrNo(rest); clear && n < len(words) {
		return rest
	}
	return transcript
}

// token is a word of a transcript with the marks around it.
type token struct {
	before, word, after string
	spelled             bool // it was made of letters
}

func (t token) lower() string { return strings.ToLower(t.word) }

// hyphenedLetters matches letters that are spelled with hyphens: "S-C-H", "d-t".
var hyphenedLetters = regexp.MustCompile(`^\pL(-\pL)+$`)

// tokensOf cuts a transcript at white space, and letters with hyphens into letters.
func tokensOf(text string) []token {
	var out []token
	for field := range strings.FieldsSeq(text) {
		word := strings.TrimFunc(field, isMark)
		from := strings.Index(field, word)
		t := token{before: field[:from], word: word, after: field[from+len(word):]}
		if !hyphenedLetters.MatchString(word) {
			out = append(out, t)
			continue
		}
		letters := strings.Split(word, "-")
		for i, letter := range letters {
			part := token{word: letter}
			if i == 0 {
				part.before = t.before
			}
			if i == len(letters)-1 {
				part.after = t.after
			}
			out = append(out, part)
		}
	}
	return out
}

// isMark reports whether r is a mark around words. Those of addresses are not.
func isMark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+@_%$€£", r)
}

// script is a transcript under way.
type script struct {
	vocabulary

	kind   Kind
	tokens []token
}

func (s *script) String() string {
	parts := make([]string, len(s.tokens))
	for i, t := range s.tokens {
		parts[i] = t.before + t.word + t.after
	}
	return strings.Join(parts, " ")
}

// word returns the word i in lower case, or nothing beyond the end.
func (s *script) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].lower()
}

// phrase returns how many tokens from i are one of some phrases, the longest; 0 for none.
func (s *script) phrase(i int, phrases []string) int {
	best := 0
	for _, p := range phrases {
		words := strings.Fields(p)
		n := 0
		for n < len(words) && s.word(i+n) == words[n] {
			n++
		}
		if n == len(words) {
			best = max(best, n)
		}
	}
	return best
}

// rewrite replaces what read finds from each token, which is so many tokens.
func (s *script) rewrite(read func(int) (string, int)) {
	for i := 0; i < len(s.tokens); i++ {
		text, n := read(i)
		if n == 0 {
			continue
		}
		last := s.tokens[i+n-1]
		made := token{s.tokens[i].before, text, last.after, true}
		s.tokens = append(append(s.tokens[:i:i], made), s.tokens[i+n:]...)
	}
}

// letter reads one letter from token i: "s", "S.", "sierra", "s as in sugar", "double t",
// "capital s". It returns how many tokens that are, and whether it is plain: a letter alone,
// which may also be a word such as "a".
func (s *script) letter(i int) (text string, n int, plain bool) {
	if k := s.phrase(i, s.twice); k > 0 {
		if text, n, _ := s.letter(i + k); n > 0 && utf8.RuneCountInString(text) == 1 {
			return text + text, k + n, false
		}
		if s.word(i) == "double" && s.word(i+1) == "you" {
			return "w", 2, false
		}
		return "", 0, false
	}
	if k := s.phrase(i, s.large); k > 0 {
		if text, n, _ := s.letter(i + k); n > 0 {
			return strings.ToUpper(text), k + n, false
		}
		return "", 0, false
	}
	w := s.word(i)
	if r, size := utf8.DecodeRuneInString(w); size == len(w) && unicode.IsLetter(r) {
		if k := s.phrase(i+1, s.as); k > 0 && strings.HasPrefix(s.word(i+1+k), w) && len(s.word(i+1+k)) > 1 {
			return w, 2 + k, false
		}
		return w, 1, true
	}
	if l, ok := s.letters[w]; ok {
		return l, 1, false
	}
	return "", 0, false
}

// spelling reads a run of letters from token i, and digits among them where those belong.
func (s *script) spelling(i int) (string, int) {
	var b strings.Builder
	n, letters, plain := 0, 0, 0
	for i+n < len(s.tokens) {
		text, k, bare := s.letter(i + n)
		if k == 0 && s.kind == Identifier {
			text, k = s.digit(i + n)
		} else if k > 0 {
			letters++
		}
		if k == 0 {
			break
		}
		if bare {
			plain++
		}
		b.WriteString(text)
		n += k
		if strings.ContainsAny(s.tokens[i+n-1].after, ";:!?") {
			break
		}
	}
	least := 3
	if s.kind == Name || s.kind == Identifier {
		least = 2
	}
	if letters < least || s.sentence(i, n) {
		return "", 0
	}
	return s.cased(b.String()), n
}

// sentence reports whether letters from i are words: "I" and "a" beside each other, or words
// of an alphabet that follow a word such as "with".
func (s *script) sentence(i, n int) bool {
	if s.phrase(i-1, s.with) > 0 || s.phrase(i-2, s.with) > 0 {
		return true // hints reads them
	}
	return n == 2 && (s.word(i) == "i" || s.word(i) == "a")
}

// longestAcronym is how many letters in a row are rather an acronym than a name.
const longestAcronym = 4

// cased writes spelled letters as such a value is written: names with one capital, and
// what has digits, or was asked for as an identifier, in capitals.
func (s *script) cased(letters string) string {
	switch {
	case s.kind == Email:
		return strings.ToLower(letters)
	case s.kind == Identifier, strings.ContainsAny(letters, "0123456789"), s.kind != Name && utf8.RuneCountInString(letters) <= longestAcronym:
		return strings.ToUpper(letters)
	}
	first, size := utf8.DecodeRuneInString(letters)
	return string(unicode.ToUpper(first)) + letters[size:]
}

// digit reads digits from token i: "seven", "7", "07", "double two".
func (s *script) digit(i int) (string, int) {
	if k := s.phrase(i, s.twice); k > 0 && !isDigit(s.digits[s.word(i)]) || s.word(i) == "double" {
		if text, n := s.digit(i + 1); n > 0 && len(text) == 1 {
			return text + text, 1 + n
		}
	}
	w := s.word(i)
	if d, ok := s.digits[w]; ok {
		return d, 1
	}
	if w != "" && strings.Trim(w, "0123456789") == "" {
		return w, 1
	}
	return "", 0
}

func isDigit(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }

// dictated reads a run of at least three digits from token i, with a plus before it.
func (s *script) dictated(i int) (string, int) {
	var b strings.Builder
	n, runs := 0, 0
	if s.word(i) == s.plus || s.word(i) == "+" {
		b.WriteString("+")
		n = 1
	}
	for {
		text, k := s.digit(i + n)
		if k == 0 {
			break
		}
		if b.Len() > 0 && len(text) > 1 && s.kind == Phone && k == 1 {
			b.WriteString(" ") // groups that were heard as such stay groups
		}
		b.WriteString(text)
		n, runs = n+k, runs+1
	}
	if runs < 2 || len(b.String()) < 3 {
		return "", 0
	}
	return b.String(), n
}

// address reads an e-mail address from token i: a local part, "at", and a domain with a dot.
func (s *script) address(i int) (string, int) {
	local, n := s.addressPart(i)
	if n == 0 {
		return "", 0
	}
	at := s.phrase(i+n, s.at)
	if at == 0 && s.word(i+n) != "@" {
		return "", 0
	}
	n += max(at, 1)
	domain, k := s.addressPart(i + n)
	if k == 0 || !strings.Contains(strings.Trim(domain, "."), ".") {
		return "", 0
	}
	if dot := strings.LastIndexByte(domain, '.'); len(domain)-dot-1 < 2 {
		return "", 0
	}
	return strings.ToLower(local + "@" + domain), n + k
}

// addressPart reads words and marks by turns from token i; letters and digits one by one
// belong together.
func (s *script) addressPart(i int) (string, int) {
	var b strings.Builder
	n := 0
	for joined := true; i+n < len(s.tokens); {
		if s.phrase(i+n, s.at) > 0 || s.word(i+n) == "@" {
			break
		}
		mark, isMarked := s.marks[s.word(i+n)]
		text, k, single := s.addressText(i + n)
		switch {
		case isMarked && n > 0:
			b.WriteString(mark)
			n, joined = n+1, true
			continue
		case k == 0 || !joined && !single:
			return b.String(), n
		}
		b.WriteString(text)
		n += k
		joined = single && s.single(i+n)
		if strings.ContainsAny(s.tokens[i+n-1].after, ",;:!?.") {
			break
		}
	}
	return strings.TrimRight(b.String(), ".-_+"), n
}

// addressText reads a letter, a digit or a word of an address.
func (s *script) addressText(i int) (text string, n int, single bool) {
	if text, n, plain := s.letter(i); n > 0 && (plain || n > 1) {
		return text, n, true
	}
	if text, n := s.digit(i); n > 0 {
		return text, n, true
	}
	w := s.word(i)
	if w == "" || strings.IndexFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.'", r)
	}) >= 0 {
		return "", 0, false
	}
	return addressed(w), 1, false
}

// single reports whether token i goes on with letters or digits one by one.
func (s *script) single(i int) bool {
	_, n, single := s.addressText(i)
	return n > 0 && single
}

// addressed writes a word as addresses have it: most of them take no umlauts.
func addressed(word string) string {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "'", "").Replace(word)
}
