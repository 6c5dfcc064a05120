package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/language/messages"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/research/claims"
	"quaestor/research/internal/dbsqlc"
	"quaestor/research/warehouse/inquiry"
	"quaestor/sessions"
)

// RunFinding is a finding of a run, as a conversation is told of it.
type RunFinding struct {
	Ref    string         // of the finding within its run, which its page is found by; empty for an answer that was asked for beside
	Record inquiry.Record // its sentence, and the statement and the cell of its main figure
}

// maxFound is how many findings of a run are claims of its task.
const maxFound = 8

// maxMissing bounds the tables that are named as not searched.
const maxMissing = 5

// missingWords names tables; of many the first.
func missingWords(tables []string) string {
	out := strings.Join(tables[:min(len(tables), maxMissing)], ", ")
	if more := len(tables) - maxMissing; more > 0 {
		out += fmt.Sprintf(" (+%d)", more)
	}
	return out
}

// storeRun stores what a run found as sources with a claim each, and ends the task.
func (w *taskRun) storeRun(ctx context.Context, p Progress) error {
	if len(p.Found) == 0 {
		l := messages.In(w.language)
		if len(p.Missing) > 0 {
			return w.conclude(ctx, NoEvidence, l.Text("data.run-empty-partly", messages.Args{"tables": messages.Text(missingWords(p.Missing))}))
		}
		return w.conclude(ctx, NoEvidence, l.Text("data.run-empty", nil))
	}
	if !w.task.Step.reached(Verifying) {
		err := w.commit(ctx, Verifying, "The run is over", func(b *postgres.Batch) error { return w.storeFindings(ctx, b, p) })
		if err != nil {
			return err
		}
	}
	return w.propose(ctx)
}

// maxMetrics bounds how many obligations are asked about when a run is over.
const maxMetrics = 4

// answerMetrics adds to what a run found the answers to the questions of open obligations that name a figure of the
// data. A run looks for what stands out, which is seldom the very figure that an interview needs. What cannot be answered
// is left to the interview.
func (w *taskRun) answerMetrics(ctx context.Context, p *Progress) error {
	if p.Warehouse == "" || w.Data == nil || w.task.Step.reached(Verifying) {
		return nil
	}
	asked := 0
	for i := range w.list {
		o := &w.list[i]
		if o.Metric == nil || o.Resolved() || o.Value != nil || asked == maxMetrics {
			continue
		}
		asked++
		r, err := w.Data.Ask(ctx, w.task.Scope.Tenant, inquiry.Question{Words: metricQuery(o.Metric), Language: w.language, Now: w.task.Created, Warehouse: p.Warehouse, Session: w.task.Scope.Session, Who: w.task.Asker})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || r.Exact == "" || o.Metric.Warehouse != "" && !strings.EqualFold(o.Metric.Warehouse, r.Name) {
			continue
		}
		r.Measure = o.Metric.Question
		p.Found = append([]RunFinding{{Record: r}}, p.Found...)
	}
	return nil
}

// address is what a finding is cited by.
func (f *RunFinding) address(run string) string {
	if f.Ref == "" {
		return warehousePrefix + f.Record.Name
	}
	return runPrefix + run + "#" + f.Ref
}

// storeFindings queues the findings of a run. Each is a source of its own, whose bytes are its
// record, so that its statement can be sent again.
func (w *taskRun) storeFindings(ctx context.Context, b *postgres.Batch, p Progress) error {
	t := w.task
	if err := w.clear(ctx, b); err != nil {
		return err
	}
	for i, f := range p.Found[:min(len(p.Found), maxFound)] {
		r := f.Record
		r.Sentence = language.Clip(r.Sentence, maxClaimRunes)
		body, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("encode finding %s of run %s: %w", f.Ref, t.Run, err)
		}
		sum, n, rank, content := sha256.Sum256(body), int32(i+1), 1/float64(i+1), r.Text()
		hash := hex.EncodeToString(sum[:])
		err = queries.SourceInsert(ctx, b, &dbsqlc.SourceInsertParams{TenantID: t.Scope.Tenant, TaskID: t.ID, Revision: int32(t.Revision), Url: f.address(t.Run), Title: p.Name, Snippet: r.Sentence, Rank: rank})
		if err != nil {
			return err
		}
		err = queries.SourceRead(ctx, b, &dbsqlc.SourceReadParams{MediaType: ptr(RecordType), Title: p.Name, Bytes: body, Sha256: &hash, Content: &content, ReadAt: ptr(time.Now().UTC()), TenantID: t.Scope.Tenant, TaskID: t.ID, N: n})
		if err != nil {
			return err
		}
		err = queries.ClaimInsert(ctx, b, &dbsqlc.ClaimInsertParams{TenantID: t.Scope.Tenant, TaskID: t.ID, N: n, Source: n, Claim: r.Sentence, Quote: r.Sentence, SpanStart: 0, SpanEnd: int32(utf16Len(r.Sentence)),
			Sha256: hash, Figures: []byte("[]"), Rank: rank, MadeBy: byRules, Against: []int32{}})
		if err != nil {
			return err
		}
	}
	return nil
}

