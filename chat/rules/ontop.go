package rules

import (
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
)

// moreLeads announce something that was not said yet.
var moreLeads = phrases("one more thing", "one last thing", "one other thing", "another thing", "just one more thing", "one thing more", "i forgot", "i forgot to say", "i forgot to say that", "i forgot to mention", "i forgot to mention that", "i forgot that", "i should mention that",
	"i forgot to add", "i forgot to tell you", "i should add", "i should add that", "i should mention", "i would like to add", "i want to add", "i also wanted to say", "in addition", "also", "and also",
	"please add", "please add that", "add", "add that", "you could add that", "you can add that", "before we finish", "before you close it", "do not forget", "do not forget that", "plus")

// moreWords say within a sentence that it comes on top.
var moreWords = set("also additionally")

// onTop reads what somebody adds before the end: it goes where its words say, and what
// has no place of its own to the text the interview began with.
func (r *reader) onTop() bool {
	content := r.toThePoint(r.content())
	if len(content) == 0 {
		return false
	}
	from, to := content[0].from, content[len(content)-1].to
	start := r.skip(from, to, idleOpeners, actuallyOpeners, moreLeads, segues)
	content[0].from = min(start, content[0].to-1)
	if claims := r.claims(content); len(claims) > 0 {
		r.out.Intent = chat.Answer
		r.noteClaims(claims)
		return len(r.out.Findings) > 0
	}
	more := start > from && r.skip(from, to, idleOpeners, actuallyOpeners) < start
	for i := start; i < to; i++ {
		more = more || moreWords[r.u.at(i)]
	}
	more = more || r.u.at(to-1) == "too"
	o := r.root()
	if !more || o == nil || to-start < 3 || !speakers[r.u.at(start)] || r.u.asks(to-1) {
		return false
	}
	got := r.u.readText(o.Template, start, to)
	if got.value == nil || got.vague {
		return false
	}
	added := text(got.value)
	if !strings.Contains(strings.ToLower(added), "also ") {
		added = "also " + added
	}
	got.value = encode(text(o.Value) + "; " + added)
	r.out.Intent, r.out.About = chat.Correction, o.Key
	return r.tell(o.Key, got, obligations.Correct, "the person added to it")
}

// root is the text held that the interview began with, or nil.
func (r *reader) root() *obligations.Obligation {
	for i := range r.scene.Obligations {
		if o := &r.scene.Obligations[i]; o.Widget == obligations.Text && len(o.Dependencies) == 0 && o.Value != nil {
			return o
		}
	}
	return nil
}
