package schema

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/research/warehouse/catalog"
)

// The kinds of texts.
const (
	kindTable  = "table"
	kindColumn = "column"
)

// Bounds of texts.
const (
	maxContent     = 2_000 // characters that are encoded
	contentColumns = 40    // columns mentioned in the text of a table
	maxTokens      = 400   // indexed words of a text
	maxTokenRunes  = 60    // longer tokens are not words
)

// tableText returns the text that is embedded for a table.
func tableText(t *catalog.Table) string {
	var b strings.Builder
	b.WriteString(spelledOut(t.Name))
	if t.Comment != "" {
		b.WriteString(": " + t.Comment)
	}
	if t.Schema != "" {
		b.WriteString(" (" + spaced(t.Schema, ' ') + ")")
	}
	for i := range t.Columns[:min(len(t.Columns), contentColumns)] {
		b.WriteString(". " + spaced(t.Columns[i].Name, ' '))
	}
	return clipped(b.String(), maxContent)
}

// columnText returns the text that is embedded for a column.
func columnText(c *catalog.Column) string {
	out := spelledOut(c.Name)
	if c.Comment != "" {
		out += ": " + c.Comment
	}
	return clipped(out, maxContent)
}

// tableWords returns the tsvector of a table: its name ranks before its comment, and that before its
// schema.
func tableWords(t *catalog.Table) string {
	var w lexemes
	w.add(t.Name, 'A')
	w.add(t.Comment, 'B')
	w.add(t.Schema, 'D')
	return w.String()
}

// columnWords returns the tsvector of a column.
func columnWords(c *catalog.Column) string {
	var w lexemes
	w.add(c.Name, 'A')
	w.add(c.Comment, 'B')
	return w.String()
}

// lexemes builds a tsvector in text form. Its words consist of letters and digits only, so nothing in
// them needs quoting.
type lexemes struct {
	b    strings.Builder
	n    int
	have map[string]bool
}

// add adds the words of s with a weight, and what they abbreviate with the next lower one.
func (w *lexemes) add(s string, weight byte) {
	for _, word := range wordsOf(s) {
		w.one(word, weight)
		if long := abbreviations[word]; long != "" {
			w.one(long, min(weight+1, 'D')) // ranks below what is written
		}
	}
}

// one adds a word unless it is there already.
func (w *lexemes) one(word string, weight byte) {
	if w.n == maxTokens || w.have[word] {
		return
	}
	if w.have == nil {
		w.have = map[string]bool{}
	}
	w.have[word] = true
	w.n++
	w.b.WriteString("'" + word + "':" + strconv.Itoa(w.n) + string(weight) + " ")
}

// String returns the words as the database takes them.
func (w *lexemes) String() string { return w.b.String() }

// wordsOf splits a name or a sentence into lower-case words: at everything that is neither a letter nor
// a digit, between lower and upper case, and between letters and digits. In scripts without spaces,
// every two characters are a word.
func wordsOf(s string) []string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return wordsOfRunes([]rune(s))
		}
	}
	var out []string
	for from := 0; from < len(s); {
		if kindOf(s[from]) == 0 {
			from++
			continue
		}
		to := from + 1
		for to < len(s) && !ends(s, to) {
			to++
		}
		out = append(out, strings.ToLower(s[from:min(to, from+maxTokenRunes)]))
		from = to
	}
	return out
}

// kindOf returns 'a', 'A' or '0' for letters and digits, and 0 for anything else.
func kindOf(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z':
		return 'a'
	case 'A' <= c && c <= 'Z':
		return 'A'
	case '0' <= c && c <= '9':
		return '0'
	default:
		return 0
	}
}

// ends reports whether a word ends before s[i]; it is breaks for ASCII.
func ends(s string, i int) bool {
	switch before, kind := kindOf(s[i-1]), kindOf(s[i]); {
	case kind == 0, (before == '0') != (kind == '0'), before == 'a' && kind == 'A':
		return true
	default:
		return before == 'A' && kind == 'A' && i+1 < len(s) && kindOf(s[i+1]) == 'a'
	}
}

