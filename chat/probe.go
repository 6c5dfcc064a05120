package chat

import (
	"cmp"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Bounds of the probes of a session: one for every fifth thing to learn, at least two and at
// most six. Interviews that go deeper everywhere feel like an interrogation; the share is
// chosen so that most questions are followed by another one.
const (
	fewestProbes  = 2
	mostProbes    = 6
	obligationsAt = 5
)

// probes returns how often a session may ask for more.
func (s *Scene) probes() int {
	return min(max(len(s.Obligations)/obligationsAt, fewestProbes), mostProbes)
}

// probe asks for more where the answer to what was asked leaves out what matters: once a
// value, never twice in a row, and not to a person who is in a hurry, complains or tells of
// a feeling.
func (d *decision) probe() bool {
	s, p := d.scene, d.plan
	if !d.mayProbe() {
		return false
	}
	o := obligations.Find(p.List, s.Asked.Key)
	if o == nil || o.Status != obligations.Satisfied || slices.Contains(s.Memory.Probed, o.Key) || !d.told(o.Key) {
		return false
	}
	kind := obligations.ProbeFor(o.Template, o.Value, o.Vague())
	if kind == "" {
		return false
	}
	q := d.question(o, sessions.ToProbe)
	q.Probe, q.Attempt, q.MayDefer, q.Examples = kind, 1, false, nil
	q.Prompt = cmp.Or(o.Probe, MessagesOf(s).Word(probeKeys[kind], nil, messages.Manner{Turn: s.Turn, Formal: s.Memory.Style == sessions.Formal}))
	p.Question = q
	d.because.Sentence = "The answer leaves out what is behind it, and it matters."
	return true
}

// probeKeys are the messages of the probes.
var probeKeys = map[obligations.Probe]string{obligations.WhyProbe: "probe.why", obligations.LastProbe: "probe.last-time", obligations.NumberProbe: "probe.number", obligations.ElseProbe: "probe.else"}

// mayProbe reports whether the turn is one in which more may be asked for.
func (d *decision) mayProbe() bool {
	s, p := d.scene, d.plan
	u := &p.Understanding
	early := p.Phase == sessions.Opening || p.Phase == sessions.Exploration
	plain := u.Intent == Answer || u.Intent == ""
	hurried, _ := d.hurry()
	strained := slices.ContainsFunc(u.Beside, func(r Remark) bool { return slices.Contains(strainedActs, r.Act) })
	return early && plain && !strained && s.Asked != nil && s.Asked.Purpose == sessions.ToAsk && len(s.Memory.Probed) < s.probes() &&
		d.allowed.left > scarceQuestions && !StyleOf(s.Memory.Note(u.Signals)).Brief && !hurried
}

// strainedActs are what a person does who should not be asked for more.
var strainedActs = []string{"feeling", "complaint", "shorter", "skip", "later", "stop", "human"}

// enoughSaid are the whole messages by which people say that there is no more to tell, which
// ends the answer and not the interview.
var enoughSaid = func() map[string]bool {
	out := map[string]bool{}
	for _, said := range strings.Split(`that's all;thats all;that is all;that's it;that is it;that's all for now;that's all there is;nothing else;nothing more;no more;not really;no;nope;no idea;none;nothing;
		das ist alles;das wars;das war's;das war alles;das wäre alles;nichts weiter;nichts mehr;sonst nichts;mehr nicht;mehr fällt mir nicht ein;eigentlich nicht;nicht wirklich;nein;nö;keine ahnung;nichts`, ";") {
		out[folded(said)] = true
	}
	return out
}()

// folded returns the words of a text, folded, with single spaces between them.
func folded(text string) string {
	var out []string
	for _, w := range language.Words(text) {
		if wordRune([]rune(w.Text)[0]) {
			out = append(out, language.Fold(w.Text))
		}
	}
	return strings.Join(out, " ")
}

// readProbeAnswer reads the answer to a probe, for every interviewer: what it says of the
// value is added to it, and what it leaves open costs nothing.
func readProbeAnswer(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || s.Asked.Purpose != sessions.ToProbe {
		return u
	}
	enough := enoughSaid[folded(s.Message)]
	var out []obligations.Finding
	for _, f := range u.Findings {
		if f.Key == s.Asked.Key && enough {
			continue
		}
		if f.Key == s.Asked.Key {
			switch f.Act {
			case obligations.Tell:
				f.Act = obligations.Add
			case obligations.Correct:
				if u.Intent != Correction {
					f.Act = obligations.Add
				}
			case obligations.Unsure, obligations.Defer, obligations.Skip, obligations.Confirm, obligations.Asked:
				continue
			default:
			}
		}
		out = append(out, f)
	}
	u.Findings = out
	u.Refused = slices.DeleteFunc(slices.Clone(u.Refused), func(r InvalidAnswer) bool { return r.Key == s.Asked.Key })
	if enough || slices.Contains([]Intent{Unclear, Agree, Disagree, AskRepeat, AskHelp}, u.Intent) {
		u.Intent = Answer // nobody is asked twice for more
	}
	return u
}
