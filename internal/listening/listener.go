package listening

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"quaestor/internal/embedding"
	"quaestor/internal/language"
)

// Listener reads what people mean. It may be used by any number of goroutines.
type Listener struct {
	encoder *embedding.Lite
	taught  *embedding.Lite // the same, as it learned what an answer is

	mu        sync.Mutex           // guards what follows
	vectors   map[string][]float32 // of texts that are compared again and again
	phrases   map[string][]float32 // of words and options, by the encoder that was taught
	questions map[string][]float32 // of questions, by the same
	fields    map[string]*askedField
	fits      map[string]*fitField
}

// New returns a listener that uses the encoder's states of words, which it knows
// English by; nil reads by the words' own forms alone and understands less.
func New(encoder *embedding.Lite) *Listener {
	return &Listener{encoder: encoder, taught: Taught(encoder), vectors: make(map[string][]float32), phrases: make(map[string][]float32), questions: make(map[string][]float32), fields: make(map[string]*askedField), fits: make(map[string]*fitField)}
}

// Load reads the encoder's weights, and those that it was taught, unless that is done. Without
// an encoder there is nothing to load. Its errors are those of [embedding.Lite.Load].
func (l *Listener) Load(ctx context.Context) error {
	if l.taught == nil {
		return nil
	}
	return l.taught.Load(ctx)
}

// Encoded reports whether the listener has the encoder's states, with which it is to be
// believed sooner.
func (l *Listener) Encoded() bool { return l.encoder != nil }

// maxWords is how much of a message is read: what follows is one more segment, a fact.
const maxWords = 1200

// Heard is a message as it was understood.
type Heard struct {
	Text     string
	Segments []Segment // in order, without gaps but for white space

	tokens  []token
	yes     []float32   // of each token: that it says yes
	told    *telling    // see tell
	tag     string      // its language, where there is a glossary of it
	means   [][]float32 // of what the tokens mean, see meanings
	fitting *fitting    // see fitFieldsOf
}

// Hear divides a message that answers a question into what it does, and finds the values
// in it. asked is the type that is asked for, None when nothing is; wording are the words
// of the question, and of its choices. Its error is that of ctx: an encoder that fails is
// done without.
func (l *Listener) Hear(ctx context.Context, asked Type, wording, text string) (Heard, error) {
	h := Heard{Text: text}
	tokens := tokenize(spoken(text), stems(wording))
	if len(tokens) == 0 {
		return h, nil
	}
	cut := tokens[:min(len(tokens), maxWords)]
	h.tokens, h.yes, h.tag = cut, make([]float32, len(cut)), languageOf(wording, text)
	out := l.read(ctx, asked, wording, &h)
	if err := ctx.Err(); err != nil {
		return h, err
	}
	for i := range out {
		h.yes[i] = out[i].yes
	}
	h.Segments = segments(cut, out)
	if len(tokens) > maxWords {
		h.Segments = append(h.Segments, Segment{Act: Fact, From: tokens[maxWords].From, To: tokens[len(tokens)-1].To})
	}
	return h, nil
}

// markup matches tags, which people paste and do not mean.
var markup = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)

// spoken returns text with blanks, byte for byte, where it holds markup.
func spoken(text string) string {
	return markup.ReplaceAllStringFunc(text, func(tag string) string { return strings.Repeat(" ", len(tag)) })
}

// read returns what the model makes of the words of a message in answer to a question.
func (l *Listener) read(ctx context.Context, asked Type, wording string, h *Heard) []outputs {
	words := tokenize(wording, nil)
	var hashes []uint16
	for _, w := range words {
		hashes = append(hashes, w.hashes...)
	}
	states := l.meanings(ctx, h)
	if states == nil {
		return loaded().read(loaded().ask(asked, hashes, nil), h.tokens, nil)
	}
	return reader().read(reader().ask(asked, hashes, l.asked(ctx, h.tag, wording, words)), h.tokens, states)
}

