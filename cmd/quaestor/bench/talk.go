package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// contextType is the objective that is talked about.
const contextType = "bench"

// turnsASession is how long a conversation is before a talker begins another.
const turnsASession = 10

// topics are what the person tells of, three a turn and in this order. The one
// question that is always open is about something else, so a session neither
// runs out of questions nor ends.
var topics = [...]string{"supplier", "courier", "insurer", "printer", "caterer", "landlord", "accountant", "lawyer", "bank",
	"agency", "cleaner", "carrier", "tailor", "baker", "florist", "plumber", "notary", "broker"}

// toldATurn is how many obligations a turn changes.
const toldATurn = 3

// message returns what the person says in a turn, and [understanding] what a
// careful reader notes down of it.
func message(turn int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d.", turn)
	for _, topic := range told(turn) {
		fmt.Fprintf(&b, " Our %s is %s.", topic, nameOf(topic, turn))
	}
	return b.String()
}

// told returns the topics of a turn.
func told(turn int) []string {
	out := make([]string, toldATurn)
	for i := range out {
		out[i] = topics[(max(turn-1, 0)*toldATurn+i)%len(topics)]
	}
	return out
}

func nameOf(topic string, turn int) string { return fmt.Sprintf("Firm %s-%d", topic[:2], turn) }

// understanding returns the model's reading of a turn's message, in the schema
// of the understand call.
func understanding(turn int) string {
	var b strings.Builder
	b.WriteString(`{"intent":"answer","about":null,"findings":[`)
	for i, topic := range told(turn) {
		if i > 0 {
			b.WriteByte(',')
		}
		name := nameOf(topic, turn)
		fmt.Fprintf(&b, `{"key":%q,"act":"correct","value":%q,"quote":"Our %s is %s","hedged":false,"vague":false,"confidence":0.95,"skip_reason":null,"premises":[],"reason":"The person names it."}`,
			topic, name, topic, name)
	}
	b.WriteString(`],"research":[],"proposals":[],"topic":"partners","follow_ups":[],"relationships":[],"preferences":[],"style":null}`)
	return b.String()
}

// turnOf finds the number of the turn in a request to the model: the person's
// message comes last in it. It returns 0 when there is none.
func turnOf(body []byte) int {
	const mark = "Turn "
	at := bytes.LastIndex(body, []byte(mark))
	if at < 0 {
		return 0
	}
	n := 0
	for _, c := range body[at+len(mark):] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// Marks of the instants that travel in a reply: when the model got the request,
// and when it sent a piece. Neither occurs in ordinary replies.
const (
	arrivedMark = '^'
	sentMark    = '~'
)

// stamp appends an instant as a word.
func stamp(b []byte, mark byte, at time.Duration) []byte {
	b = append(b, mark)
	b = strconv.AppendInt(b, int64(at), 36)
	return append(b, ' ')
}

// stamps calls f with each instant in the text of a piece.
func stamps(text []byte, f func(mark byte, at time.Duration)) {
	for len(text) > 0 {
		word, rest, _ := bytes.Cut(text, []byte(" "))
		text = rest
		if len(word) < 2 || word[0] != arrivedMark && word[0] != sentMark {
			continue
		}
		if n, err := strconv.ParseInt(string(word[1:]), 36, 64); err == nil {
			f(word[0], time.Duration(n))
		}
	}
}

// objective returns the definition of what is talked about.
func objective() string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"contextType":%q,"version":"1.0.0","displayName":"Benchmark","description":"Who a business works with.","obligations":[`, contextType)
	fmt.Fprintf(&b, `{"key":"purpose","fieldPath":"purpose","prompt":"What is all of this for?","why":"To have a question that stays open.","collectionType":"direct_question","widgetType":"text","priority":10,"maxAttempts":10}`)
	for _, topic := range topics {
		fmt.Fprintf(&b, `,{"key":%[1]q,"fieldPath":"partners.%[1]s","label":%[1]q,"prompt":"Who is your %[1]s?","why":"To know who you work with.","collectionType":"direct_question","widgetType":"text","cues":["our %[1]s is"],"priority":5,"category":"Partners"}`, topic)
	}
	b.WriteString(`],"phases":{"opening":{"goal":"Begin."},"exploration":{"goal":"Learn."},"validation":{"goal":"Check."},"closing":{"goal":"End."}},`)
	b.WriteString(`"completion":{"minObligationsSatisfied":19,"minConfidenceScore":1,"requiredObligations":["purpose"]}}`)
	return b.String()
}
