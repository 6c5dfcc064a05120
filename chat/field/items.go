package field

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quaestor/obligations"
)

// itemMark parts the items of a text that lists something.
var itemMark = regexp.MustCompile(`\s*[;,]\s*(?:and\s+|und\s+|also\s+|auch\s+)?|\s+(?:and|und|&)\s+`)

// WithoutItems returns a text that lists something without some of its items, with the marks that
// parted the others; and whether there was one of them.
func WithoutItems(list string, drop func(item string) bool) (left string, dropped bool) {
	begun, mark := 0, ""
	for _, m := range append(itemMark.FindAllStringIndex(list, -1), []int{len(list), len(list)}) {
		if item := list[begun:m[0]]; drop(item) {
			dropped = true
		} else {
			if left != "" {
				left += mark
			}
			left += item
		}
		mark, begun = list[m[0]:m[1]], m[1]
	}
	return left, dropped
}

// ItemsChanged returns what a change added to a list or text, or what it took off it, as a value of
// the same kind; nil where it did more than that.
func ItemsChanged(c obligations.Change) (more, fewer json.RawMessage) {
	if c.After.Widget == obligations.Text {
		if added := c.Elaborated(); added != "" {
			return Encode(added), nil
		}
		before, after := Items(Text(c.Before.Value)), Items(Text(c.After.Value))
		if gone := missing(before, after); len(gone) > 0 && len(gone) < len(before) && len(missing(after, before)) == 0 {
			return nil, Encode(strings.Join(gone, "; "))
		}
		return nil, nil
	}
	if c.After.Widget != obligations.MultiSelect {
		return nil, nil
	}
	before, after := Texts(c.Before.Value), Texts(c.After.Value)
	added, gone := missing(after, before), missing(before, after)
	switch {
	case len(gone) == 0 && len(before) > 0 && len(added) > 0:
		return Encode(added), nil
	case len(added) == 0 && len(after) > 0 && len(gone) > 0:
		return nil, Encode(gone)
	}
	return nil, nil
}

// Items returns the items of a text that lists something, parted by commas, semicolons or "and".
func Items(s string) []string { return itemMark.Split(s, -1) }

// missing returns what of a list another has not.
func missing(list, in []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(v string) bool { return slices.Contains(in, v) })
}
