package objectives

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/obligations"
)

// Overlay is what one layer says on top of the one below: a definition of which
// everything that is left out stays as it is.
//
//	obligations  by key: fields named replace those below, null takes one away;
//	             a key that is new adds an obligation, at the end
//	remove       keys of obligations to leave out
//	pools        by id: the wordings replace those below, null takes a pool away
//	constraints  by name, as obligations; {"name": …, "remove": true} takes one away
//	translations by language, text by text; those below of texts that the layer says
//	             anew are dropped
//	the rest     objects go into those below, everything else replaces
type Overlay struct {
	Extends     string // context type of the layer below; empty for a session's overlay
	ContextType string // empty means that of the layer below
	Version     string // empty for a session's overlay

	doc    map[string]any
	keys   []string // of its obligations, in order
	remove []string
}

// Composition is what an objective was merged from.
type Composition struct {
	Base    string                       `json:"base"`             // context type and version of the layer below, such as "business_profile 1.0.0"
	Overlay json.RawMessage              `json:"overlay"`          // as it was written, but for white space
	Layers  map[string]obligations.Layer `json:"layers,omitempty"` // key → layer, of obligations that are not the objective's own layer's
}

// ParseOverlay decodes a layer from JSON. It refuses, with their places, the faults that
// can be seen in the layer alone; [Merge] finds the others.
func ParseOverlay(data []byte) (Overlay, error) {
	var o Overlay
	if err := readObject(data, &o.doc); err != nil {
		return o, err
	}
	var faults Faults
	for name, to := range map[string]*string{"extends": &o.Extends, "contextType": &o.ContextType, "version": &o.Version} {
		if v, there := o.doc[name]; there && !as(v, to) {
			faults = append(faults, misplaced(name, "must be a text"))
		}
		delete(o.doc, name)
	}
	faults = append(faults, o.readKeys()...)
	faults = append(faults, o.readRemoved()...)
	if len(faults) > 0 {
		return o, faults
	}
	return o, nil
}

// readKeys notes the keys of the layer's obligations and refuses those without one, or
// with one twice.
func (o *Overlay) readKeys() (faults Faults) {
	list, ok := o.doc["obligations"].([]any)
	if _, there := o.doc["obligations"]; there && !ok {
		return Faults{misplaced("obligations", "must be a list of obligations, each with its key")}
	}
	for i, item := range list {
		fields, _ := item.(map[string]any)
		key, ok := fields["key"].(string)
		path := fmt.Sprintf("obligations[%d]", i)
		switch {
		case !ok:
			faults = append(faults, misplaced(path+".key", "every obligation of a layer needs the key of the one it changes, or of the one it adds"))
		case slices.Contains(o.keys, key):
			faults = append(faults, misplaced(path+".key", "%q is changed twice; put both changes into one obligation", key))
		}
		o.keys = append(o.keys, key)
		faults = append(faults, readable(path, fields)...)
	}
	return faults
}

// readRemoved notes the keys that the layer removes.
func (o *Overlay) readRemoved() (faults Faults) {
	v, there := o.doc["remove"]
	delete(o.doc, "remove")
	list, ok := v.([]any)
	if there && !ok {
		return Faults{misplaced("remove", "must be a list of keys")}
	}
	for i, item := range list {
		key, ok := item.(string)
		path := fmt.Sprintf("remove[%d]", i)
		switch {
		case !ok:
			faults = append(faults, misplaced(path, "must be the key of an obligation"))
		case slices.Contains(o.keys, key):
			faults = append(faults, misplaced(path, "%q is changed under obligations[%d] and removed here; keep one of the two", key, slices.Index(o.keys, key)))
		case slices.Contains(o.remove, key):
			faults = append(faults, misplaced(path, "%q is removed twice", key))
		}
		o.remove = append(o.remove, key)
	}
	return faults
}

// touches reports whether the layer defines or changes the obligation of that
// key.
func (o *Overlay) touches(key string) bool { return slices.Contains(o.keys, key) }

