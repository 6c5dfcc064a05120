package sessions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"quaestor/internal/fault"
	"quaestor/internal/postgres"
	"quaestor/internal/postgres/postgrestest"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
)

// mover is a session that may be taken to other versions.
type mover struct {
	t       testing.TB
	library *objectives.Library
	pool    *pgxpool.Pool
	scope   obligations.Scope
	turn    int
}

// begin makes a session on an objective.
func (m *mover) begin(o objectives.Objective) {
	m.t.Helper()
	m.scope.Session = uuid.NewString()
	b := postgres.NewBatch(m.scope.Tenant)
	if err := sessions.Create(b, sessions.New{Scope: m.scope, Objective: o, User: "ada"}); err != nil {
		m.t.Fatal(err)
	}
	m.send(b)
}

func (m *mover) send(b *postgres.Batch) {
	m.t.Helper()
	if err := b.Send(m.t.Context(), m.pool); err != nil {
		m.t.Fatal(err)
	}
}

// list is what is stored.
func (m *mover) list() []obligations.Obligation {
	m.t.Helper()
	var out []obligations.Obligation
	b := postgres.NewBatch(m.scope.Tenant)
	obligations.Load(b, m.scope, m.library.Templates(m.t.Context(), m.scope.Tenant), &out)
	m.send(b)
	return out
}

// hear applies what a turn says.
func (m *mover) hear(findings ...obligations.Finding) {
	m.t.Helper()
	m.turn++
	b := postgres.NewBatch(m.scope.Tenant)
	if err := obligations.Save(b, m.scope, obligations.Apply(m.list(), findings, m.turn)); err != nil {
		m.t.Fatal(err)
	}
	_, _ = b.Exec(m.t.Context(), `UPDATE elicitation_sessions SET turn_count = $3 WHERE tenant_id = $1 AND id = $2`, m.scope.Tenant, m.scope.Session, m.turn)
	m.send(b)
}

