package brief

import "time"

// Brief is what an interview came to. Its texts are for people and clean, see
// [clean]; lists that are nil have nothing to say.
type Brief struct {
	Title       string // of the objective
	Description string // what the interview is for
	About       []Fact // who took part, when, how far it is
	Summary     string // how much is known and what is not settled, in a few sentences
	Gist        []Fact // the values that matter most, at most five
	Progress    int    // hundredths that are resolved
	Ended       bool   // the interview is complete; else all this may change
	At          time.Time
	Known       []Category
	Disputed    []Dispute
	Open        []Gap    // what is still to be learnt, what is needed first
	Skipped     []Gap    // what was left out, and why
	Research    []Lookup // oldest first
	Untold      int      // pieces of research beyond those told of
	Next        []string // what to do now, the most pressing first; never empty
	Talk        []Said   // the conversation; nil when it is not told
	Earlier     bool     // there is more of the conversation before Talk
}

// Fact is a name and what there is to say under it.
type Fact struct{ Name, Value string }

// Category is a heading with what is known under it.
type Category struct {
	Name  string
	Items []Item
}

// Item is a value that is known, wholly or in part.
type Item struct {
	Name     string
	Value    string // may be of several lines
	Sure     string // how sure, in words, such as "very sure"
	Figure   string // the same as a figure, 0.00 to 1.00
	Level    Level
	Part     bool       // it is known in part only
	Note     string     // what is not settled about it; empty when nothing is
	Evidence []Evidence // the latest first, at most [maxEvidence]
	Further  int        // pieces of evidence beyond those
}

// Level says how sure a value is, to be seen at a glance.
type Level string

// The levels.
const (
	VerySure   Level = "very-sure"
	Sure       Level = "sure"
	FairlySure Level = "fairly-sure"
	NotSure    Level = "not-sure"
)

// Evidence is a reason to believe a value.
type Evidence struct {
	How    string // who said or decided it and when, such as "Anna said, in turn 4"
	Quote  string // the words; empty when there are none
	Source string // where they stand, when that is not the conversation; empty otherwise
	Link   string // address on the web of the source; empty for none
	Doubt  string // why the words are not to be trusted; empty when they are
}

// Dispute is what two sides do not agree about.
type Dispute struct {
	Name  string
	Why   string
	Sides []Side
}

// Side is one of the values of a dispute.
type Side struct {
	Value string // with its name in front when the dispute is between several
	Held  bool   // it is the one that holds for now
	Words string // who says so, with their words; empty when nobody did
}

// Gap is something that is not known.
type Gap struct {
	Name     string
	Question string // that would be asked; empty when nothing is to be asked
	Why      string
	Needed   bool // the interview is not complete without it
}

// Lookup is a piece of research.
type Lookup struct {
	Question string
	State    string // such as "Found"
	Summary  string // what came of it; may be empty
	Proposal string // the value it proposes and for what; empty for none
	Claims   []Claim
	Sources  []Source
}

// Claim is something that a source says.
type Claim struct {
	Text   string
	Quote  string
	Source int // number of the source
}

// Source is where claims stand.
type Source struct {
	N         int
	Name      string
	Link      string // address on the web; empty for a document
	Published string // as the source says; empty when it does not
}

// Said is a message of the conversation.
type Said struct {
	Who  string
	Turn int
	Text string
	Own  bool // a person said it, not Quaestor
}
