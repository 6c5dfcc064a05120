package chat

import (
	"encoding/json"
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// MaxFindings bounds the findings of one message. It leaves room for one about each of the
// 40 obligations that a model is shown, and for files that repeat some.
const MaxFindings = 60

// Screen returns the part of an understanding that can be trusted: findings about
// obligations that exist, values of the right shape, and evidence of a kind that can come
// from a conversation. Evidence whose quote is not in the transcript, or does not support
// the value, is flagged: see [obligations.Evidence.Flag]. Screen is applied to what every
// interviewer understands, because a model is not trusted.
func Screen(s *Scene, u Understanding, similar Similarity) Understanding {
	said := utterances(s)
	out := u.Findings[:0:0]
	for _, f := range u.Findings[:min(len(u.Findings), MaxFindings)] {
		o := obligations.Find(s.Obligations, f.Key)
		if o == nil {
			continue
		}
		if f.Value != nil && o.Check(f.Value) != nil {
			continue
		}
		if f.Act == obligations.Tell || f.Act == obligations.Correct || f.Act == obligations.Confirm {
			if !mayRest(s, f.Evidence.Kind) {
				continue
			}
			if f.Evidence.Kind == obligations.Document {
				if f, ok := screenFileFinding(s, o, f, similar); ok {
					out = append(out, f)
				}
				continue
			}
			f.Evidence = detailed(s, o, f.Value, obligations.Check(f.Evidence, said), said)
			f = ground(s, o, f, similar)
			f.Evidence.By = s.Person
			f.Starter, f.Owner = s.Session.User, s.Part == sessions.OwnerRole
		}
		out = append(out, f)
	}
	u.Findings = out
	u.Signals.Done = slices.DeleteFunc(slices.Clone(u.Signals.Done), func(key string) bool { // a hint settles nothing
		return slices.ContainsFunc(out, func(f obligations.Finding) bool { return f.Key == key && f.Evidence.Unfounded() })
	})
	u.Refused = slices.DeleteFunc(u.Refused, func(r InvalidAnswer) bool { return obligations.Find(s.Obligations, r.Key) == nil })
	u = readPartCorrected(s, readToldAgain(s, u))
	u = readFinishAnswer(s, announcedOnly(s.Message, readFigure(s, ownDataRequests(s, u))))
	u = readHurry(s, readHandover(s, readTopic(s, readProbeAnswer(s, u))))
	u = readFinishYes(s, readWidening(s, readApproval(s, u)))
	if u.About != "" && obligations.Find(s.Obligations, u.About) == nil {
		u.About = ""
	}
	return u
}

// detailed returns the evidence for a value with what its message says of it beside the
// value, see [obligations.Details].
func detailed(s *Scene, o *obligations.Obligation, v json.RawMessage, e obligations.Evidence, said []obligations.Utterance) obligations.Evidence {
	e.Details = nil // it is ours to say, not an interviewer's
	if e.Kind != obligations.Stated || e.Span == nil || v == nil {
		return e
	}
	for _, m := range said {
		if m.ID == e.Message {
			e.Details = obligations.ReadDetails(o.Template, v, m.Content, *e.Span, s.Now)
		}
	}
	return e
}

// mayRest reports whether a finding in a turn may rest on that kind of evidence.
// Reviewers and research do not speak in turns, widgets and documents only where the
// person sent some.
func mayRest(s *Scene, k obligations.EvidenceKind) bool {
	switch k {
	case obligations.Stated, obligations.Accepted, obligations.InferredEvidence:
		return true
	case obligations.WidgetInput:
		return len(s.Answers) > 0
	case obligations.Document:
		return len(s.Files) > 0
	case obligations.ResearchEvidence, obligations.Reviewer:
		return false
	}
	return false
}

// utterances returns the texts in which quotes are looked up: the transcript of the scene
// and the message itself.
func utterances(s *Scene) []obligations.Utterance {
	said := make([]obligations.Utterance, 0, len(s.Transcript)+1)
	for _, m := range s.Transcript {
		said = append(said, obligations.Utterance{ID: m.ID(), Content: m.Content, User: m.Role == sessions.FromUser})
	}
	return append(said, obligations.Utterance{ID: s.MessageID(), Content: s.Message, User: true})
}