func (m *mover) migrate(t sessions.MigrationTarget) sessions.Migration {
	m.t.Helper()
	out, _, err := sessions.Migrate(m.t.Context(), m.pool, m.library, m.scope, t)
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

// holds checks that the audit trail alone gives what is stored.
func (m *mover) holds() {
	m.t.Helper()
	history, err := obligations.History(m.t.Context(), m.pool, m.scope, obligations.HistoryPage{})
	if err != nil {
		m.t.Fatal(err)
	}
	events := make([]obligations.Event, len(history))
	for i, e := range history {
		events[i] = e.Event
	}
	templates, err := sessions.ReplayTemplates(events, m.library.Templates(m.t.Context(), m.scope.Tenant))
	if err != nil {
		m.t.Fatal(err)
	}
	got, err := obligations.Replay(templates, events)
	if err != nil {
		m.t.Fatal(err)
	}
	if diff := cmp.Diff(m.list(), got, cmp.Comparer(obligations.SameValue)); diff != "" {
		m.t.Fatalf("Replay (-stored +replayed):\n%s", diff)
	}
}

// said is a value somebody stated.
func said(key, value string) obligations.Finding {
	return obligations.Finding{Key: key, Act: obligations.Tell, Value: json.RawMessage(value), Source: "conversation",
		Evidence: obligations.Evidence{Kind: obligations.WidgetInput}}
}

// moving is an objective whose versions differ in what matters.
func moving(version, obligations string) string {
	return `{"contextType": "moving", "version": "` + version + `", "displayName": "Moving", "obligations": [` + obligations + `], "completion": {}}`
}

const movingOne = `
	{"key": "name", "prompt": "?", "priority": 5},
	{"key": "size", "prompt": "?", "priority": 5},
	{"key": "kind", "prompt": "?", "priority": 5, "widgetType": "choice", "choices": [{"value": "a", "label": "Retail"}, {"value": "b", "label": "Trade"}]},
	{"key": "plan", "prompt": "?", "priority": 5, "widgetType": "choice", "choices": [{"value": "a", "label": "Retail"}, {"value": "b", "label": "Trade"}]},
	{"key": "time", "prompt": "?", "priority": 5, "widgetType": "number", "unit": "months"},
	{"key": "gone", "prompt": "?", "priority": 5}`

const movingTwo = `
	{"key": "fresh", "prompt": "?", "priority": 5, "dependencies": ["name"]},
	{"key": "size", "prompt": "How many?", "priority": 9, "widgetType": "number"},
	{"key": "kind", "prompt": "?", "priority": 5, "widgetType": "multiselect", "choices": [{"value": "shop", "label": "retail"}, {"value": "b", "label": "Trade"}]},
	{"key": "plan", "prompt": "?", "priority": 5, "widgetType": "choice", "choices": [{"value": "x", "label": "X"}, {"value": "y", "label": "Y"}]},
	{"key": "time", "prompt": "?", "priority": 5, "widgetType": "number", "unit": "weeks"},
	{"key": "name", "prompt": "?", "priority": 5}`

// newMover has a tenant with two versions and a session on the first, answered.
func newMover(t *testing.T) *mover {
	t.Helper()
	pool := postgrestest.DB(t)
	m := &mover{t: t, library: objectives.NewLibrary(pool), pool: pool, scope: obligations.Scope{Tenant: postgrestest.Tenant(t, pool)}}
	first := m.publish(moving("1.0.0", movingOne))
	m.begin(first)
	m.hear(said("name", `"Bread and Co"`), said("size", `"12"`), said("kind", `"a"`), said("plan", `"a"`), said("time", `6`), said("gone", `"kept all the same"`))
	m.publish(moving("1.1.0", movingTwo))
	return m
}

func (m *mover) publish(text string) objectives.Objective {
	m.t.Helper()
	doc, err := objectives.ParseDocument([]byte(text))
	if err != nil {
		m.t.Fatal(err)
	}
	o, err := m.library.Release(m.t.Context(), m.scope.Tenant, doc, objectives.Signature{})
	if err != nil {
		m.t.Fatal(err)
	}
	return o
}

// standing is what is stored of each obligation, in a line.
func (m *mover) standing() map[string]string {
	out := map[string]string{}
	for _, o := range m.list() {
		out[o.Key] = fmt.Sprintf("%d %s %s", o.Position, o.Status, o.Value)
	}
	return out
}

func TestMigrationKeepsRetypesAndReopens(t *testing.T) {
	t.Parallel()

	m := newMover(t)
	before := m.standing()

	trial := m.migrate(sessions.MigrationTarget{By: "bo", DryRun: true})
	if diff := cmp.Diff(before, m.standing()); diff != "" {
		t.Fatalf("a dry run changed (-before +after):\n%s", diff)
	}
	real := m.migrate(sessions.MigrationTarget{By: "bo"})

	want := map[string]string{
		"fresh": "0 pending ", "size": "1 satisfied 12", "kind": `2 satisfied ["shop"]`, "plan": "3 pending ", "time": "4 pending ",
		"name": `5 satisfied "Bread and Co"`, "gone": `6 skipped "kept all the same"`,
	}
	if diff := cmp.Diff(want, m.standing()); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	fates := map[string]obligations.Disposition{}
	for _, move := range real.Moves {
		fates[move.Key] = move.Fate
	}
	if diff := cmp.Diff(map[string]obligations.Disposition{"fresh": obligations.Added, "size": obligations.Retyped, "kind": obligations.Retyped, "plan": obligations.Reopened,
		"time": obligations.Reopened, "name": obligations.Kept, "gone": obligations.Removed}, fates); diff != "" {
		t.Errorf("fates (-want +got):\n%s", diff)
	}
	record, err := sessions.ReadRecord(t.Context(), m.pool, m.library, m.scope)
	if err != nil {
		t.Fatal(err)
	}
	if then, err := record.At(0); err != nil || len(then.Obligations) != len(want) {
		t.Errorf("the record gives %d obligations, %v, want %d", len(then.Obligations), err, len(want))
	}
	trial.DryRun = false
	if diff := cmp.Diff(real, trial, cmp.Comparer(obligations.SameValue)); diff != "" {
		t.Errorf("the dry run foretold (-did +foretold):\n%s", diff)
	}
	for _, part := range []string{"from moving 1.0.0 to 1.1.0", `reopened time: the unit changed from "months" to "weeks"; it held 6`, `removed gone`, "retyped size: from text \"12\" to number 12"} {
		if !strings.Contains(real.Text(), part) {
			t.Errorf("Text() lacks %q:\n%s", part, real.Text())
		}
	}
	m.holds()
}

func TestMigrationIsAuditedAndTold(t *testing.T) {
	t.Parallel()

	m := newMover(t)
	_, told, err := sessions.Migrate(t.Context(), m.pool, m.library, m.scope, sessions.MigrationTarget{By: "bo"})
	if err != nil {
		t.Fatal(err)
	}

	logged, _, err := sessions.After(t.Context(), m.pool, m.scope, 0)
	if err != nil || len(logged) != len(told) || logged[len(logged)-1].Seq != told[len(told)-1].Seq {
		t.Errorf("logged %d events, %v, told %d", len(logged), err, len(told))
	}
	var text strings.Builder
	for _, e := range logged {
		text.Write(e.Data)
		text.WriteByte('\n')
	}
	for _, part := range []string{`"key":"fresh"`, `"key":"gone","label":"Gone","status":"skipped"`, `"key":"plan","label":"Plan","status":"pending"`, `"type":"completeness"`} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("the log lacks %s:\n%s", part, text.String())
		}
	}
	history, err := obligations.History(t.Context(), m.pool, m.scope, obligations.HistoryPage{Key: "time"})
	if last := history[len(history)-1]; err != nil || last.Source != "migration" || !strings.Contains(last.Meta.Reason, "moved from version 1.0.0 to 1.1.0 by bo") {
		t.Errorf("last of the history of time = %+v, %v", last, err)
	}
	session, err := sessions.Find(t.Context(), m.pool, m.scope)
	if active, _ := m.library.Active(t.Context(), m.scope.Tenant, "moving"); err != nil || session.ObjectiveID != active.ID || session.Version != 2 {
		t.Errorf("session = %+v, %v, want it on the active version and changed once", session, err)
	}
}

