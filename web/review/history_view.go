package review

import (
	"net/url"
	"strconv"

	"quaestor/obligations"
	"quaestor/sessions"
	"quaestor/web/ui"
)

// ReviewHistoryView is what [ReviewHistory] shows: a part of the history of one
// value, or of all.
type ReviewHistoryView struct {
	Nav     ui.Nav
	Session sessions.Session
	Title   string                  // of the objective
	About   *obligations.Obligation // nil for all
	Known   []obligations.Obligation
	Events  []obligations.StoredEvent // oldest first
	Earlier bool                      // this is not the beginning
	Next    string                    // address of the next part; empty at the end
}

func (v ReviewHistoryView) title() string {
	if v.About == nil {
		return "All that happened"
	}
	return v.About.Name()
}

func (v ReviewHistoryView) base() string { return "/review/" + url.PathEscape(v.Session.ID) }

// path is the address of the beginning.
func (v ReviewHistoryView) path() string {
	if v.About == nil {
		return v.base() + "/history"
	}
	return v.base() + "/values/" + url.PathEscape(v.About.Key)
}

// After is the address of the part after an event.
func (v ReviewHistoryView) After(id int64) string {
	return v.path() + "?cursor=" + strconv.FormatInt(id, 10)
}

// back is where the value stands among the others.
func (v ReviewHistoryView) back() string {
	if v.About == nil {
		return v.base()
	}
	return v.base() + "#ob-" + v.About.Key
}

func (v ReviewHistoryView) turnPath(turn int) string {
	return v.base() + "?turn=" + strconv.Itoa(turn)
}

func (v ReviewHistoryView) name(key string) string { return ui.Namer(v.Known)(key) }

// about is the template of the obligation an event is of.
func (v ReviewHistoryView) about(e obligations.StoredEvent) *obligations.Template {
	if o := obligations.Find(v.Known, e.Key); o != nil {
		return o.Template
	}
	return &obligations.Template{Key: e.Key}
}
