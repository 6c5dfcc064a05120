package objectives

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
)

// Move moves the obligation at index from to index to. An index that does not exist
// changes nothing.
func (d *Definition) Move(from, to int) {
	n := len(d.Obligations)
	if from < 0 || to < 0 || from >= n || to >= n {
		return
	}
	t := d.Obligations[from]
	d.Obligations = slices.Insert(slices.Delete(d.Obligations, from, from+1), to, t)
}

// Remove removes the obligation at i, its mark as required, and its pool unless another
// uses it. Obligations that depend on it still name it.
func (d *Definition) Remove(i int) {
	if i < 0 || i >= len(d.Obligations) {
		return
	}
	t := d.Obligations[i]
	d.Obligations = slices.Delete(d.Obligations, i, i+1)
	if d.Template(t.Key) == nil {
		d.Require(t.Key, false)
	}
	d.dropPool(t.PoolID)
	d.Prune()
}

// dropPool removes a pool that no obligation uses.
func (d *Definition) dropPool(id string) {
	used := slices.ContainsFunc(d.Obligations, func(t obligations.Template) bool { return t.PoolID == id })
	if !used {
		delete(d.Pools, id)
	}
}

// Require sets whether a session needs the obligation of that key to be complete.
func (d *Definition) Require(key string, required bool) {
	held := slices.Contains(d.Completion.Required, key)
	switch {
	case required && !held:
		d.Completion.Required = append(d.Completion.Required, key)
	case !required && held:
		d.Completion.Required = slices.DeleteFunc(d.Completion.Required, func(k string) bool { return k == key })
	}
}

// Rename replaces the key from by to where other parts refer to it: in dependencies, in
// the rules of inferred obligations, in the list of required keys and in translations, but
// not in conditions. It does nothing while an
// obligation still has the key from.
func (d *Definition) Rename(from, to string) {
	if from == to || d.Template(from) != nil {
		return
	}
	for i := range d.Obligations {
		rename(d.Obligations[i].Dependencies, from, to)
		d.Obligations[i].RenamePremises(from, to)
	}
	rename(d.Completion.Required, from, to)
	for _, t := range d.Translations {
		if words, there := t.Obligations[from]; there {
			t.Obligations[to] = words
			delete(t.Obligations, from)
		}
	}
}

// rename replaces an entry of a list.
func rename(list []string, from, to string) {
	for i := range list {
		if list[i] == from {
			list[i] = to
		}
	}
}

// Reword sets the alternative wordings of the obligation at i. Its pool has them, which
// others may share; without wordings the obligation has no pool.
func (d *Definition) Reword(i int, wordings []string) {
	t := &d.Obligations[i]
	if len(wordings) == 0 {
		id := t.PoolID
		t.PoolID = ""
		d.dropPool(id)
		return
	}
	t.PoolID = cmp.Or(t.PoolID, d.freePool(t.Key))
	if d.Pools == nil {
		d.Pools = map[string][]string{}
	}
	d.Pools[t.PoolID] = wordings
}

// freePool returns an unused pool id that starts with name.
func (d *Definition) freePool(name string) string {
	name = cmp.Or(name, "wordings")
	for d.Pools[name] != nil {
		name += "_"
	}
	return name
}

// Shares returns the keys of the other obligations that use the pool of the one
// at i.
func (d *Definition) Shares(i int) []string {
	var out []string
	for j, t := range d.Obligations {
		if j != i && t.PoolID != "" && t.PoolID == d.Obligations[i].PoolID {
			out = append(out, t.Key)
		}
	}
	return out
}

// VersionStep is how far a version is from the one before it.
type VersionStep string

// The steps, by the number that rises.
const (
	Major VersionStep = "major" // values held may no longer fit, or an export changes its shape
	Minor VersionStep = "minor" // something else is asked, or at another time
	Patch VersionStep = "patch" // the same is asked in other words
)

// wordings are the members that can change without changing what is asked.
var wordings = map[string]bool{"prompt": true, "label": true, "why": true, "examples": true, "cues": true, "category": true, "poolId": true,
	"followUpStrategy": true, "probe": true, "agentNotes": true, "displayName": true, "description": true, "language": true, "greeting": true, "synonyms": true, "goal": true, "entry": true, "message": true}

// breaking are the members of an obligation whose change may make a stored value
// invalid.
var breaking = map[string]bool{"fieldPath": true, "widgetType": true, "unit": true, "min": true, "max": true, "integer": true}

// Step returns how far a change goes. Removing a bound makes no value invalid.
func (c *Difference) Step() VersionStep {
	parts := strings.Split(c.Path, ".")
	last := parts[len(parts)-1]
	switch {
	case parts[0] == "pools" || parts[0] == "translations" || wordings[last]:
		return Patch
	case c.Path == "contextType":
		return Major
	case parts[0] != "obligations":
		return Minor
	case len(parts) == 2 && c.Op == DiffRemoved, len(parts) == 4 && parts[2] == "choices" && c.Op == DiffRemoved, last == "allowOther" && c.Op == DiffRemoved:
		return Major
	case len(parts) == 3 && breaking[last] && !(c.Op == DiffRemoved && last != "unit"):
		return Major
	case len(parts) == 4 && parts[2] == "choices" && c.Op == DiffAdded:
		return Minor
	case len(parts) == 5 && last == "label":
		return Patch
	}
	return Minor
}

// Step returns the farthest step of the changes; Patch when there are none.
func (d *Diff) Step() VersionStep {
	out := Patch
	for i := range d.Changes {
		switch s := d.Changes[i].Step(); {
		case s == Major:
			return Major
		case s == Minor:
			out = Minor
		}
	}
	return out
}

// NextVersion returns the number after the highest of held that a step leads to;
// 1.0.0 when none is held.
func NextVersion(held []string, s VersionStep) string {
	if len(held) == 0 {
		return "1.0.0"
	}
	n := numbersOf(slices.MaxFunc(held, compareVersions))
	switch s {
	case Major:
		return versionOf(n[0]+1, 0, 0)
	case Minor:
		return versionOf(n[0], n[1]+1, 0)
	case Patch:
	}
	return versionOf(n[0], n[1], n[2]+1)
}

// Clone returns a copy of d that shares nothing with it.
func (d *Definition) Clone() (*Definition, error) {
	data, err := d.JSON()
	if err != nil {
		return nil, err
	}
	out := &Definition{}
	err = json.Unmarshal(data, out)
	return out, fault.Wrap(err, "copy objective %s", d.ContextType)
}
