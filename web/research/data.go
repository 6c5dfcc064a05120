package research

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"quaestor/internal/auth"
	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/research"
	"quaestor/research/warehouse/question"
	"quaestor/web"
	"quaestor/web/ui"
)

// StatementView is an answer of a warehouse with the statement it rests on.
type StatementView struct {
	question.Record

	Source   int               // number of the source that it is
	Finding  string            // address of its page, if it is a finding of a run that the reader may see
	Explores bool              // the reader may see warehouses
	Again    *question.Recheck // what the statement says now; nil before it was asked again
}

// recheckBody is what a task's statement says now.
type recheckBody struct {
	Figure float64   `json:"figure"`
	Exact  string    `json:"exact,omitempty" doc:"the figure as the cell has it; absent if the cell is gone"`
	Same   bool      `json:"same" doc:"the figure is what it was"`
	Before float64   `json:"before" doc:"the figure of the report"`
	At     time.Time `json:"at"`
}

// againPath names a statement of a task.
type againPath struct {
	ID     string `path:"id" doc:"id of the task"`
	Source int    `query:"source" minimum:"0" doc:"number of the source whose statement is sent; the first that has one when left out"`
}

// asker returns as whom somebody asks warehouses: reviewers may query them anyway.
func asker(a auth.Actor) question.Who {
	switch {
	case a.Session != "":
		return question.Guests
	case a.May(auth.Review):
		return ""
	}
	return question.Members
}

// allowed refuses a discovery to whoever may not start runs.
func allowed(a auth.Actor, k research.Kind) error {
	if k == research.WarehouseDiscovery && !a.May(auth.Review) {
		return fault.New(fault.Forbidden, "only reviewers, admins and owners start runs").At("taskType").Coded("permission_denied")
	}
	return nil
}

// statementViews adds to v the answers of warehouses that the task has.
func (s *Handlers) statementViews(ctx context.Context, v *ReportView) error {
	all, err := research.RecordsOf(ctx, s.Pool, v.Report)
	explores := web.ActorFrom(ctx).May(auth.Review)
	for _, source := range v.Report.Sources {
		r, ok := all[source.N]
		if !ok {
			continue
		}
		one := StatementView{Record: r, Source: source.N, Explores: explores}
		if run, finding, ok := research.RunFindingOf(source.URL); ok && explores {
			one.Finding = "/data/runs/" + url.PathEscape(run) + "/insights/" + url.PathEscape(finding)
		}
		v.Statements = append(v.Statements, one)
	}
	return err
}

// again sends the statement of an answer of a task once more: that of a source, or the first.
func (s *Handlers) again(ctx context.Context, id string, source int) (question.Record, question.Recheck, error) {
	t, err := s.changeable(ctx, id)
	if err != nil {
		return question.Record{}, question.Recheck{}, err
	}
	return s.Commands.Again(ctx, t, source, asker(web.ActorFrom(ctx)))
}

// askAgain is again for programs.
func (s *Handlers) askAgain(ctx context.Context, in *againPath) (recheckBody, error) {
	r, now, err := s.again(ctx, in.ID, in.Source)
	return recheckBody{now.Figure, now.Exact, now.Same, r.Figure, now.At}, err
}

// submitAgain is again for the page of a report, which it shows with what came of it.
func (s *Handlers) submitAgain(w http.ResponseWriter, r *http.Request) error {
	v, err := s.reportView(r)
	if err != nil {
		return err
	}
	t := v.Report.Task
	source, _ := strconv.Atoi(r.PostFormValue("source")) // 0 is the first
	_, now, err := s.again(r.Context(), t.ID, source)
	if err != nil {
		return err
	}
	v.Base, v.Nav, v.Acts = baseOfTask(r, t), web.NavOf(r.Context(), placeOf(t)), true
	for i := range v.Statements {
		if source == 0 || v.Statements[i].Source == source {
			v.Statements[i].Again = &now
			break
		}
	}
	return web.Render(w, r, Report(v))
}

// verdict tells what came of asking again.
func (v *StatementView) verdict() string {
	switch now := v.Again; {
	case now.Exact == "":
		return "The result has no such figure any more."
	case now.Same:
		return "The figure is still " + figureWords(now.Figure) + "."
	default:
		return "The figure is " + figureWords(now.Figure) + " now; it was " + figureWords(v.Figure) + "."
	}
}

// figureWords returns a figure with its thousands in groups.
func figureWords(n float64) string {
	if n == float64(int64(n)) {
		return language.Thousands(int64(n))
	}
	return strconv.FormatFloat(question.Rounded(n), 'f', -1, 64)
}

// facts tell where the figure stands.
func (v *StatementView) facts() []ui.Fact {
	return known(ui.Fact{Name: "Warehouse", Value: v.Name}, ui.Fact{Name: "Table", Value: v.Table}, ui.Fact{Name: "Cell", Value: "row " + strconv.Itoa(v.Cell.Row) + ", column " + v.Cell.Column + ": " + v.Exact},
		ui.Fact{Name: "Written by", Value: v.By}, ui.Fact{Name: "Asked on", Value: ui.When(v.At)})
}