// runPrefix begins the address of a source that is a finding of a run; the id of the run, # and the
// finding's own follow.
const runPrefix = "run:"

// RunOf returns the id of the run that an address refers to.
func RunOf(address string) (string, bool) {
	run, ok := strings.CutPrefix(address, runPrefix)
	run, _, _ = strings.Cut(run, "#")
	return run, ok
}

// RunFindingOf returns the run and the finding that an address refers to.
func RunFindingOf(address string) (run, finding string, ok bool) {
	rest, isRun := strings.CutPrefix(address, runPrefix)
	run, finding, named := strings.Cut(rest, "#")
	return run, finding, isRun && named
}

// WarehouseOf returns the name of the warehouse that an address refers to.
func WarehouseOf(address string) (string, bool) { return strings.CutPrefix(address, warehousePrefix) }

// records returns the answers that the claims of a task rest on, by the number of the claim.
func (w *taskRun) records(ctx context.Context, found []claims.Claim) (map[int]inquiry.Record, error) {
	out := map[int]inquiry.Record{}
	for _, c := range found {
		s, err := FindSource(ctx, w.Editor.Pool, w.task.Scope.Tenant, w.task.ID, c.Source)
		if err != nil {
			return nil, err
		}
		if s.MediaType != RecordType { // of a task before findings had records
			continue
		}
		if out[c.N], err = inquiry.ParseRecord(s.Bytes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// runProposals returns what the findings of a run say of obligations that are open, at most one
// value each. A finding answers an obligation that names what its figure measures; the rest are
// news.
func runProposals(list []obligations.Obligation, found []claims.Claim, records map[int]inquiry.Record, measures func(asked, figure string) bool) ([]Proposal, error) {
	var out []Proposal
	for i := range list {
		o := &list[i]
		if o.Resolved() || o.Value != nil {
			continue
		}
		at := slices.IndexFunc(found, func(c claims.Claim) bool {
			r, ok := records[c.N]
			return ok && answersObligation(o, r, measures)
		})
		if at < 0 {
			continue
		}
		p, err := recordProposal(o, records[found[at].N], found[at])
		if err != nil {
			return nil, err
		}
		if p != nil {
			out = append(out, *p)
		}
	}
	return out, nil
}

// answersObligation reports whether an obligation asks for what the figure of a record measures. Its
// question, of data if it names one, has to name the measure and the segment, and nothing much
// beside, since a finding about one segment is no answer to a question about another.
func answersObligation(o *obligations.Obligation, r inquiry.Record, measures func(asked, figure string) bool) bool {
	if r.Measure == "" || measures == nil {
		return false
	}
	asked := []string{o.Prompt, o.Name()}
	if o.Metric != nil {
		if o.Metric.Warehouse != "" && !strings.EqualFold(o.Metric.Warehouse, r.Name) {
			return false
		}
		asked = []string{o.Metric.Question}
	}
	return slices.ContainsFunc(asked, func(q string) bool { return measures(q, r.Measure) })
}

// measures returns what tells whether a figure is what a question asks for; nil without warehouses.
func (w *taskRun) measures() func(asked, figure string) bool {
	if w.Data == nil {
		return nil
	}
	return w.Data.Measures
}

// presentRun proposes what the findings of a run say of the obligations of the session. The first
// proposal is that of the task; people see each on its obligation, and the summary tells of the other
// findings, so that none is told twice.
func (w *taskRun) presentRun(ed *sessions.Edit, a *answer) error {
	list, err := runProposals(ed.List, a.found, a.records, w.measures())
	if err != nil {
		return err
	}
	rest := slices.Clone(a.found)
	for i := range list {
		p, o := &list[i], obligations.Find(ed.List, list[i].Key)
		told := w.findings(a, p)
		if !slices.ContainsFunc(told, func(f obligations.Finding) bool { return !o.Negotiation.Rejected(f.Value, f.Evidence) }) {
			continue
		}
		if a.proposal == nil {
			a.proposal = p
		}
		rest = slices.DeleteFunc(rest, func(c claims.Claim) bool { return slices.Contains(p.Claims, c.N) })
		ed.Findings = append(ed.Findings, told...)
		ed.Signals.FollowUps = append(ed.Signals.FollowUps, sessions.FollowUp{Key: o.Key, Priority: o.Priority, Turn: ed.Session.Turns + 1, Reason: "a run over the data found: " + told[0].Evidence.Quote})
	}
	if len(rest) > 0 {
		a.Summary = dataSummary(rest, len(a.found), w.language)
	}
	return nil
}
