package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// contextType is the objective that is talked about.
const contextType = "bench"

// turnsASession is how long a conversation is before a talker begins another.
const turnsASession = 10

// topics are what the person talks about, two a turn and in this order. The one
// question that is always open is about something else, so a session neither
// runs out of questions nor ends.
var topics = [...]string{"supplier", "courier", "insurer", "printer", "caterer", "landlord", "accountant", "lawyer", "bank",
	"agency", "cleaner", "carrier", "tailor", "baker", "florist", "plumber", "notary", "broker"}

// toldATurn is how many obligations a turn changes.
const toldATurn = 2

// message returns what a person says in a turn, and [understanding] what a
// careful reader notes down of it. It begins with a marker that no other turn has.
func message(person string, turn int) string {
	var b strings.Builder
	b.WriteString(markerOf(person, turn))
	for _, topic := range told(turn) {
		fmt.Fprintf(&b, " Our %s is %s.", topic, nameOf(topic, turn))
	}
	return b.String()
}

func markerOf(person string, turn int) string { return fmt.Sprintf("Turn %d of %s.", turn, person) }

var marker = regexp.MustCompile(`Turn (\d+) of [a-z0-9-]+\.`)

// markerIn finds the marker in a request to the model, and the turn's number: the
// person's message comes last in it. The marker is empty when there is none.
func markerIn(body []byte) (found string, turn int) {
	all := marker.FindAllSubmatch(body, -1)
	if len(all) == 0 {
		return "", 0
	}
	last := all[len(all)-1]
	turn, _ = strconv.Atoi(string(last[1])) // digits only; what does not fit is no turn of ours
	return string(last[0]), turn
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
