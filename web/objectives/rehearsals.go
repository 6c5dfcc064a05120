package objectives

import (
	"context"

	"quaestor/sessions/objectives"
)

// Rehearsals tries drafts of objectives on simulated people. The zero value has
// nobody to try them on.
type Rehearsals struct {
	// Personas returns the people that d can be tried on. D could be published.
	Personas func(d *objectives.Definition) ([]Player, error)
	// Play holds an interview about d with the one of that name, of whom nothing
	// is kept. A name that Personas does not return is NotFound.
	Play func(ctx context.Context, d *objectives.Definition, name string) (Played, error)
}
