package chat

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Propose returns the emergent questions of a turn: what the model understands that the
// person wants to be asked about, else what their own words announce. list is the
// obligations after the turn's findings. It is pure.
func Propose(s *Scene, u Understanding, list []obligations.Obligation) obligations.EmergentChanges {
	proposals := u.Proposals
	if len(proposals) == 0 {
		proposals = announced(MessagesOf(s), s.Message, u)
	}
	said := []obligations.Utterance{{ID: s.MessageID(), Content: s.Message, User: true}}
	checked := slices.Clone(proposals)
	for i := range checked {
		checked[i].Evidence.Kind, checked[i].Evidence.By = obligations.Stated, s.Person
		checked[i].Evidence = obligations.Check(checked[i].Evidence, said)
	}
	return obligations.Propose(list, checked, nil, s.Turn)
}

// announcements are ways to announce that something should be asked about. The last group
// of a pattern is the topic.
var announcements = []announcement{
	{[]string{"thing", "point", "matter"}, regexp.MustCompile(`(?i)\b(?:one|another) (?:more |other )?(?:important )?(?:thing|point|matter)(?: (?:that )?(?:we|you|one) (?:must|should|may|can)(?: not|n['’]t|not) forget)?(?: is)?\s*[:–—-]\s*(.+)`)},
	{[]string{"forget"}, regexp.MustCompile(`(?i)\b(?:we|you) (?:(?:must|should|may|can)(?: not|n['’]t|not)|do not want to|don['’]t want to) forget(?: about)?:?\s+(.+)`)},
	{[]string{"forget"}, regexp.MustCompile(`(?i)\b(?:do not|don['’]t|never) forget(?: about)?:?\s+(.+)`)},
	{[]string{"ask"}, regexp.MustCompile(`(?i)\byou (?:should|must|need to|have to|ought to) (?:also|still|really) ask(?: me| us)?(?: about)?:?\s+(.+)`)},
	{[]string{"ask"}, regexp.MustCompile(`(?i)\byou (?:have not|haven['’]t|did not|didn['’]t) (?:yet )?ask(?:ed)?(?: me| us)?(?: anything)? about:?\s+(.+)`)},
}

// announcement is a pattern, with words that speed up the search for it.
type announcement struct {
	words []string // every match contains one of them
	*regexp.Regexp
}

// possible reports whether a lower-case text may match. The patterns begin with
// alternatives and take long to find nothing, while nearly every message announces
// nothing.
func (a announcement) possible(lower string) bool {
	return slices.ContainsFunc(a.words, func(w string) bool { return strings.Contains(lower, w) }) || strings.ContainsRune(lower, 'ſ') // which patterns fold to s
}

