package inquiry

import (
	"context"
	"time"

	"quaestor/internal/language/messages"
)

// Warehouses are what interviews ask of an organisation's warehouses. All functions are set, and
// are safe for concurrent use.
type Warehouses struct {
	// Ready returns nil if a question of somebody could be asked anywhere, and otherwise the
	// [*Missing] that says why not.
	Ready func(ctx context.Context, tenant string, who Who) error
	// Names returns the names of the warehouses that somebody may ask.
	Names func(ctx context.Context, tenant string, who Who) ([]string, error)
	// Allowed returns nil if a question may be asked of its warehouse.
	Allowed func(ctx context.Context, tenant string, q Question) error
	// Ask answers a question.
	Ask func(ctx context.Context, tenant string, q Question) (Record, error)
	// Again sends the statement of a record once more.
	Again func(ctx context.Context, tenant string, r Record) (Recheck, error)
	// Refused words an error that is told to the person; false for one that is not.
	Refused func(err error, l *messages.Language) (string, bool)

	Measures func(asked, figure string) bool // whether a figure in words is what a question asks for
	Bare     func(request string) bool       // reports whether a request names nothing to ask for
	Alike    func(one, other string) bool    // reports whether two questions name mostly the same

	// Clause returns the question in a request, without where it is to be looked up, such as in a warehouse of one of
	// the names.
	Clause  func(request string, names ...string) string
	Refined func(question, change, language string, now time.Time) string // a question of other rows: see question.Refine
}

// Question is a question about one of an organisation's warehouses.
type Question struct {
	Words     string
	Language  string    // a BCP 47 tag
	Now       time.Time // the day of the question
	Warehouse string    // id; empty to choose by the question
	Session   string    // in which it is asked; empty outside of interviews
	Who       Who       // empty for somebody who may query the warehouses anyway
}

// Who asks in an interview.
type Who string

// The people of an interview.
const (
	Members Who = "members" // of the organisation
	Guests  Who = "guests"  // who came by a link
)

// Missing says that no warehouse can be asked, and what helps. It is no failure: it is told to the
// person.
type Missing struct {
	Why  MissingReason
	Name string // of the warehouse, if it is about one
}

// MissingReason is why no warehouse can be asked.
type MissingReason string

// The reasons.
const (
	NoneConnected  MissingReason = "none"    // connect one under Data
	NoneRead       MissingReason = "unread"  // its tables were not read yet
	NotForAsker    MissingReason = "denied"  // interviews may not ask it, or guests may not
	NoRuns         MissingReason = "runs"    // the person may not start a whole run
	ManyWarehouses MissingReason = "several" // the question fits several equally well
)

// None reports whether no warehouse is connected at all.
func (m *Missing) None() bool { return m.Why == NoneConnected }

// Error returns the reason in English; [Missing.In] words it for people.
func (m *Missing) Error() string { return "no warehouse can be asked: " + string(m.Why) }

// In words why no warehouse can be asked.
func (m *Missing) In(l *messages.Language) string {
	key := map[MissingReason]string{NoneConnected: "data.none-connected", NoneRead: "data.none-read", NotForAsker: "data.denied", NoRuns: "data.no-runs", ManyWarehouses: "data.several"}[m.Why]
	return l.Text(key, messages.Args{"name": messages.Quote(m.Name)})
}
