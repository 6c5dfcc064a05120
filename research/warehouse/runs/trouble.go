package runs

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	"quaestor/internal/fault"
	"quaestor/internal/llm"
	"quaestor/research/warehouse"
)

// Trouble is the kind of what keeps a run from going on.
type Trouble string

// The troubles of a run, each with what is done about it. What is of single steps does not keep a run
// from going on: a statement that fails is repaired, and else its step fails; a model that gives no
// reply, or none that can be read, three times in a row ends exploration.
const (
	ModelKey         Trouble = "model_key"             // the model refuses the key. The run fails at once
	ModelUnknown     Trouble = "model_unknown"         // the server of the model has none of that name. The run fails at once
	ModelLimited     Trouble = "model_limited"         // the model takes no more requests. The run waits as long as it is told, and fails a day after its order
	WarehouseGone    Trouble = "warehouse_gone"        // it is not connected any more. The run fails at once
	WarehouseDenied  Trouble = "warehouse_denied"      // it refuses the role. The run fails at once
	WarehouseSilent  Trouble = "warehouse_unreachable" // it does not answer, or not in time. The run is tried three times in all
	WarehouseRefuses Trouble = "warehouse_refuses"     // it answers with an error outside of any step. The run fails at once
	WarehouseLimited Trouble = "warehouse_quota"       // it takes no more statements for now. The run is tried eight times
	BadSettings      Trouble = "settings"              // what a person has to change first. The run fails at once
	ServerTrouble    Trouble = "server"                // anything else, which may be of a moment. The run is tried eight times
)

// How often a run is tried in all. Between tries it waits for 2 s, 8 s, 32 s and so on, at most 5
// minutes.
const (
	onceOnly    = 1
	silentTries = 3 // within a quarter of a minute, a warehouse that restarts is not back; but a lost packet is
)

// trouble is why a run cannot go on, for people.
type trouble struct {
	kind   Trouble
	says   string
	remedy string
	tries  int
}

// troubleError is trouble that [troubleOf] need not find out.
type troubleError struct {
	trouble
	err error
}

// Error returns the cause.
func (e *troubleError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *troubleError) Unwrap() error { return e.err }

// laterError is why a run waits for some time.
type laterError struct {
	wait  time.Duration
	until time.Time
	err   error
}

// Error returns what the run waits for, as its page shows it.
func (e *laterError) Error() string {
	return "The model takes no more requests for now. The run goes on at " + e.until.UTC().Format("15:04:05") + " UTC."
}

// Unwrap returns the cause.
func (e *laterError) Unwrap() error { return e.err }

// remedies are what helps against each trouble.
var remedies = map[Trouble]string{
	ModelKey:         "Give the model a valid key, in the project or under Settings, Models; then resume the run.",
	ModelUnknown:     "Choose a model that its server has, in the project or under Settings, Models; then resume the run.",
	ModelLimited:     "Raise the limit at the provider of the model or under Settings, Models, or choose another model; then resume the run.",
	WarehouseGone:    "Connect the warehouse again and order another run.",
	WarehouseDenied:  "Check the user and the password on the page of the warehouse, and test it there; then resume the run.",
	WarehouseSilent:  "Check that the warehouse runs and that this server may reach it, and test it on its page; then resume the run.",
	WarehouseRefuses: "Test the warehouse on its page; then resume the run.",
	WarehouseLimited: "Wait until the warehouse has resources again, or raise its limits; then resume the run.",
	BadSettings:      "Change what the message names; then resume the run.",
	ServerTrouble:    "Resume the run. If it fails again, the log of the server tells why.",
}

// newTrouble returns trouble of a kind.
func newTrouble(kind Trouble, tries int, format string, args ...any) trouble {
	return trouble{kind, fmt.Sprintf(format, args...), remedies[kind], tries}
}

// troubleOf classifies an error that kept a run from going on.
func troubleOf(err error) trouble {
	var known *troubleError
	if errors.As(err, &known) {
		return known.trouble
	}
	var q *warehouse.QueryError
	if errors.As(err, &q) {
		return ofWarehouse(q)
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		return newTrouble(ServerTrouble, maxAttempts, "something went wrong while the warehouse was explored")
	}
	switch {
	case f.Code == goneCode:
		return newTrouble(WarehouseGone, onceOnly, "%s", f.Message)
	case f.Kind == fault.Unavailable || f.Kind == fault.Limited || f.Kind == fault.Internal:
		return newTrouble(ServerTrouble, maxAttempts, "%s", f.Message)
	}
	return newTrouble(BadSettings, onceOnly, "%s", f.Message)
}

// ofWarehouse classifies an error of a warehouse outside of any step.
func ofWarehouse(q *warehouse.QueryError) trouble {
	kind, tries := WarehouseRefuses, onceOnly
	switch q.Class {
	case warehouse.Unreachable, warehouse.TimedOut:
		kind, tries = WarehouseSilent, silentTries
	case warehouse.NoPermission:
		kind = WarehouseDenied
	case warehouse.OverQuota:
		kind, tries = WarehouseLimited, maxAttempts
	}
	return newTrouble(kind, tries, "the warehouse said (%s): %s", q.Class, q.Message)
}

// goneCode is the code of the fault of a warehouse that is not connected any more.
const goneCode = "warehouse_gone"

// mostWait is how long after its order a run still waits for its model.
const mostWait = 24 * time.Hour

// unsaidWait is how long a run waits for a model that does not say how long.
const unsaidWait = time.Minute

// mustStop returns why a run cannot go on after its model gave no reply; nil if the step is all that
// failed.
func (w *work) mustStop(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) {
		return nil
	}
	name := modelName(w.run.Analyst)
	switch {
	case e.Class == llm.Limited:
		return w.wait(e, name)
	case e.Class != llm.Refused:
		return nil
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden || e.Status == http.StatusPaymentRequired:
		return &troubleError{newTrouble(ModelKey, onceOnly, "the model %s refuses the key (status %d)", name, e.Status), err}
	case e.Status == http.StatusNotFound:
		return &troubleError{newTrouble(ModelUnknown, onceOnly, "there is no model %s at its address (status %d)", name, e.Status), err}
	}
	return nil
}

// wait returns how long a run waits for a model that takes no more requests. A model that has had its
// calls of the day is asked again on the next, which begins at midnight UTC.
func (w *work) wait(e *llm.Error, name string) error {
	now := time.Now()
	d := cmp.Or(e.RetryAfter, unsaidWait)
	if e.Reason == llm.ReasonQuota {
		d = now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	}
	if now.Add(d).After(w.run.Created.Add(mostWait)) {
		return &troubleError{newTrouble(ModelLimited, onceOnly, "the model %s takes no more requests, and a day has passed since the run was ordered", name), e}
	}
	return &laterError{d, now.Add(d), e}
}
