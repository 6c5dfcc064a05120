package claims

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"

	"quaestor/obligations"
)

// Source is a page or document as it was read.
type Source struct {
	N         int    // what claims call it
	URL       string // empty for a document without an address
	Title     string
	Text      string // what the reader made of the stored bytes; valid UTF-8, Markdown at most
	Published string // "2024-05-12", "2024", or empty; only its first four digits are used
	Document  bool   // from a tenant's folder, not from the web
}

// host names the source in a few words: the host of its address, else its title.
func (s Source) host() string {
	if u, err := url.Parse(s.URL); err == nil && u.Hostname() != "" && !s.Document {
		return clip(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), maxHost)
	}
	return clip(plainText(s.Title), maxHost)
}

// Bounds of a claim, in bytes, ends included.
const (
	MinQuote = 12
	MaxQuote = 600
	MaxText  = 500
	maxHost  = 60
)

// Claim is a sentence that a source supports.
type Claim struct {
	N       int
	Source  int              // N of its source
	Host    string           // host or title of that source, for people; set by [Verify]
	Text    string           // what is claimed, at most [MaxText] bytes
	Quote   string           // the words of the source that say so: exactly its text at Span
	Span    obligations.Span // in the source's text
	Figures []Figure         // the numbers of Text in order, as the quote has them
	Rank    float64          // 0 to 1: how well it answers the question
	Agree   int              // how many other sources say nearly the same
	By      string           // "extract", or "model NAME"
	Against []int            // N of claims that say otherwise, ascending; see [Contradict]
}

// Figure is a number with what makes it mean something.
type Figure struct {
	Words       string  `json:"words"`                 // as the claim has it, with its unit
	Value       float64 `json:"value"`                 // scale applied: 12000000 for "12 million"
	Unit        string  `json:"unit,omitempty"`        // "%", "EUR", "employees", "km", "USD/user/month"; empty for a bare count
	When        string  `json:"when,omitempty"`        // "2024", "2023-05", "2023-05-31", "Q3 2024", "FY2024", "2023–2030"; empty if unknown
	Approximate bool    `json:"approximate,omitempty"` // "about", "nearly", "estimated"
}

// ResearchQuestion is what research is to answer.
type ResearchQuestion struct {
	Kind    string   // kind of research, such as "market_research"
	Text    string   // the question itself
	Context string   // what the session is about
	Terms   []string // more words to look for
	Only    []string // each must be met; an entry may hold alternatives parted by "|": "Germany|Austria"
	Without []string // nothing about these
	Since   int      // no figures from before this year; zero for any
	Widget  obligations.Widget
	Choices []obligations.Choice
	Unit    string // of a number
}

// For returns the question with what o's template says of the answer.
func (q ResearchQuestion) For(o *obligations.Obligation) ResearchQuestion {
	if o == nil || o.Template == nil {
		return q
	}
	q.Widget, q.Choices, q.Unit = o.Widget, o.Choices, o.Unit
	q.Text = cmp.Or(q.Text, o.Prompt)
	return q
}

// answerSoFar is how a question carries what the person said.
var answerSoFar = regexp.MustCompile(`(?i)\(answer so far:[^)]*\)`)

// tidy parts what a question carries along, the answer so far and a context,
// from what it asks.
func (q ResearchQuestion) tidy() ResearchQuestion {
	text := answerSoFar.ReplaceAllString(q.Text, " ")
	if asked, context, ok := strings.Cut(text, " Context: "); ok {
		text, q.Context = asked, strings.TrimSpace(q.Context+" "+context)
	}
	q.Text = text
	return q
}

// clip cuts s to at most n bytes at the end of a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
