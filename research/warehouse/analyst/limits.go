package analyst

// What a prompt is made of, in tokens. The shares rule where a window is small.
const (
	ofMessage  = 4 // of a message beside its content, as providers count
	ofAnswer   = 3 // for which the prompt makes ready
	ofOpening  = 60
	ofTurn     = 60    // of the words around what a step gave, and of its two messages
	maxNotes   = 3_900 // of the notebook
	maxState   = 1_000 // of what stands at the end: what is left, and what was wrong
	maxLine    = 80    // of a line of the notebook
	maxShort   = 24    // of an older one
	maxFolded  = 300   // of the line for the oldest ones
	fullTurns  = 5_800 // of the steps told in full, beyond which the older ones go into the notebook
	leftTurns  = 2_300 // of those that stay
	maxSaid    = 1_200 // of what the model said at a step
	keptTurns  = 3     // steps that stay in full as long as there is room at all
	maxPrefix  = 3     // quarters of a prompt that the system message may take
	quarters   = 4
	notesShare = 3 // one part in so many of the room is the notebook's, and so on
	stateShare = 6
	saidShare  = 4
)

// maxSystem is how many tokens the system message may have.
func maxSystem(limit int) int { return limit * maxPrefix / quarters }

// limits are the sizes of the parts of a prompt.
type limits struct {
	notes  int // of the lines of the notebook
	folded int // of them, of the line for the oldest
	state  int
	hard   int // of the steps told in full
	full   int // of them, beyond which older ones go
	left   int // of them, that stay then
	said   int // of what the model said at a step
	gave   int // of what came of a step
}

// limitsOf shares out what the system message leaves of a prompt.
func limitsOf(prompt, system int) limits {
	room := prompt - system - ofOpening - ofAnswer - 2*ofMessage
	l := limits{notes: min(maxNotes, room/notesShare), state: min(maxState, room/stateShare)}
	l.folded = min(maxFolded, l.notes/notesShare)
	l.hard = room - l.notes - l.state
	l.full = min(fullTurns, l.hard)
	l.left = min(leftTurns, l.hard/2)
	l.said = min(maxSaid, l.hard/saidShare)
	l.gave = l.hard - l.said - ofTurn
	return l
}
