package chat

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/language"
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

// announces is how people announce that something should be asked about. The topic follows.
const announces language.Pattern = "announcement"

// announcement is where a message announces something, in bytes: its words begin at from, and the topic at topic.
type announcement struct{ from, topic int }

// announcements returns what a message announces, in its order. Long messages announce nothing.
func announcements(message string) []announcement {
	if len(message) > maxAnnouncement {
		return nil
	}
	var out []announcement
	for at := 0; ; {
		from, to := announces.At(message[at:])
		if from < 0 {
			return out
		}
		if strings.Trim(message[at+to:], " :") != "" {
			out = append(out, announcement{at + from, at + to})
		}
		at += to
	}
}

// AnnouncedAt returns the byte at which a message begins to announce a topic, or -1. What
// follows there is no answer to the question.
func AnnouncedAt(message string) int {
	if list := announcements(message); len(list) > 0 {
		return list[0].from
	}
	return -1
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
	for _, m := range announcements(message) {
		topic := topicOf(message[m.topic:])
		if utf8.RuneCountInString(topic) < minTopicRunes || covered(topic, message[m.from:m.topic], u.Findings) {
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
	for _, m := range announcements(message) {
		opening := message[m.from:m.topic]
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
	rest = strings.Trim(rest, topicMarks)
	if shorter := strings.Trim(topicTail.Cut(rest), topicMarks); shorter != "" {
		return shorter
	}
	return rest
}

// topicTail is what ends an announcement and is no part of the topic.
const topicTail language.Pattern = "topic-tail"

// topicMarks are the marks around a topic.
const topicMarks = " ,:–—-\"“”"

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

// opens reports whether a word begins a phrase. A label must not end with one.
func opens(word string) bool {
	return language.IsWord("phrase", strings.Trim(word, ",:"))
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
