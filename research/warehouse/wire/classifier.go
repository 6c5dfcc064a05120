package wire

import (
	"context"
	"errors"
	"slices"
	"strings"

	"quaestor/internal/secret"
	"quaestor/research/warehouse"
)

// Classifier makes query errors of what a driver returns. A connector gives its driver's part:
// where the server's own words are, and tables of them. Codes are of type C. It is not modified
// and safe for concurrent use.
type Classifier[C comparable] struct {
	// ServerError returns what the server answered; ok is false for any other error.
	ServerError func(err error) (e ServerError[C], ok bool)
	// Phrases are looked for in messages before the code is, the first that is there counts.
	Phrases []Phrase
	// Codes are the server's, by class.
	Codes map[warehouse.ErrorClass][]C
	// Family returns the code that stands for all codes like one that is not in Codes. Nil
	// means that there are no families.
	Family func(C) C
	// Names are where messages of a class name the column, table or function at fault, the
	// first that is there counts. Those of the class "" are for classes without an entry.
	Names map[warehouse.ErrorClass][]Delimiters
	// OneWord means that what has a space in it is no name.
	OneWord bool
}

// ServerError is an error as a server words it.
type ServerError[C comparable] struct {
	Code    C
	Message string
	Hint    string // is shown behind the message; often empty
}

// Phrase is a part of a message that tells its class.
type Phrase struct {
	Text  string
	Class warehouse.ErrorClass
}

// Delimiters is where a name stands in a message: behind Open and before Shut. A Shut that is
// empty means up to the end, and so does a space when there is none.
type Delimiters struct{ Open, Shut string }

// Fault returns what a person or a model is told of an error, without the secret; that of ctx,
// the caller's, when it has ended. err must not be nil. A [*warehouse.QueryError] is returned as
// it is; an error that is not the server's counts as one of the connection.
func (c *Classifier[C]) Fault(ctx context.Context, err error, s secret.Secret) error {
	var known *warehouse.QueryError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return known
	}
	if e, ok := c.ServerError(err); ok {
		class := c.Class(e.Code, e.Message)
		message := e.Message
		if e.Hint != "" {
			message += ". " + e.Hint
		}
		return warehouse.NewQueryError(class, Clean(message, s), c.Name(class, e.Message), err)
	}
	switch {
	case errors.Is(err, ErrTooMuch):
		return warehouse.NewQueryError(warehouse.OverQuota, "the server sends more at once than a result may have", "", err)
	case errors.Is(err, context.DeadlineExceeded):
		return warehouse.NewQueryError(warehouse.TimedOut, "the statement was stopped after its time", "", err)
	}
	return Unreachable(err, s)
}

// Class returns the class of a server's error; [warehouse.OtherError] for one that is in
// no table.
func (c *Classifier[C]) Class(code C, message string) warehouse.ErrorClass {
	for _, p := range c.Phrases {
		if strings.Contains(message, p.Text) {
			return p.Class
		}
	}
	if class, ok := c.byCode(code); ok {
		return class
	}
	if c.Family != nil {
		if class, ok := c.byCode(c.Family(code)); ok {
			return class
		}
	}
	return warehouse.OtherError
}

// byCode returns the class that lists exactly that code; false if none does. A code must be in
// one class only, because maps have no order.
func (c *Classifier[C]) byCode(code C) (warehouse.ErrorClass, bool) {
	for class, codes := range c.Codes {
		if slices.Contains(codes, code) {
			return class, true
		}
	}
	return "", false
}

// parted joins the parts of a name that are quoted one by one.
var parted = strings.NewReplacer("`.`", ".", `"."`, ".", "'.'", ".")

// Name returns the column, table or function that a message names; empty if it names none.
// Messages are translated on some servers; then no name is found.
func (c *Classifier[C]) Name(class warehouse.ErrorClass, message string) string {
	places, ok := c.Names[class]
	if !ok {
		places = c.Names[""]
	}
	for _, p := range places {
		if name := p.in(message); name != "" && !(c.OneWord && strings.Contains(name, " ")) {
			return parted.Replace(strings.Trim(name, "`'\".,"))
		}
	}
	return ""
}

// maxName bounds a name, in bytes: what is longer is a sentence.
const maxName = 200

// in returns the first name that stands there in a message; empty if there is none.
func (b Delimiters) in(message string) string {
	_, rest, ok := strings.Cut(message, b.Open)
	if !ok {
		return ""
	}
	if b.Shut != "" {
		name, _, shut := strings.Cut(rest, b.Shut)
		if !shut && b.Shut != " " {
			return ""
		}
		rest = name
	}
	if len(rest) > maxName {
		return ""
	}
	return rest
}
