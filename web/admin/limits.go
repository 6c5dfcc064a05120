package admin

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"quaestor/internal/fault"
	"quaestor/research"
	"quaestor/sessions/settings"
	"quaestor/web"
	"quaestor/web/ui"
)

// fillLimits adds what the organisation has set beside the defaults of the server.
func (s *Handlers) fillLimits(r *http.Request, v *SettingsView) error {
	saved, err := settings.Find(r.Context(), s.Pool, web.ActorFrom(r.Context()).Tenant)
	if err != nil {
		return err
	}
	v.Limits = LimitsView{Version: saved.Version, By: saved.By, At: saved.At, Rows: s.limitRows(saved.Policy)}
	return nil
}

// limitRows list everything that can be set, with the default of the server.
func (s *Handlers) limitRows(p settings.Policy) []LimitRow {
	server := asPolicy(s.Setup.Defaults)
	return web.Map(settings.Fields(), func(f settings.Field) LimitRow { return LimitRow{f.Name, f.Of(p), f.Of(server)} })
}

// asPolicy is a policy that sets all that is in force.
func asPolicy(v settings.Values) settings.Policy {
	return settings.Policy{SessionTurns: &v.SessionTurns, SessionMinutes: &v.SessionMinutes, SessionMoney: &v.SessionMoney, ResearchDaily: &v.ResearchDaily,
		KeptFinishedDays: &v.KeptFinishedDays, KeptIdleDays: &v.KeptIdleDays, KeptPromptsDays: &v.KeptPromptsDays, KeptJobsDays: &v.KeptJobsDays,
		KeptAlertsDays: &v.KeptAlertsDays, KeptRecordingsDays: &v.KeptRecordingsDays}
}

// postedPolicy reads a form, with what is wrong about its fields. One that is not
// there leaves the thing to the server.
func postedPolicy(form url.Values) (settings.Policy, map[string]string) {
	var p settings.Policy
	faults := map[string]string{}
	for _, f := range settings.Fields() {
		if err := f.Put(&p, form.Get(f.Name)); err != nil {
			faults[f.Name] = fieldWords(err)
		}
	}
	return p, faults
}

// dueUnder counts what a policy would delete now.
func (s *Handlers) dueUnder(ctx context.Context, p settings.Policy) (*DueView, error) {
	v := p.Over(s.Setup.Defaults)
	due, err := settings.Forecast(ctx, s.Pool, web.ActorFrom(ctx).Tenant, v)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &DueView{Due: due, FinishedBefore: now.AddDate(0, 0, -v.KeptFinishedDays), IdleBefore: now.AddDate(0, 0, -v.KeptIdleDays)}, nil
}

// previewLimits shows what was typed, and what it would delete, and saves nothing.
func (s *Handlers) previewLimits(r *http.Request, v *SettingsView) error {
	p, faults := postedPolicy(r.URL.Query())
	v.Form = ui.FormView{Name: "limits", Values: r.URL.Query(), Faults: faults}
	v.Limits.Fresh = true
	if len(faults) > 0 {
		v.Failure = "Some of this cannot be; see the fields that are marked."
		return nil
	}
	var err error
	v.Limits.Due, err = s.dueUnder(r.Context(), p)
	return err
}

// forecastView reads what the form's script shows while days are typed; nil when they are
// none.
func (s *Handlers) forecastView(r *http.Request) (*DueView, error) {
	p, faults := postedPolicy(r.URL.Query())
	if len(faults) > 0 {
		return nil, nil
	}
	return s.dueUnder(r.Context(), p)
}

// submitLimits saves what was typed. What would delete something now is saved only
// when the form says that this is wanted.
func (s *Handlers) submitLimits(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), web.ActorFrom(r.Context())
	p, faults := postedPolicy(r.PostForm)
	if len(faults) > 0 {
		return s.limitsAgain(w, r, http.StatusUnprocessableEntity, "Some of this cannot be; see the fields that are marked.", faults, nil)
	}
	version, err := strconv.Atoi(r.PostFormValue("version"))
	if err != nil {
		return fault.New(fault.Invalid, "the form says of no version that it changes").At("version")
	}
	before, err := settings.Find(ctx, s.Pool, a.Tenant)
	if err != nil {
		return err
	}
	due, err := s.unwanted(r, before.Policy, p)
	if err != nil {
		return err
	}
	if due != nil {
		return s.limitsAgain(w, r, http.StatusUnprocessableEntity, "This deletes something; say that you want that.", map[string]string{"sure": "Tick this to save, or give more days."}, due)
	}
	saved, err := s.setPolicy(ctx, version, before, p)
	switch {
	case fault.Is(err, fault.Conflict):
		return s.limitsAgain(w, r, http.StatusConflict, web.Sentence(err.Error()), nil, nil)
	case err != nil:
		return err
	case saved.Version == before.Version:
		return settingsDone(w, r, LimitsTab, "unchanged", "")
	}
	return settingsDone(w, r, LimitsTab, "saved", "")
}

// setPolicy saves a policy, and lets research go on that it has room for.
func (s *Handlers) setPolicy(ctx context.Context, version int, before settings.StoredPolicy, p settings.Policy) (settings.StoredPolicy, error) {
	a := web.ActorFrom(ctx)
	saved, err := settings.Save(ctx, s.Pool, a.Tenant, a.User, version, p)
	if err != nil || saved.Over(s.Setup.Defaults).ResearchDaily <= before.Over(s.Setup.Defaults).ResearchDaily {
		return saved, err
	}
	_, err = research.WakeDaily(ctx, s.Pool, s.Commands.Queue, a.Tenant)
	return saved, err
}

// unwanted returns what new days would delete now that the form does not say is
// wanted; nil when there is nothing.
func (s *Handlers) unwanted(r *http.Request, before, after settings.Policy) (*DueView, error) {
	was, will := before.Over(s.Setup.Defaults), after.Over(s.Setup.Defaults)
	if r.PostFormValue("sure") == "yes" || was.KeptFinishedDays == will.KeptFinishedDays && was.KeptIdleDays == will.KeptIdleDays {
		return nil, nil
	}
	due, err := s.dueUnder(r.Context(), after)
	if err != nil || due.None() {
		return nil, err
	}
	return due, nil
}

// limitsAgain shows the form as it was typed, with what is wrong about it. due is
// what it would delete, if it has to say that this is wanted.
func (s *Handlers) limitsAgain(w http.ResponseWriter, r *http.Request, status int, failure string, faults map[string]string, due *DueView) error {
	return s.settingsAgain(w, r, LimitsTab, status, func(v *SettingsView) {
		v.Failure, v.Form = failure, ui.FormView{Name: "limits", Values: r.PostForm, Faults: faults}
		v.Limits.Fresh, v.Limits.Due, v.Limits.Sure = true, due, due != nil
	})
}
