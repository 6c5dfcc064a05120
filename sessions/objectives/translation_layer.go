package objectives

import (
	"maps"
	"slices"
)

// dropStale removes from the translations of the layer below, in doc, what the overlay says
// anew: they are translations of other words. It leaves those of the overlay to [Merge].
func (o *Overlay) dropStale(base *Definition, doc map[string]any) {
	below, _ := doc["translations"].(map[string]any)
	if below == nil {
		return
	}
	out := map[string]any{}
	for tag, v := range below {
		t := cloned(v)
		for _, name := range []string{"displayName", "description", "greeting"} {
			if _, said := o.doc[name]; said {
				delete(t, name)
			}
		}
		without(t, "phases", saysAnew(o.doc["phases"], "entry"))
		without(t, "pools", slices.Collect(maps.Keys(cloned(o.doc["pools"]))))
		without(t, "constraints", saysAnew(byItsName(o.doc["constraints"], "name"), "message"))
		without(t, "obligations", o.remove)
		o.dropStaleObligations(base, t)
		out[tag] = t
	}
	doc["translations"] = out
}

// without replaces the object under name by a copy without some of its members.
func without(t map[string]any, name string, members []string) {
	if t[name] == nil {
		return
	}
	part := cloned(t[name])
	for _, m := range members {
		delete(part, m)
	}
	t[name] = part
}

// saysAnew returns the names of the objects in parts that have a member.
func saysAnew(parts any, member string) (out []string) {
	for name, part := range cloned(parts) {
		if _, said := cloned(part)[member]; said {
			out = append(out, name)
		}
	}
	return out
}

// byItsName returns the objects of a list by the member that names them.
func byItsName(list any, by string) map[string]any {
	out := map[string]any{}
	items, _ := list.([]any)
	for _, item := range items {
		out[nameOf(item, by)] = item
	}
	return out
}

// dropStaleObligations removes from a translation the texts of obligations that the overlay
// says anew, and the choices that it calls otherwise.
func (o *Overlay) dropStaleObligations(base *Definition, t map[string]any) {
	obligations := cloned(t["obligations"])
	for key, change := range byItsName(o.doc["obligations"], "key") {
		if obligations[key] == nil {
			continue
		}
		words, said := cloned(obligations[key]), cloned(change)
		for _, name := range []string{"label", "prompt", "why", "examples", "cues"} {
			if _, anew := said[name]; anew {
				delete(words, name)
			}
		}
		if choices, anew := said["choices"]; anew {
			without(words, "choices", recalled(base, key, byItsName(choices, "value")))
		}
		obligations[key] = words
	}
	t["obligations"] = obligations
}

// recalled returns the values of an obligation's choices in base that have another label
// among the choices that replace them.
func recalled(base *Definition, key string, choices map[string]any) (out []string) {
	for _, c := range base.Template(key).Choices {
		if label, _ := cloned(choices[c.Value])["label"].(string); label != c.Label {
			out = append(out, c.Value)
		}
	}
	return out
}