// Merge returns base with the layer on top, checked as a whole; neither is changed. Its
// error is [Faults]. Their fields are paths in the overlay, or in the layer below for
// what the overlay does not mention, and each names what would repair it. The version is
// the overlay's, or base's when the overlay names none.
func Merge(base *Definition, o Overlay) (Definition, error) {
	var out Definition
	doc, err := document(base)
	if err != nil {
		return out, err
	}
	faults := o.apply(base, doc)
	if len(faults) > 0 {
		return out, faults
	}
	if out, err = fromDocument(doc); err != nil {
		return out, err
	}
	out.Prune()
	if own, there := o.doc["translations"]; there {
		if doc, err = document(&out); err != nil {
			return out, err
		}
		doc["translations"] = mergeValue(doc["translations"], own)
		if out, err = fromDocument(doc); err != nil {
			return out, err
		}
	}
	out.normalize()
	return out, o.blame(base, &out, out.Validate())
}

// fromDocument decodes a definition from JSON data. Its error is [Faults].
func fromDocument(doc map[string]any) (out Definition, err error) {
	body, err := json.Marshal(doc)
	if err != nil {
		return out, fmt.Errorf("encode objective: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		f := decodingFault("", err)
		return out, Faults{f.At(strings.TrimPrefix(f.Field, "."))}
	}
	return out, nil
}

// document returns d as JSON data with its numbers as they are written.
func document(d *Definition) (map[string]any, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode objective %s: %w", d.ContextType, err)
	}
	var doc map[string]any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	return doc, dec.Decode(&doc)
}

// apply merges the layer into doc.
func (o *Overlay) apply(base *Definition, doc map[string]any) (faults Faults) {
	for i, key := range o.remove {
		if base.Template(key) == nil {
			faults = append(faults, misplaced(fmt.Sprintf("remove[%d]", i), "%s %s has no obligation %q; it has: %s", base.ContextType, base.Version, language.Short(key), clipList(base.keys())))
		}
	}
	list, _ := doc["obligations"].([]any)
	list = slices.DeleteFunc(list, func(item any) bool { return slices.Contains(o.remove, nameOf(item, "key")) })
	changes, _ := o.doc["obligations"].([]any)
	doc["obligations"] = mergeNamed(list, changes, "key")
	o.dropStale(base, doc)
	for name, value := range o.doc {
		switch {
		case name == "obligations", name == "translations": // the latter last, see [Merge]
		case name == "pools":
			faults = append(faults, mergePools(doc, value)...)
		default:
			doc[name] = mergeValue(doc[name], value)
			if doc[name] == nil {
				delete(doc, name)
			}
		}
	}
	for name, value := range map[string]string{"contextType": o.ContextType, "version": o.Version} {
		if value != "" {
			doc[name] = value
		}
	}
	return faults
}

// Template returns the obligation of that key; nil when there is none.
func (d *Definition) Template(key string) *obligations.Template {
	for i := range d.Obligations {
		if d.Obligations[i].Key == key {
			return &d.Obligations[i]
		}
	}
	return nil
}

// keys returns the keys of the obligations in order.
func (d *Definition) keys() []string {
	out := make([]string, len(d.Obligations))
	for i, t := range d.Obligations {
		out[i] = t.Key
	}
	return out
}

// clipList joins at most 12 names for an error message.
func clipList(list []string) string {
	if len(list) > 12 {
		return strings.Join(list[:12], ", ") + " and others"
	}
	return strings.Join(list, ", ")
}

// nameOf returns the member of an item that names it; "" when it has none.
func nameOf(item any, by string) string {
	fields, _ := item.(map[string]any)
	name, _ := fields[by].(string)
	return name
}

// mergeNamed merges two lists of objects that a member names. Objects of the same name
// are merged, new ones are appended, and those with "remove" are removed.
func mergeNamed(below, above []any, by string) []any {
	out := slices.Clone(below)
	for _, item := range above {
		i := slices.IndexFunc(out, func(held any) bool { return nameOf(held, by) == nameOf(item, by) })
		if fields, _ := item.(map[string]any); i >= 0 && fields["remove"] == true {
			out = slices.Delete(out, i, i+1)
			continue
		}
		if i < 0 {
			out = append(out, mergeFlat(nil, item))
			continue
		}
		out[i] = mergeFlat(out[i], item)
	}
	return out
}

// cloned returns a copy of an object, and an empty one for anything else.
func cloned(v any) map[string]any {
	fields, _ := v.(map[string]any)
	out := map[string]any{}
	maps.Copy(out, fields)
	return out
}

