package question

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/internal/language/messages"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/connections"
	"quaestor/research/warehouse/metrics"
)

// Warehouses answers questions about the warehouses that organisations have connected. It is safe
// for concurrent use.
type Warehouses struct {
	Store   *connections.Store
	Metrics *metrics.Store                                       // what the organisations have defined; nil for nothing
	Model   func(ctx context.Context, tenant string) *llm.Client // of a tenant; it or its result may be nil
}

// Asked is a question about one of an organisation's warehouses.
type Asked struct {
	Text
	Warehouse string // id; empty to choose by the question
	Who       Who    // empty for somebody who may query the warehouses anyway
}

// Who asks in an interview.
type Who string

// The people of an interview.
const (
	Members Who = "members" // of the organisation
	Guests  Who = "guests"  // who came by a link
)

// Found is an answer with the warehouse that gave it.
type Found struct {
	Answer
	Warehouse, Name string // id and name
}

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

// place is a warehouse that may be asked.
type place struct {
	warehouse connections.Warehouse
	fit       float64
	clear     bool // the rules can read the question there
}

// Ask answers a question. It chooses the warehouse whose tables fit the question best, unless one is
// named. Besides the errors of [Ask], a [*Missing] says that there is none to ask.
func (h *Warehouses) Ask(ctx context.Context, tenant string, q Asked) (*Found, error) {
	at, err := h.Choose(ctx, tenant, q)
	if err != nil {
		return nil, err
	}
	g, err := h.Store.Open(ctx, tenant, at.ID, connections.View{})
	if err != nil {
		return nil, err
	}
	defer g.Close() //nolint:errcheck // it was only read from
	var model *llm.Client
	if h.Model != nil {
		model = h.Model(ctx, tenant)
	}
	q.Names = append(slices.Clone(q.Names), at.Name)
	if q.Defined, err = h.defined(ctx, tenant, at.ID); err != nil {
		return nil, err
	}
	a, err := Ask(ctx, g, q.Text, Options{Model: model, Name: at.Name})
	if err != nil {
		return nil, err
	}
	return &Found{*a, at.ID, at.Name}, nil
}

// Ready returns nil if a question of somebody could be asked anywhere, and otherwise the [*Missing]
// that says why not.
func (h *Warehouses) Ready(ctx context.Context, tenant string, who Who) error {
	_, err := h.open(ctx, tenant, Asked{Who: who})
	return err
}

// open returns the warehouses that may be asked.
func (h *Warehouses) open(ctx context.Context, tenant string, q Asked) ([]place, error) {
	all, err := h.Store.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	if q.Warehouse != "" {
		all = slices.DeleteFunc(all, func(w connections.Warehouse) bool { return w.ID != q.Warehouse })
	}
	m := &Missing{Why: NoneConnected}
	var out []place
	for _, w := range all {
		if !allowed(w, q.Who) {
			m = &Missing{NotForAsker, w.Name}
			continue
		}
		snapshot, err := h.Store.Load(ctx, tenant, w.ID)
		if fault.Is(err, fault.Conflict) || err == nil && len(snapshot.Tables) == 0 {
			if m.Why == NoneConnected {
				m = &Missing{NoneRead, w.Name}
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		p := place{warehouse: w}
		if q.Words != "" {
			if q.Defined, err = h.defined(ctx, tenant, w.ID); err != nil {
				return nil, err
			}
			p.fit, p.clear = fit(q.Text, snapshot.Index, w.Name)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, m
	}
	return out, nil
}

// defined returns what an organisation has defined over a warehouse.
func (h *Warehouses) defined(ctx context.Context, tenant, id string) ([]metrics.Definition, error) {
	if h.Metrics == nil {
		return nil, nil
	}
	return h.Metrics.List(ctx, tenant, id)
}

// allowed reports whether somebody may ask a warehouse.
func allowed(w connections.Warehouse, who Who) bool {
	switch who {
	case "":
		return true
	case Members:
		return w.Interviews != connections.NobodyAsks
	case Guests:
		return w.Interviews == connections.EverybodyAsks
	}
	return false
}

// Choose returns the warehouse that a question is for.
func (h *Warehouses) Choose(ctx context.Context, tenant string, q Asked) (connections.Warehouse, error) {
	list, err := h.open(ctx, tenant, q)
	if err != nil {
		return connections.Warehouse{}, err
	}
	for _, p := range list {
		if strings.Contains(strings.ToLower(q.Words), strings.ToLower(p.warehouse.Name)) { // it is named
			return p.warehouse, nil
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(b.rank(), a.rank()) })
	if len(list) > 1 && list[0].rank()-list[1].rank() < 0.05 && list[0].fit > 0 {
		return connections.Warehouse{}, &Missing{ManyWarehouses, list[0].warehouse.Name + ", " + list[1].warehouse.Name}
	}
	return list[0].warehouse, nil
}

// rank orders warehouses: one where the rules can read the question comes before another whose
// tables fit as well.
func (p place) rank() float64 {
	if p.clear {
		return p.fit + 1
	}
	return p.fit
}

// Refused reports whether an error says that a question was not answered for a reason that is told
// to the person, and returns it in words.
func Refused(err error, l *messages.Language) (string, bool) {
	var u *Unclear
	if errors.As(err, &u) {
		return u.In(l), true
	}
	var m *Missing
	if errors.As(err, &m) {
		return m.In(l), true
	}
	var bad *warehouse.QueryError
	if errors.As(err, &bad) {
		return (&Unclear{Why: NotConclusive, Word: string(bad.Class)}).In(l), true
	}
	return "", false
}
