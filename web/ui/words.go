package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Words are the page's fixed phrases, by the value they stand for. The page
// hands them to its scripts as JSON.
type Words struct {
	Status   map[obligations.Status]string
	Skip     map[obligations.SkipReason]string
	Evidence map[obligations.EvidenceKind]string
	Flag     map[string]string
	End      map[sessions.StopReason]string
	Dispute  map[obligations.NegotiationStatus]string
	Research map[string]string
	Outcome  map[string]string
	Disputed string // the value that is in dispute
	Conflict string
	Asking   string // of what is asked just now and is open
	Between  string
	AtLeast  string
	AtMost   string
	You      string
	Someone  string
	Rules    string
	Model    string

	Change string
	Answer string
}

// Phrases returns the words. In those of evidence, {who} is the person,
// {value} what they agreed to, {from} what a value follows from and {source}
// where it stands.
func Phrases() Words {
	return Words{
		Status: map[obligations.Status]string{
			obligations.Pending:    "Not asked yet",
			obligations.InProgress: "Asked, still open",
			obligations.Partial:    "Partly known",
			obligations.Satisfied:  "Known",
			obligations.Deferred:   "For later",
			obligations.Skipped:    "Skipped",
		},
		Skip: map[obligations.SkipReason]string{
			obligations.NotApplicable: "Skipped: does not apply",
			obligations.NoPreference:  "No preference",
			obligations.Declined:      "Skipped: not answered by choice",
		},
		Evidence: map[obligations.EvidenceKind]string{
			obligations.Stated:           "{who} said",
			obligations.Accepted:         "{who} agreed to {value}",
			obligations.InferredEvidence: "Follows from {from}",
			obligations.Document:         "Read in {source}",
			obligations.ResearchEvidence: "Found by research",
			obligations.WidgetInput:      "{who} chose or entered it",
			obligations.Reviewer:         "{who} decided it in review",
		},
		Flag: map[string]string{
			obligations.FlagQuoteNotFound: "These words were not found in the conversation.",
			obligations.FlagUnsupported:   "These words do not say it.",
			obligations.FlagDoubtful:      "These words do not clearly say it, so it needs somebody's yes.",
		},
		End: map[sessions.StopReason]string{
			sessions.EndCompleted:  "This interview is complete.",
			sessions.EndLeft:       "This interview is paused. Write whenever you want to go on.",
			sessions.EndBudget:     "This interview has reached its agreed length. What is known so far is kept.",
			sessions.EndRefused:    "This interview rests, because something it needs was not answered. You can still go on.",
			sessions.EndHandedOver: "A reviewer takes it from here. You can still add something.",
			sessions.EndError:      "This interview stopped because of a fault. Write to go on.",
		},
		Dispute: map[obligations.NegotiationStatus]string{
			obligations.NegotiationActive:    "This value is disputed and being settled.",
			obligations.NegotiationDeferred:  "This value is disputed; it is set aside for now.",
			obligations.NegotiationEscalated: "This value is disputed; a reviewer decides.",
		},
		Disputed: "{value} (in dispute)",
		Conflict: "Two answers to this do not agree.",
		Asking:   "Being asked",
		Research: map[string]string{"pending": "Queued", "running": "Looking it up", "completed": "Done", "found": "Found", "contradicting": "Sources disagree",
			"no_evidence": "Nothing found", "failed": "Not possible", "cancelled": "Cancelled"},
		Outcome: map[string]string{"contradicting": "The sources that were read do not agree with each other. The report shows both sides.",
			"no_evidence": "No source that could be read says anything about this."},
		Between: "From {min} to {max}",
		AtLeast: "At least {min}",
		AtMost:  "At most {max}",
		You:     "You",
		Someone: "Someone",
		Rules:   "Built-in interviewer (rules, no model)",
		Model:   "Model {name}",

		Change: "Change",
		Answer: "Answer",
	}
}

// StatusWords says where o stands.
func StatusWords(o *obligations.Obligation) string {
	w := Phrases()
	if o.Status == obligations.Skipped && w.Skip[o.SkipReason] != "" {
		return w.Skip[o.SkipReason]
	}
	return w.Status[o.Status]
}

// DisputeWords says what a dispute over a value waits for; empty for none.
func DisputeWords(n *obligations.Negotiation) string {
	if n == nil {
		return ""
	}
	return Phrases().Dispute[n.Status]
}

