package repair

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"time"
	"unicode"

	"quaestor/internal/llm"
	"quaestor/research/warehouse"
	"quaestor/research/warehouse/guard"
)

// MaxTries is how many repairs of one statement are attempted at most, by rules and by the model
// together. The predecessor allowed five calls of a model for any fault; here the limit is the
// same, but most attempts cost no call.
const MaxTries = 5

// maxUnchanged is how many attempts in a row may end in the class of error that they started
// from. After that, further attempts rarely help: the predecessor repeated itself there until its
// limit.
const maxUnchanged = 2

// Fixer repairs what no rule can. Its zero value has no model, so that only rules are tried.
type Fixer struct {
	Model *llm.Client // may be nil
}

// Options control the repair of one query.
type Options struct {
	// Evidence lists the statements and lookups that an insight under verification rests
	// on; their columns are known to exist. It is empty during exploration.
	Evidence string
	Tries    int // most attempts; 0 means MaxTries
}

// Run asks src and, as long as that helps, asks again with a repaired statement. It returns the
// answer and every attempt made. The error is that of the last attempt: a
// [*warehouse.QueryError] unless ctx ended or src failed in another way. Errors that no other
// statement would avoid are returned at once.
func Run(ctx context.Context, f Fixer, src warehouse.Gateway, q warehouse.Query, o Options) (warehouse.Answer, []warehouse.Fix, error) {
	answer, err := src.Ask(ctx, q)
	if err == nil {
		return answer, nil, nil
	}
	c := &repairLoop{fixer: f, src: src, question: q, options: o, tried: map[string]bool{normal(src.Dialect(), q.SQL): true}}
	most := o.Tries
	if most <= 0 {
		most = MaxTries
	}
	for range most {
		var again bool
		if answer, again, err = c.attempt(ctx, err); err == nil || !again {
			break
		}
	}
	return answer, c.fixes, err
}

// repairLoop is the state of one repair. It belongs to one call of [Run] and is not safe for
// concurrent use.
type repairLoop struct {
	fixer     Fixer             // may have no model
	src       warehouse.Gateway // whose dialect, catalog and filter the repair follows
	question  warehouse.Query   // with the latest statement in it
	options   Options
	fixes     []warehouse.Fix // all attempts, oldest first
	tried     map[string]bool // statements in normal form
	unchanged int             // attempts in a row that ended in the class they started from
}

// attempt repairs the statement and asks again. It reports whether a further attempt may help,
// and returns the error it was given if it has no better statement. Rules come before the model
// because they are free and certain. An attempt of the model that yields no new statement is
// recorded for its cost and ends the loop.
func (c *repairLoop) attempt(ctx context.Context, err error) (warehouse.Answer, bool, error) {
	var fault *warehouse.QueryError
	if ctx.Err() != nil || !errors.As(err, &fault) || !fault.Class.Repairable() || c.unchanged >= maxUnchanged {
		return warehouse.Answer{}, false, err
	}
	began := time.Now()
	fix := warehouse.Fix{By: "local", Class: fault.Class, Error: fault.Message, From: c.question.SQL}
	to, rule, found := locally(c.src.Dialect(), c.src.Catalog(), fault, c.question.SQL, c.tried)
	if found {
		fix.To, fix.Rule = to, rule
	} else if found = c.ask(ctx, fault, &fix); !found {
		if fix.By != "local" { // a model was asked, and its cost must be recorded
			fix.Took = time.Since(began)
			c.fixes = append(c.fixes, fix)
		}
		return warehouse.Answer{}, false, err
	}
	c.tried[normal(c.src.Dialect(), fix.To)] = true
	c.question.SQL = fix.To
	answer, err := c.src.Ask(ctx, c.question)
	fix.Works, fix.Took = err == nil, time.Since(began)
	c.fixes = append(c.fixes, fix)
	c.unchanged++
	if err != nil && warehouse.ClassOf(err) != fault.Class {
		c.unchanged = 0
	}
	return answer, true, err
}

// ask asks the model for a statement, and reports whether it returned one that was not tried
// yet. Its reply and cost are recorded in fix in any case.
func (c *repairLoop) ask(ctx context.Context, fault *warehouse.QueryError, fix *warehouse.Fix) bool {
	if c.fixer.Model == nil {
		return false
	}
	fix.By = c.fixer.Model.Model()
	to, spent, err := c.fixer.ask(ctx, c, fault)
	fix.Spent = spent
	switch {
	case err != nil:
		fix.Error += " (the model: " + err.Error() + ")"
		return false
	case to == "" || c.tried[normal(c.src.Dialect(), to)]:
		fix.To = to
		return false
	}
	fix.To = to
	return true
}

// normal returns a hash that is equal for statements that differ only in white space, comments
// and the case of words. It keeps the loop from asking the same thing twice in another layout.
// Literals keep their case, and quoted names do too.
func normal(d guard.Dialect, sql string) string {
	h := sha256.New()
	for _, t := range lex(d, sql).tokens {
		if t.kind == word {
			t.text = strings.ToLower(t.text)
		}
		if strings.ContainsFunc(t.pre, func(r rune) bool { return r > unicode.MaxASCII }) {
			t.text = t.pre + t.text // a space that not all warehouses treat as one
		}
		_, _ = h.Write([]byte(t.text + "\x00"))
	}
	return string(h.Sum(nil))
}
