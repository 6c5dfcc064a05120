package reading

import (
	"context"
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/chat/field"
	"quaestor/internal/language"
	"quaestor/internal/listening"
	"quaestor/obligations"
	"quaestor/sessions"
)

// reader understands one message.
type reader struct {
	*utterance

	scene    *chat.Scene
	listener *listening.Listener
	asked    *obligations.Obligation // what a single question was about; nil for none or a form
	found    *[]naming               // found once, see namings
	out      chat.Understanding

	revising bool // the message says that an earlier answer was wrong
}

// Understand reads what the person says in s, as the listener hears it: the filled-in widgets
// first, then the message, then the files. It takes time linear in the message, and fails with the
// error of ctx, once that is over, only.
func Understand(ctx context.Context, s *chat.Scene, l *listening.Listener) (chat.Understanding, error) {
	if err := ctx.Err(); err != nil {
		return chat.Understanding{}, err
	}
	r := newReader(s)
	r.listener = l
	r.widgets()
	if !r.restates() && !r.handsOver() {
		r.message(ctx)
	}
	r.files()
	r.signals()
	return r.out, ctx.Err() // what was heard when it was over counts for nothing
}

func newReader(s *chat.Scene) *reader {
	r := &reader{scene: s, utterance: cut(s.Message)}
	if q := s.Asked; q != nil && q.Key != "" {
		r.asked = obligations.Find(s.Obligations, q.Key)
	}
	if s.Asked == nil && s.Turn == 1 {
		r.asked = Opening(s.Obligations)
	}
	return r
}

// purpose is what the last question was for; empty when nothing was asked.
func (r *reader) purpose() sessions.Purpose {
	switch {
	case r.scene.Asked != nil && r.scene.Asked.Purpose == sessions.ToProbe:
		return sessions.ToAsk
	case r.scene.Asked != nil:
		return r.scene.Asked.Purpose
	case r.asked != nil:
		return sessions.ToAsk
	}
	return ""
}

// Opening is what a conversation would begin by asking, when that is for a text:
// who begins by telling answers it. nil when it asks for something else.
func Opening(list []obligations.Obligation) *obligations.Obligation {
	first, ok := obligations.Next(list)
	if !ok || first.Widget != obligations.Text {
		return nil
	}
	return obligations.Find(list, first.Key)
}

// find returns the obligation with that key, or nil.
func (r *reader) find(key string) *obligations.Obligation {
	return obligations.Find(r.scene.Obligations, key)
}

// message reads what was said.
func (r *reader) message(ctx context.Context) {
	switch {
	case r.count() == 0:
		r.wordless()
		return
	case r.wholeChoice():
		return
	}
	h := r.hear(ctx)
	h.setPhrases()
	closed := r.purpose() == sessions.ToConfirm || r.purpose() == sessions.ToResolve || r.purpose() == sessions.ToFinish
	stated := h.stated()
	switch {
	case h.steers(), h.postpones():
	case stated && closed:
		if q := h.scene.Asked; q.Purpose == sessions.ToResolve && h.asked != nil && !h.told(h.asked.Key) && len(q.Values) > 0 {
			h.picks(q.Values)
		}
		h.besideStated()
	case r.purpose() == sessions.ToResolve && r.asked != nil && h.resolves():
		h.beside()
	case r.purpose() == sessions.ToFinish && h.finishes():
	default:
		h.read()
	}
	r.mourn()
	r.timeLeft()
	r.sameScale()
	r.dropImprobable()
	r.doubtOthers()
}

// wishesForHuman reports whether a segment asks for a human being. Whoever needs somebody to hire
// asks for none, nor does whoever tells of others ("u dont have to talk to anyone").
func (h *heard) wishesForHuman(seg *listening.Segment) bool {
	if chat.IsWishForHuman(h.raw) {
		return true
	}
	if !h.speaks(seg, "human") || !h.speaks(seg, "reaches") || !h.speaks(seg, "speaker") || strings.Contains(strings.ToLower(h.raw), "talk to you") {
		return false
	}
	r := h.within(seg.From, seg.To)
	for i := r.from; i < r.to; i++ {
		if language.IsWord("reaches", h.folded()[i]) && field.Denied(h.folded(), i) {
			return false
		}
	}
	return true
}

