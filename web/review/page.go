package review

import (
	"cmp"
	"context"
	"net/url"
	"strconv"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/sessions/objectives"
	"quaestor/web"
	"quaestor/web/ui"
)

// page is what all pages about one session have in common, and the addresses of those
// pages.
type page struct {
	Nav     ui.Nav
	Session sessions.Session
	Title   string                   // of the objective
	Known   []obligations.Obligation // in the order of the objective; they give keys their labels
}

// pageOf returns the page of a session, still without its obligations, and the objective.
func (s *Handlers) pageOf(ctx context.Context, session sessions.Session) (page, *objectives.Definition, error) {
	d, err := s.Library.Definition(ctx, session.Tenant, session.ObjectiveID)
	if err != nil {
		return page{}, nil, err
	}
	return page{Nav: web.NavOf(ctx, ui.AtReview), Session: session, Title: d.In(session.Language).DisplayName}, d, nil
}

// sessionPath is the address of a session's review as it stands.
func sessionPath(session string) string { return "/review/" + url.PathEscape(session) }

// base is the page of the session as it stands.
func (p page) base() string { return sessionPath(p.Session.ID) }

// turnPath is the page of how turn n was answered.
func (p page) turnPath(n int) string { return p.base() + "/turns/" + strconv.Itoa(n) }

// statePath is the review of the session as it stood after turn n.
func (p page) statePath(n int) string { return p.base() + "?turn=" + strconv.Itoa(n) }

// valuePath is the page of a value's whole history. The forms about the value are posted
// below it.
func (p page) valuePath(key string) string { return p.base() + "/values/" + url.PathEscape(key) }

// name is the label of an obligation; of one that the session does not have, its key in
// words.
func (p page) name(key string) string { return ui.Namer(p.Known)(key) }

// templateOf is the template of an obligation; of one that the session does not have, a
// template of that key alone.
func (p page) templateOf(key string) *obligations.Template {
	return cmp.Or(obligations.TemplateOf(p.Known)(key), &obligations.Template{Key: key})
}

// changeLine words what an event changed, in one line.
func (p page) changeLine(e obligations.StoredEvent) string {
	return eventLine(e, p.templateOf(e.Key), p.name)
}