// wordsOfRunes is wordsOf for any script.
func wordsOfRunes(runes []rune) []string {
	var out []string
	for from := 0; from < len(runes); {
		if !isWord(runes[from]) {
			from++
			continue
		}
		to := wordEnd(runes, from)
		out = append(out, pieces(runes[from:to])...)
		from = to
	}
	return out
}

// isWord reports whether r is part of a word; marks are, as accents may be
// characters of their own.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordEnd returns the end of the word that begins at from.
func wordEnd(runes []rune, from int) int {
	to := from + 1
	for to < len(runes) && isWord(runes[to]) && !breaks(runes, to) {
		to++
	}
	return to
}

// breaks reports whether a word ends before runes[i] within a run of letters and digits, as in
// orderId, HTTPServer and order2.
func breaks(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	switch {
	case unicode.IsDigit(before) != unicode.IsDigit(r):
		return true
	case unicode.IsUpper(r) && unicode.IsLower(before):
		return true
	case unicode.IsUpper(before) && unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1]):
		return true
	default:
		return dense(before) != dense(r)
	}
}

// dense reports whether r belongs to a script without spaces.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// pieces returns the indexed forms of a word: the word in lower case, or its pairs of characters in a
// script without spaces.
func pieces(word []rune) []string {
	word = word[:min(len(word), maxTokenRunes)]
	if !dense(word[0]) || len(word) <= 2 {
		return []string{strings.ToLower(string(word))}
	}
	var out []string
	for i := range len(word) - 1 {
		out = append(out, string(word[i:i+2]))
	}
	return out
}

// spaced returns the words of a name with by between them.
func spaced(name string, by byte) string { return strings.Join(wordsOf(name), string(by)) }

// spelledOut returns the words of a name, each abbreviation followed by what it usually stands for.
func spelledOut(name string) string {
	words := wordsOf(name)
	for i, w := range words {
		if long := abbreviations[w]; long != "" {
			words[i] = w + " " + long
		}
	}
	return strings.Join(words, " ")
}

// abbreviations maps abbreviations to what they stand for, where they are not prefixes of it or are too
// short to be found as such.
var abbreviations = func() map[string]string {
	out := map[string]string{}
	for _, pair := range strings.Fields(`qty:quantity amt:amount nbr:number num:number dt:date ts:timestamp yr:year mth:month wk:week hr:hour cd:code id:identifier
		desc:description descr:description dsc:description nm:name usr:user pwd:password pct:percent avg:average cnt:count tot:total bal:balance acct:account
		acc:account addr:address cust:customer cst:customer clnt:client ctry:country cntry:country rgn:region zip:postcode tel:phone ph:phone mgr:manager emp:employee
		dept:department div:division org:organization co:company cmpy:company inv:invoice invc:invoice ord:order po:purchase so:sales prd:product prod:product
		itm:item sku:product cat:category ctg:category grp:group typ:type sts:status stat:status stk:stock whs:warehouse wh:warehouse loc:location shp:shipment
		shpmt:shipment dlv:delivery dlvry:delivery rcpt:receipt pmt:payment pymt:payment txn:transaction trx:transaction trn:transaction xact:transaction
		gl:ledger ar:receivable ap:payable crncy:currency curr:currency ccy:currency fx:exchange prc:price dscnt:discount disc:discount rtn:return ret:return rfnd:refund
		wgt:weight uom:unit lvl:level cfg:configuration hist:history msg:message req:request resp:response sess:session evt:event vw:view ref:reference
		seq:sequence flg:flag ind:indicator eff:effective exp:expiry min:minimum max:maximum sls:sales mkt:market mktg:marketing cmpgn:campaign vend:vendor vndr:vendor
		supp:supplier splr:supplier mat:material mtrl:material plnt:plant equip:equipment maint:maintenance sched:schedule proj:project cntrct:contract
		bsns:business`) {
		short, long, _ := strings.Cut(pair, ":")
		out[short] = long
	}
	return out
}()