// asked returns the mean of the states of a question's words; nil when it has none.
func (l *Listener) asked(ctx context.Context, tag, wording string, words []token) []float32 {
	return l.kept(l.questions, tag+"\n"+wording, func() []float32 {
		states, err := meaningsOf(ctx, l.taught, tag, words)
		if err != nil || len(states) == 0 {
			return nil
		}
		return Mean(states)
	})
}

// segments cuts words where what they do changes, or another thing of the same kind
// begins.
func segments(tokens []token, out []outputs) []Segment {
	path := likeliestActs(out)
	var list []Segment
	from := 0
	for i := 1; i <= len(tokens); i++ {
		if i < len(tokens) && path[i] == path[from] {
			continue
		}
		s := Segment{Act: path[from], From: tokens[from].From, To: tokens[i-1].To}
		for _, o := range out[from:i] {
			s.Sure += float64(o.acts[s.Act]) / float64(i-from)
		}
		s.Values = spans(tokens[from:i], out[from:i])
		list = append(list, s)
		from = i
	}
	return list
}

// likeliestActs returns the likeliest act of every word, where a change of act costs what it is
// unlikely that a segment begins there: Viterbi's way.
func likeliestActs(out []outputs) []Act {
	var best [actCount]float64
	back := make([][actCount]uint8, len(out))
	for t, o := range out {
		begins := min(max(float64(o.begins), 1e-3), 1-1e-3)
		top := 0
		for a := range best {
			if best[a] > best[top] {
				top = a
			}
		}
		was := best
		for a := range best {
			stay, change := was[a]+math.Log(1-begins*0.999), was[top]+math.Log(begins)
			back[t][a] = uint8(a)
			if t == 0 {
				stay = 0
			} else if change > stay {
				stay, back[t][a] = change, uint8(top)
			}
			best[a] = stay + math.Log(float64(o.acts[a])+1e-9)
		}
	}
	last := 0
	for a := range best {
		if best[a] > best[last] {
			last = a
		}
	}
	path := make([]Act, len(out))
	for t := len(out) - 1; t >= 0; t-- {
		path[t] = Act(last)
		last = int(back[t][last])
	}
	return path
}

// spans returns the values in words. Words that continue a value of another type than
// the word before begin one.
func spans(tokens []token, out []outputs) []Span {
	var list []Span
	begun := -1
	flush := func(end int) {
		if begun < 0 {
			return
		}
		s := Span{Type: tagOf(out[begun]), From: tokens[begun].From, To: tokens[end-1].To}
		star, yes := 0.0, 0.0
		for _, o := range out[begun:end] {
			n := float64(end - begun)
			s.Sure += float64(o.tags[2*s.Type-1]+o.tags[2*s.Type]) / n
			star += float64(o.star) / n
			yes += float64(o.yes) / n
		}
		s.Answers, s.Star, s.Yes = star > 0.5, star, yes
		if n := len(list); n > 0 && list[n-1].Type == s.Type && adjoins(tokens, list[n-1].To, s.From) {
			last := &list[n-1]
			last.To, last.Sure, last.Star = s.To, min(last.Sure, s.Sure), max(last.Star, s.Star)
			last.Answers = last.Star > 0.5
		} else {
			list = append(list, s)
		}
		begun = -1
	}
	for i, o := range out {
		tag := best(o.tags[:])
		switch {
		case tag == 0:
			flush(i)
		case tag%2 == 1 || begun < 0 || tagOf(o) != tagOf(out[begun]):
			flush(i)
			begun = i
		}
	}
	flush(len(out))
	return list
}

// adjoins reports whether a value goes on: no word stands between two bytes, and the
// second part is no figure or a name of its own after one.
func adjoins(tokens []token, end, from int) bool {
	for _, t := range tokens {
		if t.From >= end && t.From < from {
			return false
		}
	}
	return true
}

