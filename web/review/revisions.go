package review

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// reopenSession opens the session under review as its next revision, for the reason in the
// form.
func (s *Handlers) reopenSession(ctx context.Context, in submission) (string, error) {
	revision, _ := strconv.Atoi(in.form.Get("revision")) // without one, whichever it is at
	_, err := s.Engine.ReopenSession(ctx, in.session.Scope(), in.reviewer, chat.Reopening{Revision: revision, Reason: in.form.Get("reason")})
	return sessionPath(in.session.ID), err
}

// loadRevisions reads into v the revisions of a session that was reopened. Others have one,
// which the page itself shows.
func (s *Handlers) loadRevisions(ctx context.Context, v *sessionView) (err error) {
	if v.Session.Revision > 1 {
		v.Revisions, err = chat.Revisions(ctx, s.Pool, s.Library, v.Session)
	}
	return err
}

// briefPath is the brief of a revision.
func (v sessionView) briefPath(r chat.RevisionReport) string {
	if r.Session.Revision == v.Session.Revision {
		return ui.BriefPath(v.Session.ID)
	}
	return ui.BriefPath(v.Session.ID) + "?revision=" + strconv.Itoa(r.Session.Revision)
}

// revisionState words where a revision stands, without its dates.
func revisionState(r chat.RevisionReport) string {
	if r.Session.Status == sessions.Completed {
		return "Completed on"
	}
	return "Open, changed last on"
}

// reopenedWords tell who reopened a revision, and why.
func reopenedWords(r *sessions.Revision) string {
	who := "By somebody who takes part"
	if r.Reviewer {
		who = "By a reviewer"
	}
	who += ", " + r.ReopenedBy
	if r.Reason == "" {
		return who + "."
	}
	return who + ": “" + r.Reason + "”"
}

// revisedLine words what a revision changed of one value.
func revisedLine(d chat.Difference) string {
	return fromTo(cmp.Or(stateWords(d.First), "not asked for"), cmp.Or(stateWords(d.Other), "not asked for any more"))
}

// stateWords word the value of an obligation, or why it has none; empty for no obligation.
func stateWords(o *obligations.Obligation) string {
	switch {
	case o == nil:
		return ""
	case o.Value == nil:
		return strings.ToLower(ui.StatusWords(o))
	}
	return ui.Clip(sessions.Shown(o), ui.MaxName)
}

// revisedName is the label of what a revision changed.
func revisedName(d chat.Difference) string {
	if d.Other != nil {
		return d.Other.Name()
	}
	return d.First.Name()
}

// revisionNote names the revision of a session that was reopened.
func (v sessionView) revisionNote() string {
	if v.Session.Revision < 2 {
		return ""
	}
	return ", revision " + strconv.Itoa(v.Session.Revision)
}
