package chat

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"quaestor/internal/fault"
	"quaestor/obligations"
)

// askedFor refuses answers whose keys the session does not have, and those that cannot
// be the value of theirs. find returns the template of a key, nil where there is none.
func askedFor(in Input, find func(key string) *obligations.Template) error {
	for _, key := range slices.Sorted(maps.Keys(in.Answers)) {
		if err := fits(find(key), key, in.Answers[key]); err != nil {
			return err.At("answers." + key)
		}
	}
	return nil
}

// fits refuses what cannot be the value of an obligation; nil is one that is not asked.
func fits(t *obligations.Template, key string, v json.RawMessage) *fault.Error {
	if t == nil {
		return fault.New(fault.Unprocessable, "%s is no question of this session; answers go by the keys of its obligations", key).Coded("answer_unknown")
	}
	var wrong *fault.Error
	if errors.As(t.Check(v), &wrong) {
		return wrong.Coded("answer_unfit")
	}
	return nil
}