// matches returns where the announcements match in a message: for each pattern that does,
// the bounds of the match and of its topic. Long messages have none.
func matches(message string) [][]int {
	if len(message) > maxAnnouncement {
		return nil
	}
	var out [][]int
	lower := strings.ToLower(message)
	for _, a := range announcements {
		if a.possible(lower) {
			if m := a.FindStringSubmatchIndex(message); m != nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// AnnouncedAt returns the byte at which a message begins to announce a topic, or -1. What
// follows there is no answer to the question.
func AnnouncedAt(message string) int {
	at := -1
	for _, m := range matches(message) {
		if at < 0 || m[0] < at {
			at = m[0]
		}
	}
	return at
}

// Bounds of what a person's own words propose. A message above maxAnnouncement bytes is a
// document rather than an announcement, a topic of more than maxTopicWords words is a
// story, and a label must fit a line of the page.
const (
	maxAnnouncement = 8 << 10
	minTopicRunes   = 4
	maxTopicWords   = 14
	maxLabelRunes   = 48
)

// announced returns what a message announces, at most one question. A topic on which a
// finding already rests needs no question.
func announced(l *messages.Language, message string, u Understanding) []obligations.EmergentQuestion {
	for _, m := range matches(message) {
		topic := topicOf(message[m[2]:m[3]])
		if utf8.RuneCountInString(topic) < minTopicRunes || covered(topic, message[m[0]:m[2]], u.Findings) {
			continue
		}
		t := obligations.Template{Label: labelOf(topic), Prompt: l.Text("emergent", messages.Args{"topic": messages.Quote(topic)})}
		return []obligations.EmergentQuestion{{Template: t, Evidence: obligations.Evidence{Quote: topic}}}
	}
	return nil
}

// announcedOnly takes out what rests on the words of an announcement: what somebody wants to
// be asked answers nothing that was asked.
func announcedOnly(message string, u Understanding) Understanding {
	had := len(u.Findings)
	for _, m := range matches(message) {
		opening := message[m[0]:m[2]]
		u.Findings = slices.DeleteFunc(slices.Clone(u.Findings), func(f obligations.Finding) bool {
			return f.Act == obligations.Tell && strings.Contains(f.Evidence.Quote, opening)
		})
	}
	if had > 0 && len(u.Findings) == 0 && u.Intent == Answer {
		u.Intent = OffTopic
	}
	return u
}

// topicOf returns the first clause after an announcement, without the polite words at its
// end, or "" when it is too long.
func topicOf(rest string) string {
	if i := strings.IndexAny(rest, ".!?;\n"); i >= 0 {
		rest = rest[:i]
	}
	if len(strings.Fields(rest)) > maxTopicWords {
		return ""
	}
	for {
		rest = strings.Trim(rest, " ,:–—-\"“”")
		shorter := topicTails.ReplaceAllString(rest, "")
		if shorter == rest || shorter == "" {
			return rest
		}
		rest = shorter
	}
}

// topicTails matches words at the end of an announcement that are no part of the topic.
var topicTails = regexp.MustCompile(`(?i)[ ,]+(?:please|yet|too|as well|also|either|though|by the way|thanks|thank you|at all|so far)$`)

// labelOf returns the label of a topic: all of it or, when that is too long, as many of its
// phrases as fit. A single phrase that is too long is cut between words.
func labelOf(topic string) string {
	words := strings.Fields(topic)
	fits, phrase := 0, 0
	for i := range words {
		if utf8.RuneCountInString(strings.Join(words[:i+1], " ")) > maxLabelRunes {
			break
		}
		fits = i + 1
		if end := i+1 == len(words) || opens(words[i+1]) || strings.HasSuffix(words[i], ","); end && !opens(words[i]) {
			phrase = i + 1
		}
	}
	phrase = cmp.Or(phrase, fits)
	label := []rune(strings.Trim(strings.Join(words[:max(phrase, 1)], " "), ",:"))
	label = label[:min(len(label), maxLabelRunes)]
	return strings.ToUpper(string(label[:1])) + string(label[1:])
}

// openers are words that begin a phrase. A label must not end with one.
var openers = strings.Fields(`a an the of for to in into at on onto with without by from about over under after before until during since between against and or but nor because
	if since when where while as than that which who whom whose how why our your my their its his her is are was were be will would can could should must may has have had not`)

// opens reports whether a word begins a phrase.
func opens(word string) bool {
	return slices.Contains(openers, strings.ToLower(strings.Trim(word, ",:")))
}

// covered reports whether a finding rests on words of topic. A finding that mistook the
// announcement itself for an answer does not count.
func covered(topic, announcement string, findings []obligations.Finding) bool {
	topic, announcement = strings.ToLower(topic), strings.ToLower(announcement)
	return slices.ContainsFunc(findings, func(f obligations.Finding) bool {
		q := strings.ToLower(f.Evidence.Quote)
		return q != "" && !strings.Contains(q, announcement) && (strings.Contains(topic, q) || strings.Contains(q, topic))
	})
}

// emergedPayloads returns the events about emergent questions that were not merged into
// others.
func emergedPayloads(e obligations.EmergentChanges, turn int) []sessions.Payload {
	var out []sessions.Payload
	for _, o := range obligations.Merge(e.Born, e.Changes) {
		if o.MergedInto == "" {
			out = append(out, sessions.LearntFrom(obligations.Change{Before: o, After: o}, turn))
		}
	}
	return out
}