func TestMigrationToTheSameVersionChangesNothing(t *testing.T) {
	t.Parallel()

	m := newMover(t)
	m.migrate(sessions.MigrationTarget{})
	state := m.standing()
	before, err := sessions.Find(t.Context(), m.pool, m.scope)
	if err != nil {
		t.Fatal(err)
	}

	again := m.migrate(sessions.MigrationTarget{Version: "1.1.0"})

	after, err := sessions.Find(t.Context(), m.pool, m.scope)
	if err != nil || again.Changed || !strings.Contains(again.Text(), "nothing changes") {
		t.Errorf("Migrate = %+v, %v, want nothing", again, err)
	}
	if diff := cmp.Diff(before, after) + cmp.Diff(state, m.standing()); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

func TestGoingBackRestoresWhatWasRemoved(t *testing.T) {
	t.Parallel()

	m := newMover(t)
	m.migrate(sessions.MigrationTarget{})
	back := m.migrate(sessions.MigrationTarget{Version: "1.0.0"})

	got := m.standing()
	if got["gone"] != `5 satisfied "kept all the same"` || got["name"] != `0 satisfied "Bread and Co"` || got["size"] != `1 satisfied "12"` || got["fresh"] != `6 skipped ` {
		t.Errorf("stored after going back: %v", got)
	}
	if back.Count(obligations.Restored) != 1 || back.Count(obligations.Removed) != 1 {
		t.Errorf("moves = %+v, want one restored and one removed", back.Moves)
	}
	m.holds()
}

func TestMigrationIsRefused(t *testing.T) {
	t.Parallel()

	m := newMover(t)
	for _, tt := range []struct {
		name   string
		target sessions.MigrationTarget
		sql    string
		kind   fault.Kind
	}{
		{"unknown version", sessions.MigrationTarget{Version: "3.0.0"}, "", fault.NotFound},
		{"completed", sessions.MigrationTarget{}, `UPDATE elicitation_sessions SET status = 'completed' WHERE tenant_id = $1 AND id = $2`, fault.Conflict},
	} {
		before := m.standing()
		if tt.sql != "" {
			b := postgres.NewBatch(m.scope.Tenant)
			_, _ = b.Exec(t.Context(), tt.sql, m.scope.Tenant, m.scope.Session)
			m.send(b)
		}
		_, events, err := sessions.Migrate(t.Context(), m.pool, m.library, m.scope, tt.target)
		if !fault.Is(err, tt.kind) || len(events) > 0 {
			t.Errorf("%s: Migrate = %v with %d events, want %s", tt.name, err, len(events), tt.kind)
		}
		if diff := cmp.Diff(before, m.standing()); diff != "" {
			t.Errorf("%s changed (-before +after):\n%s", tt.name, diff)
		}
	}
	if _, _, err := sessions.Migrate(t.Context(), m.pool, m.library, obligations.Scope{Tenant: m.scope.Tenant, Session: uuid.NewString()}, sessions.MigrationTarget{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("Migrate of no session = %v, want not_found", err)
	}
}

func TestOverlayOfASessionStaysOnTop(t *testing.T) {
	t.Parallel()

	m := newMover(t)
	base, err := m.library.Version(t.Context(), m.scope.Tenant, "moving", "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	o, err := m.library.Overlaid(t.Context(), base, json.RawMessage(`{"obligations": [{"key": "name", "priority": 1}, {"key": "mine", "prompt": "Mine?", "priority": 2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	m.begin(o)
	m.hear(said("mine", `"yes"`), said("gone", `"so it was"`))

	got := m.migrate(sessions.MigrationTarget{})

	session, err := sessions.Find(t.Context(), m.pool, m.scope)
	if err != nil {
		t.Fatal(err)
	}
	now, err := m.library.Find(t.Context(), m.scope.Tenant, session.ObjectiveID)
	if err != nil || now.Layer != obligations.SessionOnly || !strings.HasPrefix(now.Version, "1.1.0+") || now.Active {
		t.Errorf("objective = %+v, %v, want a session's own on 1.1.0", now, err)
	}
	layers := map[string]obligations.Layer{}
	for _, o := range m.list() {
		layers[o.Key] = o.Origin.Layer
	}
	if layers["name"] != obligations.SessionOnly || layers["mine"] != obligations.SessionOnly || layers["size"] != obligations.TenantLayer {
		t.Errorf("layers = %v", layers)
	}
	if state := m.standing(); state["mine"] != `6 satisfied "yes"` || state["gone"] != `7 skipped "so it was"` || !got.Changed {
		t.Errorf("stored = %v", state)
	}
	m.holds()
	if again := m.migrate(sessions.MigrationTarget{}); again.Changed {
		t.Errorf("Migrate again = %+v, want nothing", again)
	}
}

// anyVersion draws an objective over a few keys.
func anyVersion(t *rapid.T, version string) string {
	widgets := []string{`"widgetType": "text"`, `"widgetType": "number"`, `"widgetType": "number", "unit": "days"`, `"widgetType": "date"`,
		`"widgetType": "choice", "choices": [{"value": "a", "label": "A"}, {"value": "2026", "label": "B"}]`,
		`"widgetType": "multiselect", "choices": [{"value": "a", "label": "A"}, {"value": "c", "label": "B"}]`}
	var parts []string
	for i := range 6 {
		if rapid.IntRange(0, 3).Draw(t, "absent") == 0 && (i > 0 || len(parts) > 0) {
			continue
		}
		dependencies := ""
		if len(parts) > 0 && rapid.Bool().Draw(t, "depends") {
			dependencies = fmt.Sprintf(`, "dependencies": [%q]`, strings.Split(parts[len(parts)-1], `"`)[3])
		}
		parts = append(parts, fmt.Sprintf(`{"key": "k%d", "prompt": "?", "priority": %d, %s%s}`, i, rapid.IntRange(1, 10).Draw(t, "priority"),
			rapid.SampledFrom(widgets).Draw(t, "widget"), dependencies))
	}
	return moving(version, strings.Join(parts, ","))
}

// However a session was filled and wherever it goes, its trail gives what is
// stored, and no value is lost from the trail.
func TestMigrationReplaysFromItsTrail(t *testing.T) {
	t.Parallel()

	pool := postgrestest.DB(t)
	library, tenant := objectives.NewLibrary(pool), postgrestest.Tenant(t, pool)
	major := 0
	rapid.Check(t, func(r *rapid.T) {
		major++
		m := &mover{t: t, library: library, pool: pool, scope: obligations.Scope{Tenant: tenant}}
		var published []objectives.Objective
		for i := range 3 {
			published = append(published, m.publish(anyVersion(r, fmt.Sprintf("%d.%d.0", major, i))))
		}
		m.begin(published[0])
		for range 4 {
			var heard []obligations.Finding
			for range 3 {
				f := said(fmt.Sprintf("k%d", rapid.IntRange(0, 5).Draw(r, "key")), rapid.SampledFrom([]string{`"a"`, `"2026"`, `7`, `["a"]`, `["a","c"]`, `{"min":1,"max":2}`, `"12"`}).Draw(r, "value"))
				f.Act = rapid.SampledFrom([]obligations.Act{obligations.Tell, obligations.Tell, obligations.Correct, obligations.Skip, obligations.Defer, obligations.Asked}).Draw(r, "act")
				f.Skip = obligations.Declined
				heard = append(heard, f)
			}
			m.hear(heard...)
			if rapid.Bool().Draw(r, "move") {
				m.wander(r, rapid.SampledFrom(published).Draw(r, "to").Version)
			}
		}
	})
}

// wander takes the session to a version and checks what must hold.
func (m *mover) wander(r *rapid.T, version string) {
	before := m.list()
	got := m.migrate(sessions.MigrationTarget{Version: version})
	m.holds()
	after := m.list()
	for _, o := range before {
		now := obligations.Find(after, o.Key)
		if now == nil {
			r.Fatalf("%s is gone", o.Key)
			return
		}
		if now.Value != nil && now.Check(now.Value) != nil {
			r.Fatalf("%s holds %s, which its definition refuses", o.Key, now.Value)
		}
		if o.Value != nil && now.Value == nil && !mentions(got, o.Key, o.Value) {
			r.Fatalf("the report loses the value %s of %s: %+v", o.Value, o.Key, got.Moves)
		}
	}
	if again := m.migrate(sessions.MigrationTarget{Version: version}); again.Changed {
		r.Fatalf("the same version again changed %+v", again.Moves)
	}
	if diff := cmp.Diff(after, m.list()); diff != "" {
		r.Fatalf("the same version again changed (-before +after):\n%s", diff)
	}
}

func mentions(m sessions.Migration, key string, value json.RawMessage) bool {
	for _, move := range m.Moves {
		if move.Key == key {
			return move.Fate == obligations.Reopened && move.Reason != "" && obligations.SameValue(move.Old, value)
		}
	}
	return false
}