// mourn takes a short message that somebody died for a feeling and nothing else: whatever figure
// or date is in it is none of the interview's, unless that asks about a death. An oven that died is
// another matter.
func (r *reader) mourn() {
	if r.count() > longestMourning || !r.has("death") || !r.has("kin") {
		return
	}
	for i := range r.scene.Obligations {
		if o := &r.scene.Obligations[i]; slices.ContainsFunc(language.Words(o.Name()+" "+o.Prompt), func(w language.Word) bool {
			return language.IsWord("death", w.Text) || language.IsWord("grave", w.Text)
		}) {
			return
		}
	}
	r.out.Findings, r.out.Refused, r.out.Intent, r.out.About = nil, nil, chat.OffTopic, ""
	r.out.Beside = []chat.Remark{{Intent: chat.OffTopic, Act: "feeling", Text: r.scene.Message}}
}

// has reports whether a word of the message is of a kind in any language.
func (r *reader) has(kind string) bool {
	return slices.ContainsFunc(language.Words(r.scene.Message), func(w language.Word) bool { return language.IsWord(kind, w.Text) })
}

// longestMourning bounds such a message, in words: a longer one tells a story.
const longestMourning = 40

// wordless reads a message without words: thumbs are answers, the rest is not.
func (r *reader) wordless() {
	switch {
	case strings.ContainsAny(r.raw, "👍✅👌"):
		r.nods(chat.Agree)
	case strings.ContainsAny(r.raw, "👎❌"):
		r.nods(chat.Disagree)
	case strings.TrimSpace(r.raw) == "" && len(r.out.Findings)+len(r.out.Refused) > 0:
		r.out.Intent = chat.Answer
	default:
		r.out.Intent = chat.Unclear
	}
}

// nods notes a yes or a no without words. Only an intent can come of it: a value needs words of
// the person's own.
func (r *reader) nods(intent chat.Intent) {
	r.out.Intent = intent
	if intent == chat.Agree && r.asked != nil && r.purpose() == sessions.ToResolve {
		r.out.Intent, r.out.About = chat.Unclear, r.asked.Key
	}
}

// wholeChoice takes a message that is a choice of what was asked, word for word, before anything
// else is read into it: "later" or "not sure" may be a choice.
func (r *reader) wholeChoice() bool {
	if r.asked == nil || len(r.asked.Choices) == 0 || r.purpose() != sessions.ToAsk || r.count() > mostOfChoice {
		return false
	}
	said := language.PlainWords(r.raw)
	for _, c := range r.asked.Choices {
		if !slices.ContainsFunc(append([]string{c.Label, c.Value}, c.Synonyms...), func(form string) bool { return language.PlainWords(form) == said }) {
			continue
		}
		v := field.Encode(c.Value)
		if r.asked.Widget == obligations.MultiSelect {
			v = field.Encode([]string{c.Value})
		}
		r.out.Intent = chat.Answer
		from, to := r.extent(r.spoken(r.all()))
		r.note(r.asked.Key, valueRead{value: v, from: from, to: to, hedged: strings.HasSuffix(strings.TrimSpace(r.raw), "?")}, obligations.Tell, sureChoice)
		return true
	}
	return false
}

// mostOfChoice bounds, in words, a message that is a choice; sureChoice is how well it fits.
const (
	mostOfChoice = 12
	sureChoice   = 100
)

// answeredLast is [answeredLast] of the scene.
func (r *reader) answeredLast() []*obligations.Obligation { return AnsweredLast(r.scene.Obligations) }

// AnsweredLast returns those of a list that the latest turn with an answer brought a value of:
// what was answered before what was said in passing.
func AnsweredLast(list []obligations.Obligation) []*obligations.Obligation {
	latest := 0
	for i := range list {
		latest = max(latest, lastTurn(&list[i]))
	}
	var out, loose []*obligations.Obligation
	for i := range list {
		o := &list[i]
		if latest == 0 || lastTurn(o) != latest {
			continue
		}
		if g := o.Evidence[len(o.Evidence)-1].Grade; g != nil && g.Loose {
			loose = append(loose, o)
		} else {
			out = append(out, o)
		}
	}
	return append(out, loose...)
}

// lastTurn is the turn o's latest evidence comes from; 0 while it has no value.
func lastTurn(o *obligations.Obligation) int {
	if o.Value == nil || len(o.Evidence) == 0 {
		return 0
	}
	return o.Evidence[len(o.Evidence)-1].Turn
}

// confirming reports whether o is what the last question wants confirmed or
// settled.
func (r *reader) confirming(o *obligations.Obligation) bool {
	return r.asked != nil && o.Key == r.asked.Key && (r.purpose() == sessions.ToConfirm || r.purpose() == sessions.ToResolve)
}