// mergeFlat replaces the members of an obligation. null removes one.
func mergeFlat(below, above any) any {
	out := cloned(below)
	fields, ok := above.(map[string]any)
	if !ok {
		return above
	}
	for name, v := range fields {
		out[name] = v
		if v == nil {
			delete(out, name)
		}
	}
	return out
}

// mergeValue merges objects member by member, and lists of named objects by name. It
// replaces everything else; null removes a value.
func mergeValue(below, above any) any {
	switch v := above.(type) {
	case map[string]any:
		out := cloned(below)
		for name, item := range v {
			if out[name] = mergeValue(out[name], item); out[name] == nil {
				delete(out, name)
			}
		}
		return out
	case []any:
		held, ok := below.([]any)
		if ok && len(held) > 0 && len(v) > 0 && nameOf(held[0], "name") != "" && nameOf(v[0], "name") != "" {
			return mergeNamed(held, v, "name")
		}
	}
	return above
}

// mergePools replaces pools one by one.
func mergePools(doc map[string]any, value any) Faults {
	above, ok := value.(map[string]any)
	if !ok {
		return Faults{misplaced("pools", "must be an object of pools, each a list of wordings")}
	}
	below := cloned(doc["pools"])
	var faults Faults
	for id, pool := range above {
		if pool == nil && below[id] == nil {
			faults = append(faults, misplaced("pools."+id, "there is no pool %q to take away; remove the line", language.Short(id)))
		}
		if below[id] = pool; pool == nil {
			delete(below, id)
		}
	}
	doc["pools"] = below
	return faults
}

// blame turns faults of the merged objective into places of the overlay.
func (o *Overlay) blame(base, whole *Definition, err error) error {
	var listed Faults
	if !errors.As(err, &listed) {
		return err
	}
	for i, f := range listed {
		listed[i] = f.At(o.placeOf(whole, f.Field))
		for j, key := range o.remove {
			speaks := strings.Contains(f.Message, fmt.Sprintf("%q", key)) || strings.HasSuffix(f.Message, "unknown name "+key)
			if speaks && base.Template(key) != nil {
				listed[i] = misplaced(fmt.Sprintf("remove[%d]", j), "%q cannot be removed while something needs it (%s: %s); change that in this layer too", key, o.placeOf(whole, f.Field), f.Message)
			}
		}
	}
	return listed
}

// placeOf returns the place in the overlay of a field of the merged objective. What the
// overlay does not mention is named by its key and "below".
func (o *Overlay) placeOf(whole *Definition, field string) string {
	var i int
	_, rest, _ := strings.Cut(field, "]")
	if n, _ := fmt.Sscanf(field, "constraints[%d]", &i); n == 1 && i < len(whole.Constraints) {
		return o.constraintAt(whole.Constraints[i].Name) + rest
	}
	if n, _ := fmt.Sscanf(field, "obligations[%d]", &i); n != 1 || i >= len(whole.Obligations) {
		return field
	}
	key := whole.Obligations[i].Key
	if j := slices.Index(o.keys, key); j >= 0 {
		return fmt.Sprintf("obligations[%d]%s", j, rest)
	}
	return "below." + key + rest
}

// constraintAt returns the place of the constraint of that name.
func (o *Overlay) constraintAt(name string) string {
	list, _ := o.doc["constraints"].([]any)
	if i := slices.IndexFunc(list, func(item any) bool { return nameOf(item, "name") == name }); i >= 0 {
		return fmt.Sprintf("constraints[%d]", i)
	}
	return "below.constraints." + name
}

// composition returns what an objective was merged from. Obligations that the overlay does
// not touch keep their layer.
func (o *Overlay) composition(base *Definition, source []byte, below obligations.Layer, held *Composition) *Composition {
	out := &Composition{Base: base.ContextType + " " + base.Version, Overlay: json.RawMessage(bytes.TrimSpace(source)), Layers: map[string]obligations.Layer{}}
	for _, key := range base.keys() {
		if o.touches(key) || slices.Contains(o.remove, key) {
			continue
		}
		out.Layers[key] = below
		if held != nil && held.Layers[key] != "" {
			out.Layers[key] = held.Layers[key]
		}
	}
	return out
}
