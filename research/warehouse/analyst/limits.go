package analyst

// The parts of a prompt, in tokens. The absolute numbers add up to MaxPrompt minus a system prompt
// of usual size; the shares apply if the window is smaller.
const (
	ofMessage  = 4 // of a message besides its content, as providers count
	ofAnswer   = 3 // by which the prompt introduces the reply
	ofOpening  = 60
	ofTurn     = 60    // of the words around an outcome, and of its two messages
	maxNotes   = 3_900 // of the notebook
	maxState   = 1_000 // of the end: what is left to do, and what was wrong with the last reply
	maxLine    = 80    // of a line of the notebook
	maxShort   = 24    // of a shortened line
	maxFolded  = 300   // of the line for the oldest steps
	fullTurns  = 5_800 // of the steps shown in full; beyond it, older ones move to the notebook
	leftTurns  = 2_300 // of the steps that remain in full after that
	maxSaid    = 1_200 // of the model's reply at a step
	keptTurns  = 3     // steps that stay in full as long as there is any room
	maxPrefix  = 3     // quarters of a prompt that the system message may take
	quarters   = 4
	notesShare = 3 // the notebook takes at most a third of the room, and so on
	stateShare = 6
	saidShare  = 4
)

// maxSystem returns how many tokens the system message may have in a prompt of limit tokens.
func maxSystem(limit int) int { return limit * maxPrefix / quarters }

// limits are the sizes of the parts of one prompt, in tokens.
type limits struct {
	notes  int // the lines of the notebook
	folded int // the line for the oldest steps, which is part of notes
	state  int
	hard   int // the steps shown in full, at most
	full   int // the steps shown in full, beyond which older ones move to the notebook
	left   int // the steps that remain in full then
	said   int // the model's reply at a step
	gave   int // the outcome of a step
}

// limitsOf distributes what the system message leaves of a prompt.
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
