package chat

import (
	"slices"

	"quaestor/obligations"
	"quaestor/sessions"
)

// maxFindings bounds what one message may say.
const maxFindings = 60

// Screen keeps of an understanding what can be trusted: findings about
// obligations there are, values of the right shape, evidence that stands in the
// transcript. A quote that does not is flagged, which caps its confidence. It is
// applied to every interviewer's understanding, for a model's is untrusted.
func Screen(s *Scene, u Understanding) Understanding {
	said := transcript(s)
	out := u.Findings[:0:0]
	for _, f := range u.Findings[:min(len(u.Findings), maxFindings)] {
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
				if f, ok := fromFile(s, o, f); ok {
					out = append(out, f)
				}
				continue
			}
			f.Evidence = obligations.Check(f.Evidence, said)
			f.Evidence.By = s.Person
			f.Starter, f.Owner = s.Session.User, s.Part == sessions.OwnerRole
		}
		out = append(out, f)
	}
	u.Findings = out
	u.Refused = slices.DeleteFunc(u.Refused, func(r Refusal) bool { return obligations.Find(s.Obligations, r.Key) == nil })
	u = withoutAnswer(s, ownDataWishes(s, u))
	if u.About != "" && obligations.Find(s.Obligations, u.About) == nil {
		u.About = ""
	}
	return u
}

// mayRest reports whether what a person says in a conversation may rest on that
// kind of evidence: reviewers and research do not speak here, and documents only
// where the person gives files.
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

// transcript returns what quotes are looked up in: the window and the message
// itself.
func transcript(s *Scene) []obligations.Utterance {
	said := make([]obligations.Utterance, 0, len(s.Transcript)+1)
	for _, m := range s.Transcript {
		said = append(said, obligations.Utterance{ID: m.ID(), Content: m.Content, User: m.Role == sessions.FromUser})
	}
	return append(said, obligations.Utterance{ID: s.MessageID(), Content: s.Message, User: true})
}