// ValueInSight words what o holds or, while nothing is held because it is in dispute,
// the value the dispute is about. panel.js does the same.
func ValueInSight(o *obligations.Obligation) string {
	proposal, _ := o.Negotiation.Last()
	if len(o.Value) > 0 || len(proposal) == 0 || !o.Negotiation.Open() {
		return HeldValue(o)
	}
	return strings.ReplaceAll(Phrases().Disputed, "{value}", DisplayValue(o.Template, proposal))
}

// SureWords says how sure c is, such as "fairly sure".
func SureWords(c obligations.Confidence) string { return sessions.Sureness("en", c.Band()) }

// EndWords says why a session is not going on; empty for one that is.
func EndWords(r sessions.StopReason) string { return Phrases().End[r] }

// InterviewerName says who asks, from "rules" or "model NAME".
func InterviewerName(name string) string {
	w := Phrases()
	if model, ok := strings.CutPrefix(name, "model "); ok {
		return strings.ReplaceAll(w.Model, "{name}", model)
	}
	return w.Rules
}

// SpeakerName says who spoke: "You" for me, else the name, for want of one
// "Someone".
func SpeakerName(name, me string) string {
	w := Phrases()
	switch name {
	case "":
		return w.Someone
	case me:
		return w.You
	}
	return name
}

// Author says whose message m is, to the person called me.
func Author(m sessions.Message, me string) string {
	if m.Role == sessions.FromAssistant {
		return "Quaestor"
	}
	if m.User == "" {
		return Phrases().You
	}
	return SpeakerName(m.User, me)
}

// Count is a number and what is counted, which takes an s for the plural.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(float64(n)) + " " + noun + "s"
}

// Seconds is a duration for people.
func Seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) + " s"
}

// SizeName is a number of bytes for people.
func SizeName(n int64) string {
	switch {
	case n >= 1<<30:
		return strconv.FormatFloat(float64(n)/(1<<30), 'f', 1, 64) + " GB"
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MB"
	case n >= 1<<10:
		return strconv.FormatInt(n>>10, 10) + " kB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// Digits is a number without marks between its thousands, as ids are written.
func Digits(n int64) string { return strconv.FormatInt(n, 10) }

// Coordinate is a length in a picture.
func Coordinate(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// NoCategory heads what has no category of its own.
const NoCategory = "To find out"

// Capital begins a text with a capital letter.
func Capital(s string) string { return language.UpperFirst(s) }

// Phases are the steps of the progress panel, in order.
var Phases = []sessions.Phase{sessions.Opening, sessions.Exploration, sessions.Validation, sessions.Closing}

var phaseNames = map[sessions.Phase]string{
	sessions.Opening:     "Opening",
	sessions.Exploration: "Exploration",
	sessions.Validation:  "Validation",
	sessions.Closing:     "Closing",
}

// PhaseName is the name of p for people.
func PhaseName(p sessions.Phase) string { return cmp.Or(phaseNames[p], string(p)) }

var roleNames = map[sessions.Role]string{
	sessions.OwnerRole:       "owner",
	sessions.ContributorRole: "answers too",
	sessions.ObserverRole:    "reads along",
	sessions.NoRole:          "looks in",
}

// RoleName is the name of p for people.
func RoleName(p sessions.Role) string { return cmp.Or(roleNames[p], string(p)) }

func NameOr(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

// MaxName bounds a title on a page, in characters.
const MaxName = 200

// Visible takes away what cannot be seen in text and changes how the rest is read:
// control characters and those that turn the direction of writing.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c, r == 0x200b, r == 0x2060, r == 0xfeff,
			r >= 0xe0000 && r <= 0xe007f, r == 0x2028, r == 0x2029:
			return -1
		}
		return r
	}, s)
}

func Clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

func Many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// ShortID is the beginning of an id, enough to tell rows apart.
func ShortID(id string) string { return id[:min(8, len(id))] }

func Numeral(n int) string { return strconv.Itoa(n) }

// TakenBackWords say what becomes of the other sides of a conflict over several
// obligations.
const TakenBackWords = "The one you pick stands. The other is taken out and asked again."

// UnitWords is what stands behind a number's input.
func UnitWords(unit string) string { return sessions.UnitWords(unit) }
