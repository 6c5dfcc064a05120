package chat

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// humanAct is the act of a remark by which the person asks for a human being.
const humanAct = "human"

// AsksForHuman reports whether a message asks to speak to a human being.
func AsksForHuman(u *Understanding) bool { return slices.ContainsFunc(u.Beside, asksForHuman) }

// asksForHuman reports whether a remark is such a wish, or a question for such a person.
func asksForHuman(r Remark) bool { return r.Act == humanAct || r.About == humanAct }

// WishForHuman is the remark that text is a wish to speak to a human being.
func WishForHuman(text string) Remark { return Remark{Intent: AskMeta, Act: humanAct, Text: text} }

// readHandover notes the wish for a human being where the interviewer missed it. Whatever
// else the message says counts as it did.
func readHandover(s *Scene, u Understanding) Understanding {
	if wish := humanWish(s.Message); wish != "" && !AsksForHuman(&u) {
		u.Beside = append(slices.Clip(u.Beside), WishForHuman(wish))
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool { // the wish is no answer
			return f.Evidence.Kind == obligations.Stated && strings.Contains(wish, f.Evidence.Quote)
		})
	}
	if AsksForHuman(&u) && len(u.Findings) == 0 && slices.Contains(idleIntents, u.Intent) {
		u.Intent, u.Refused = AskMeta, nil
	}
	return u
}

// idleIntents are what a message that only asks for a human being may have been taken for.
var idleIntents = []Intent{"", Answer, Agree, Disagree, Unclear, OffTopic, SmallTalk, AskHelp, AskWhy, SkipThis}

// IsWishForHuman reports whether a message is such a wish whatever an interviewer makes of
// it: a reply that begins before a model has read the message is made for it.
func IsWishForHuman(message string) bool { return humanWish(message) != "" }

// announcedHandover returns the remark of [IsWishForHuman], for a plan that is made before a
// model has read the message.
func announcedHandover(s *Scene) []Remark {
	if wish := humanWish(s.Message); wish != "" {
		return []Remark{WishForHuman(wish)}
	}
	return nil
}

// handover returns the event that the person has asked for a human being in the turn; nil
// when they did not, or reviewers were told before and nobody has got in touch since.
func handover(s *Scene, u *Understanding, session *sessions.Session) *sessions.HandoverEvent {
	if !AsksForHuman(u) || session.Handover != nil {
		return nil
	}
	return &sessions.HandoverEvent{Turn: s.Turn, Change: sessions.HandoverAsked, By: s.Person}
}

// longestHandover bounds the sentences that are read, in words: a wish is short, and a long
// sentence tells a story.
const longestHandover = 40

// humanWish returns the words of a message that ask for a human being; "" when none
// do.
//
// A sentence is a wish when the person themselves wants to talk to, reach or be called by a
// human being, or asks whether there is one. What others want, what is quoted, and whom the
// person talks to in their work is none.
func humanWish(message string) string {
	var st stretch
	quoted, end := false, 0
	for _, w := range language.Words(message) {
		stops := strings.Contains(message[end:w.From], "\n")
		end = w.To
		switch w.Text {
		case "\"", "“", "”", "„", "«", "»":
			quoted = !quoted && len(st.words) > 0 // a message may be quoted as a whole
			continue
		case ".", "?", "!", ";", "…":
			stops = true
		}
		if stops {
			if wish := st.wish(message); wish != "" {
				return wish
			}
			st = stretch{}
		}
		if !quoted {
			st.add(w)
		}
	}
	return st.wish(message)
}

// stretch is a sentence as the patterns read it: its words, folded, with single spaces.
type stretch struct {
	text    strings.Builder
	words   []language.Word
	starts  []int // of each word, in text
	clauses []int // where a clause begins, in text
}

// add adds a word; marks only part clauses.
func (st *stretch) add(w language.Word) {
	if r, _ := utf8.DecodeRuneInString(w.Text); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		if w.Text == "," || w.Text == ":" || w.Text == "–" || w.Text == "—" {
			st.clauses = append(st.clauses, st.text.Len()+1)
		}
		return
	}
	if len(st.words) > 0 {
		st.text.WriteByte(' ')
	}
	st.words, st.starts = append(st.words, w), append(st.starts, st.text.Len())
	st.text.WriteString(language.Fold(w.Text))
}

// wish returns the words of the sentence that ask for a human being; "" when none do.
func (st *stretch) wish(message string) string {
	text := st.text.String()
	if len(st.words) == 0 || len(st.words) > longestHandover {
		return ""
	}
	for _, begin := range append([]int{0}, st.clauses...) {
		begin = min(begin, len(text))
		from, to := wishesHuman.AtFolded(text[begin:])
		if from < 0 {
			continue
		}
		from, to = begin+from, begin+to
		if before, _ := othersWish.AtFolded(strings.TrimSpace(text[:from])); before < 0 {
			first, _ := slices.BinarySearch(st.starts, from)
			last, _ := slices.BinarySearch(st.starts, to)
			return message[st.words[min(first, last-1)].From:st.words[last-1].To]
		}
	}
	return ""
}

// What wishes for a human being look like, and what stands before one that somebody else has or that is a tale.
const (
	wishesHuman language.Pattern = "human"
	othersWish  language.Pattern = "others-wish"
)
