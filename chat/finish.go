package chat

import (
	"regexp"
	"slices"

	"quaestor/obligations"
)

// What people answer to the offer to finish without something, in English and German. The
// labels of its buttons, [sessions.FinishWithout] and [sessions.AnswerNow], match as well.
var (
	finishesWithout = regexp.MustCompile(`(?i)^\W*(?:(?:yes|yeah|ok|okay|sure|please|then|just|no)\W+)*(?:finish|close|end|complete|go on|continue)(?: (?:it|this|that))?(?: (?:here|now))? without(?: (?:it|them|that|those|this))?\W*(?:please|then|thanks|thank you)?\W*$`)
	withoutGerman   = regexp.MustCompile(`(?i)^\W*(?:(?:ja|ok|okay|gut|bitte|dann|nein|einfach)\W+)*(?:ohne(?: \w+){0,3} (?:abschlie(?:ß|ss)en|beenden|weitermachen|fertig)|(?:schlie(?:ß|ss)en|beenden|machen) sie(?: es| das)? ohne(?: \w+){0,3}(?: ab)?)\W*(?:bitte)?\W*$`)
	answersNow      = regexp.MustCompile(`(?i)^\W*(?:(?:yes|yeah|ok|okay|sure|please|then|no|wait|actually|fine|all right|alright|well)\W+)*(?:(?:let me|i['’]ll|i will|i['’]d like to|i would like to|i want to|i can|let['’]s|we can|i['’]d rather|i would rather)\s+)?(?:answer|do)(?: (?:it|them|that|those|this))?(?: (?:now|after all|then|please))*\W*$`)
	nowGerman       = regexp.MustCompile(`(?i)^\W*(?:(?:ja|nein|ok|okay|gut|bitte|dann|moment|ich|will|möchte|würde|kann|es|das|lieber|doch|jetzt|gern|gerne|noch)\W+)*(?:be)?antworten?\W*$`)
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
	case finishesWithout.MatchString(s.Message), withoutGerman.MatchString(s.Message), silent && u.Intent == SkipThis:
		u.Intent, u.Findings = Finish, nil
	case answersNow.MatchString(s.Message), nowGerman.MatchString(s.Message), silent && u.Intent == Disagree:
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
