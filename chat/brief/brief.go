package brief

import (
	"time"

	"quaestor/obligations"
)

// Brief is the result of an interview. Its texts are written for people, and clean (see
// [clean]). A list that is nil has nothing to report.
type Brief struct {
	Title       string     // of the objective
	Description string     // what the interview is for
	About       []Fact     // who took part, when, and how far the interview is
	Summary     string     // how much is known and what is not settled, in a few sentences
	Gist        []Fact     // the values that matter most, at most five
	Progress    int        // percentage of obligations that are resolved
	Ended       bool       // the interview is completed; until then all of this may change
	At          time.Time  // of the last change
	Completed   *time.Time // nil until it is
	Reopened    *time.Time // when the interview went on as its next revision; nil in the latest one
	Known       []Category
	Disputed    []Dispute
	Open        []Gap            // what is not known yet, required points first
	Skipped     []Gap            // what was left out, and why
	Research    []Lookup         // oldest first
	Omitted     int              // number of earlier pieces of research that are not in Research
	Next        []string         // what to do now, the most urgent first; never empty
	Talk        []TranscriptLine // the conversation; nil when it is not part of the brief
	Earlier     bool             // the conversation began before Talk
}

// Fact is a row of a table: a name and a value.
type Fact struct{ Name, Value string }

// Category is a heading and what is known under it.
type Category struct {
	Name  string
	Items []Item
}

// Item is a value that is known, fully or in part.
type Item struct {
	Name     string
	Value    string // may have several lines
	Sure     string // how sure it is, in words, such as "fairly sure"
	Band     obligations.Band
	Part     bool       // it is known only in part
	Note     string     // what is not settled about it; empty when nothing is
	Evidence []Evidence // the latest first, at most [maxEvidence]
	Further  int        // number of pieces of evidence that are not in Evidence
}

// Evidence is a reason to believe a value.
type Evidence struct {
	How    string // who said or decided it and when, such as "Anna said, in turn 4"
	Quote  string // the words; empty when there are none
	Source string // where the words are, when that is not the conversation; else empty
	Link   string // web address of the source; empty for none
	Doubt  string // why the words cannot be trusted; empty when they can
}

// Dispute is a disagreement between two sides.
type Dispute struct {
	Name  string // of the obligations that it is about
	Why   string // one sentence on what does not agree
	Sides []Side
}

// Side is one of the values of a dispute.
type Side struct {
	Value string // preceded by its name when the dispute is about several obligations
	Held  bool   // this value holds for now
	Words string // who said it, with their words; empty when nobody did
}

// Gap is something that is not known.
type Gap struct {
	Name     string
	Question string // that would be asked; empty when nothing is
	Why      string // it is not known
	Needed   bool   // the interview is not complete without it
}

// Lookup is a piece of research.
type Lookup struct {
	Question string
	State    string // such as "Found"
	Summary  string // of the result; may be empty
	Proposal string // the value it proposes, and for what; empty for none
	Refused  bool   // somebody turned the proposal down
	Disputed string // what was said against it; empty for nothing
	Claims   []Claim
	Sources  []Source
}

// Claim is something that a source states.
type Claim struct {
	Text   string
	Quote  string
	Source int // N of the source
}

// Source is where claims were found.
type Source struct {
	N         int
	Name      string
	Link      string // web address; empty for a document
	Published string // as the source states it; may be empty
}

// TranscriptLine is a message of the conversation.
type TranscriptLine struct {
	Who  string
	Turn int
	Text string
	Own  bool // a person said it, and not Quaestor
}
