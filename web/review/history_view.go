package review

import (
	"quaestor/obligations"
)

// historyView is what [historyPage] shows: a part of the history of one value, or of all.
type historyView struct {
	page
	About   *obligations.Obligation   // nil for all values
	Events  []obligations.StoredEvent // oldest first
	Earlier bool                      // events come before these
	Next    string                    // address of the next part; empty at the end
}

func (v historyView) title() string {
	if v.About == nil {
		return "Full history"
	}
	return v.About.Name()
}

// path is the address of the first part.
func (v historyView) path() string {
	if v.About == nil {
		return v.base() + "/history"
	}
	return v.valuePath(v.About.Key)
}

// back is where the page of the session shows the value.
func (v historyView) back() string {
	if v.About == nil {
		return v.base()
	}
	return valueAnchor(v.Session.ID, v.About.Key)
}