func tagOf(o outputs) Type { return Type((best(o.tags[:]) + 1) / 2) }

func best(v []float32) int {
	return slices.Index(v, slices.Max(v))
}

// Words returns the words of a message that are between from and to.
func (h *Heard) Words(from, to int) []language.Word {
	return slices.DeleteFunc(language.Words(h.Text), func(w language.Word) bool { return w.To <= from || w.From >= to })
}

// maxVectors bounds the vectors that are kept: 2 KB each.
const maxVectors = 4096

// Compares reports whether there is an encoder to compare texts by.
func (l *Listener) Compares() bool { return l.encoder != nil }

// Similarity returns the cosine of what two texts mean, 0 without an encoder.
func (l *Listener) Similarity(ctx context.Context, a, b string) float64 {
	if l.encoder == nil {
		return 0
	}
	va, vb := l.vector(ctx, a), l.vector(ctx, b)
	if len(va) == 0 || len(va) != len(vb) {
		return 0
	}
	return float64(dot(va, vb)) // vectors have length 1
}

func (l *Listener) vector(ctx context.Context, text string) []float32 {
	return l.kept(l.vectors, text, func() []float32 {
		list, err := l.encoder.Encode(ctx, []string{text})
		if err != nil {
			return nil
		}
		return list[0]
	})
}

// alike returns the cosines of what two texts in a language mean: of the texts, and of the means
// of their words by the encoder that was taught.
func (l *Listener) alike(ctx context.Context, tag, a, b string) (texts, words float64) {
	texts = l.Similarity(ctx, meaning(tag, a), meaning(tag, b))
	if va, vb := l.phrase(ctx, tag, a), l.phrase(ctx, tag, b); va != nil && vb != nil {
		words = float64(dot(va, vb))
	}
	return texts, words
}

// phrase returns what the words of a text in a language mean as one vector of length 1; nil
// without an encoder.
func (l *Listener) phrase(ctx context.Context, tag, text string) []float32 {
	if l.taught == nil {
		return nil
	}
	return l.kept(l.phrases, tag+"\n"+text, func() []float32 {
		states, err := meaningsOf(ctx, l.taught, tag, tokenize(text, nil))
		if err != nil || len(states) == 0 {
			return nil
		}
		return unit(normalMean(states))
	})
}

// kept returns the vector of a text from those that are kept, or makes it. What is nil is not
// kept: the encoder may come.
func (l *Listener) kept(vectors map[string][]float32, text string, by func() []float32) []float32 {
	l.mu.Lock()
	v, ok := vectors[text]
	l.mu.Unlock()
	if ok {
		return v
	}
	v = by()
	if v == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(vectors) >= maxVectors {
		clear(vectors)
	}
	vectors[text] = v
	return v
}

// Set makes what stands between two bytes a segment of its own that does act, surely and
// without values.
func (h *Heard) Set(from, to int, act Act) {
	var out []Segment
	set := false
	for _, s := range h.Segments {
		if s.To <= from || s.From >= to {
			if !set && s.From >= to {
				out, set = append(out, Segment{Act: act, From: from, To: to, Sure: 1}), true
			}
			out = append(out, s)
			continue
		}
		if before := s.Part(s.From, from); before.To > before.From {
			out = append(out, before)
		}
		if !set {
			out, set = append(out, Segment{Act: act, From: from, To: to, Sure: 1}), true
		}
		if after := s.Part(to, s.To); after.To > after.From {
			out = append(out, after)
		}
	}
	h.Segments = out
}

// Part returns what of s lies between two bytes, with the values that do as a whole.
func (s *Segment) Part(from, to int) Segment {
	out := *s
	out.From, out.To = max(s.From, from), min(s.To, to)
	out.Values = nil
	for _, v := range s.Values {
		if v.From >= out.From && v.To <= out.To {
			out.Values = append(out.Values, v)
		}
	}
	return out
}
