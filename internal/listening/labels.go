package listening

import "slices"

// Act is what a stretch of a message does.
type Act uint8

// The acts. Their order is that of the model's outputs.
const (
	Answer       Act = iota // says what was asked
	Fact                    // tells something that was not asked
	Correction              // takes back or changes something said before
	Confirm                 // says that what was read back is right
	Deny                    // says that it is wrong
	Question                // asks the interviewer something
	Unknown                 // does not know, cannot say
	NoPreference            // does not mind
	Delegate                // somebody else knows
	Skip                    // does not want to answer this
	Later                   // puts it off
	Topic                   // wants to talk of something else first
	Repeat                  // did not get the question
	Examples                // wants examples or choices
	Shorter                 // is in a hurry, wants less text
	Stop                    // wants to end or to pause
	Human                   // wants to talk to a human
	LookUp                  // wants it looked up
	Feeling                 // tells how they feel
	Complaint               // complains of the interview
	SmallTalk               // greetings, thanks, jokes, filler
	Gibberish               // means nothing
)

var acts = []string{"answer", "fact", "correction", "confirm", "deny", "question", "unknown", "nopreference", "delegate", "skip", "later", "topic", "repeat", "examples", "shorter", "stop", "human", "lookup", "feeling", "complaint", "smalltalk", "gibberish"}

// String returns the act's name, such as "answer".
func (a Act) String() string { return acts[a] }

// ActNamed returns the act of that name, and whether there is one.
func ActNamed(name string) (Act, bool) {
	i := slices.Index(acts, name)
	return Act(max(i, 0)), i >= 0
}

// Type is the type of a value. Its zero value is none: nothing was asked, or no value.
type Type uint8

// The types of values. Their order is that of the model's outputs. Confirmation is the
// type of what is asked when something is read back; no value has it.
const (
	None Type = iota
	Person
	Organisation
	Place
	Product
	Time
	Date
	Duration
	Amount
	Count
	Measure
	Percentage
	Range
	Email
	Phone
	URL
	Address
	Identifier
	YesNo
	Choice
	List
	Text
	Confirmation
)

var types = []string{"", "person", "organisation", "place", "product", "time", "date", "duration", "amount", "count", "measure", "percentage", "range", "email", "phone", "url", "address", "identifier", "yesno", "choice", "list", "text", "confirm"}

// String returns the type's name, such as "amount"; empty for None.
func (t Type) String() string { return types[t] }

// TypeNamed returns the type of that name, and whether there is one.
func TypeNamed(name string) (Type, bool) {
	i := slices.Index(types, name)
	return Type(max(i, 0)), i > 0
}
