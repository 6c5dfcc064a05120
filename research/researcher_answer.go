package research

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/warehouse/inquiry"
	"quaestor/sessions"
)

// Result is what is stored of a completed task, as JSON in [Task.Result].
type Result struct {
	Outcome Outcome      `json:"outcome"`
	Summary string       `json:"summary"`
	Sources []ResultFrom `json:"sources"`
	By      string       `json:"by"`               // who read the sources: "extract" or "model NAME"
	Missed  []string     `json:"missed,omitempty"` // search engines that could not be asked, each with the reason
}

// ResultFrom is a source that claims of a completed task come from.
type ResultFrom struct {
	N     int    `json:"n"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// answer is the outcome of a task before it is recorded.
type answer struct {
	Result
	proposal *Proposal
	found    []claims.Claim
	urls     map[int]string         // by number of the source
	records  map[int]inquiry.Record // of the findings of a run, by number of the claim
}

// propose works out what follows from the claims and records it, all or nothing:
// the value proposed for the obligation, the follow-up in the conversation, and
// the end of the task. It never satisfies the obligation; only a person confirms
// the value.
func (w *taskRun) propose(ctx context.Context) error {
	a, err := w.answer(ctx)
	if err != nil {
		return err
	}
	if w.task.Scope.Session == "" {
		return w.finish(ctx, a)
	}
	return w.report(ctx, a)
}

// answer summarises the stored claims and derives the proposal.
func (w *taskRun) answer(ctx context.Context) (answer, error) {
	found, err := w.stored(ctx)
	if err != nil {
		return answer{}, err
	}
	list, err := w.texts(ctx)
	if err != nil {
		return answer{}, err
	}
	a := answer{found: found, urls: map[int]string{}}
	a.Sources, a.By, a.Outcome = []ResultFrom{}, byExtraction, outcome(found)
	for _, s := range list {
		a.urls[s.N] = s.URL
		if i := slices.IndexFunc(found, func(c claims.Claim) bool { return c.Source == s.N }); i >= 0 {
			a.Sources = append(a.Sources, ResultFrom{N: s.N, URL: s.URL, Title: s.Title})
			a.By = found[i].By
		}
	}
	a.Summary = claims.Summarise(w.question, w.withHosts(found, list), a.Outcome == Contradicting)
	if w.task.Order.Kind.OwnData() {
		a.Summary = dataSummary(found, len(found), w.language)
		if w.task.Order.Kind == WarehouseDiscovery {
			a.records, err = w.records(ctx, found)
			return a, err
		}
		a.proposal, err = w.dataProposal(ctx, found)
		return a, err
	}
	if a.Outcome == NoEvidence {
		all, err := w.sources(ctx)
		if err != nil {
			return answer{}, err
		}
		a.Summary = noAnswer(len(list), count(all, SourceInterrupted))
	}
	if a.Missed, err = w.missed(ctx); err != nil {
		return answer{}, err
	}
	if len(a.Missed) > 0 {
		a.Summary += " Not everything could be searched: " + strings.Join(a.Missed, "; ") + "."
	}
	a.proposal, err = w.proposal(ctx, found)
	return a, err
}

// dataSummary returns what was found in an organisation's own data, the most telling first, and, where that
// leaves findings out, how many the task has in all and where they stand. It is in a language.
func dataSummary(found []claims.Claim, all int, tag string) string {
	var list []string
	for _, c := range found[:min(len(found), leading)] {
		list = append(list, c.Text)
	}
	if shown := len(list); shown < len(found) {
		l := messages.In(tag)
		list = append(list, l.Text("data.more-findings", messages.Args{"shown": messages.Text(l.Number(float64(shown))), "all": messages.Text(l.Number(float64(all)))}))
	}
	return strings.Join(list, " ")
}

// missed returns, for each engine that answered none of this plan's searches, why.
func (w *taskRun) missed(ctx context.Context) ([]string, error) {
	why, names, answered := map[string]string{}, []string{}, map[string]bool{}
	b := postgres.NewBatch(w.task.Scope.Tenant)
	postgres.Many(b, queries.SearchList, &dbsqlc.SearchListParams{TenantID: w.task.Scope.Tenant, TaskID: w.task.ID}, func(r *dbsqlc.ResearchSearch) error {
		switch {
		case int(r.Revision) != w.task.Revision:
		case r.Failure == nil:
			answered[r.Engine] = true
		case why[r.Engine] == "":
			why[r.Engine], names = *r.Failure, append(names, r.Engine)
		}
		return nil
	})
	if err := b.Send(ctx, w.Editor.Pool); err != nil {
		return nil, err
	}
	var out []string
	for _, name := range names {
		if !answered[name] {
			out = append(out, why[name])
		}
	}
	return out, nil
}

// withHosts fills in the name of each claim's source, as people know it.
func (w *taskRun) withHosts(found []claims.Claim, list []sourceReading) []claims.Claim {
	out := slices.Clone(found)
	for i, c := range out {
		for _, s := range list {
			if s.N == c.Source {
				out[i].Host = Source{URL: s.URL, Title: s.Title}.Name()
			}
		}
	}
	return out
}

// noAnswer is the summary of a task without an answer.
func noAnswer(read, interrupted int) string {
	switch {
	case read == 0 && interrupted > 0:
		return "I was interrupted while I read about this, and have nothing to show for it. Ask again and I will look once more."
	case read == 0:
		return "I found nothing to read about this."
	}
	return fmt.Sprintf("I read %s and found nothing in there that answers this.", language.Count(read, "source"))
}

// leading is how many of the best claims decide whether the sources contradict
// each other: those a summary has room for. A dispute further down does not affect
// the answer; the report still shows it.
const leading = 3

// outcome classifies the claims found, best first.
func outcome(found []claims.Claim) Outcome {
	switch {
	case len(found) == 0:
		return NoEvidence
	case slices.ContainsFunc(found[:min(len(found), leading)], func(c claims.Claim) bool { return len(c.Against) > 0 }):
		return Contradicting
	}
	return Found
}

// proposal returns the value the claims support. It is nil when they support none,
// or when the obligation needs none.
func (w *taskRun) proposal(ctx context.Context, found []claims.Claim) (*Proposal, error) {
	o := w.obligation
	if o == nil || o.Resolved() || len(found) == 0 {
		return nil, nil
	}
	if w.modelled() {
		p, err := w.modelProposal(ctx, o, found)
		if err == nil {
			return p, nil
		}
		if err := w.degrade(ctx, err); err != nil {
			return nil, err
		}
	}
	value, used, ok := claims.Answer(o, found)
	if !ok {
		return nil, nil
	}
	return &Proposal{Key: o.Key, Value: value, Claims: used, By: byRules}, nil
}

// finish records the end of a task that belongs to no session.
func (w *taskRun) finish(ctx context.Context, a answer) error {
	return postgres.InTx(ctx, w.Editor.Pool, w.task.Scope.Tenant, func(tx pgx.Tx) error {
		if err := w.fence(ctx, tx); err != nil {
			return err
		}
		b := postgres.NewBatch(w.task.Scope.Tenant)
		if err := w.done(ctx, b, a); err != nil {
			return err
		}
		return b.Send(ctx, tx)
	})
}

// done queues the update that completes the task.
func (w *taskRun) done(ctx context.Context, b *postgres.Batch, a answer) error {
	result, err := json.Marshal(a.Result)
	if err != nil {
		return err
	}
	var proposal []byte
	if a.proposal != nil {
		if proposal, err = json.Marshal(a.proposal); err != nil {
			return err
		}
	}
	came := string(a.Outcome)
	return queries.TaskDone(ctx, b, &dbsqlc.TaskDoneParams{Outcome: &came, Summary: &a.Summary, Proposal: proposal, Result: result,
		TenantID: w.task.Scope.Tenant, ID: w.task.ID})
}

// report records the end of a task in its session.
func (w *taskRun) report(ctx context.Context, a answer) error {
	var events []sessions.Event
	err := postgres.InTx(ctx, w.Editor.Pool, w.task.Scope.Tenant, func(tx pgx.Tx) error {
		ed, err := w.Editor.Open(ctx, tx, w.task.Scope)
		if err != nil {
			return err
		}
		if err := w.fence(ctx, tx); err != nil {
			return err
		}
		if ed.Session.Status != sessions.Active {
			a.proposal = nil
		} else if err := w.present(ed, &a); err != nil {
			return err
		}
		ed.Write = func(b *postgres.Batch) error { return w.done(ctx, b, a) }
		t := w.task
		t.Status, t.Step, t.Outcome, t.Summary, t.Proposal, t.Note = Completed, Proposing, a.Outcome, a.Summary, a.proposal, ""
		ev := t.event(ed.Turn)
		ev.Sources, ev.Claims = len(a.urls), len(a.found)
		ed.Tell = []sessions.Payload{ev}
		_, events, err = ed.Record(ctx, tx)
		return err
	})
	if err == nil {
		w.Editor.Hub.Publish(w.task.Scope, events)
	}
	return err
}

// present shows what was found to the person: the value as a proposal, and a
// follow-up that returns to it. If the obligation was settled meanwhile, there is
// nothing to propose.
func (w *taskRun) present(ed *sessions.Edit, a *answer) error {
	if w.task.Order.Kind == WarehouseDiscovery {
		return w.presentRun(ed, a)
	}
	o := obligations.Find(ed.List, w.task.Order.Key)
	if o == nil {
		return nil
	}
	if p := a.proposal; p != nil && (o.Resolved() || o.Check(p.Value) != nil || w.refused(o, a)) {
		a.proposal = nil
	}
	if a.proposal != nil {
		ed.Findings = w.findings(a, a.proposal)
	}
	if a.Outcome != NoEvidence && !o.Resolved() {
		ed.Signals.FollowUps = []sessions.FollowUp{{Key: o.Key, Priority: cmp.Or(w.task.Order.Priority, o.Priority), Turn: ed.Session.Turns + 1,
			Reason: "research found: " + strings.TrimSpace(a.Summary)}}
	}
	return nil
}

// refused reports whether the person rejected this value before, on the same
// evidence.
func (w *taskRun) refused(o *obligations.Obligation, a *answer) bool {
	for _, f := range w.findings(a, a.proposal) {
		if !o.Negotiation.Rejected(f.Value, f.Evidence) {
			return false
		}
	}
	return true
}

// findings returns a proposal once per claim it is based on, so that all of them
// are kept as evidence.
func (w *taskRun) findings(a *answer, p *Proposal) []obligations.Finding {
	var out []obligations.Finding
	for _, n := range p.Claims {
		i := slices.IndexFunc(a.found, func(c claims.Claim) bool { return c.N == n })
		if i < 0 {
			continue
		}
		c := a.found[i]
		e := w.evidence(c, a.urls[c.Source])
		if span, _, ok := obligations.Locate(c.Quote, c.Quote); ok && w.obligation != nil {
			e.Details = obligations.ReadDetails(w.obligation.Template, p.Value, c.Quote, span, w.task.Created)
		}
		out = append(out, obligations.Finding{Key: p.Key, Act: obligations.Tell, Value: p.Value, Evidence: e,
			Grade: obligations.Grade{Disputed: len(c.Against) > 0}, Source: "research", Reason: "research proposes it"})
	}
	return out
}

// isDocument reports whether an address refers to one of a tenant's own documents.
func isDocument(url string) bool { return strings.HasPrefix(url, "document:") }
