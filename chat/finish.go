package chat

import (
	"slices"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// What people answer to the offer to finish without something. The labels of its buttons,
// [sessions.FinishWithout] and [sessions.AnswerNow], match as well.
const (
	finishesWithout language.Pattern = "finish-without"
	answersNow      language.Pattern = "answer-now"
)

// readFinishAnswer reads the answer to the offer to finish without something required that
// the person declined, in the same way for every interviewer: they finish, or they want to
// be asked again. Everything else stays as it was understood.
func readFinishAnswer(s *Scene, u Understanding) Understanding {
	if s.Asked == nil || len(s.Asked.Missing) == 0 {
		return u
	}
	silent := len(u.Findings) == 0
	switch {
	case finishesWithout.In(s.Message), silent && u.Intent == SkipThis:
		u.Intent, u.Findings = Finish, nil
	case answersNow.In(s.Message), silent && u.Intent == Disagree:
		u.Intent, u.Findings, u.Refused = Answer, nil, nil
		for _, key := range s.Asked.Missing {
			if o := obligations.Find(s.Obligations, key); o != nil && o.Status == obligations.Skipped {
				u.Findings = append(u.Findings, obligations.Finding{Key: key, Act: obligations.Reopen, Source: "conversation", Reason: "the person wants to answer it after all"})
			}
		}
	default:
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool { // declining it again changes nothing
			return f.Act == obligations.Skip && slices.Contains(s.Asked.Missing, f.Key)
		})
		if len(u.Findings) == 0 && !silent {
			u.Intent = Finish
		}
	}
	return u
}
