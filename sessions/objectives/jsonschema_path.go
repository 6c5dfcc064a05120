package objectives

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// leaves returns the nodes to ask for with their keys, in the order of the schema.
func (w *schemaWalk) leaves(root *schemaNode) []*leaf {
	var out []*leaf
	var walk func(n *schemaNode, props []string, path string, required bool, category string)
	walk = func(n *schemaNode, props []string, path string, required bool, category string) {
		for _, name := range n.names {
			child := n.children[name]
			at := strings.TrimPrefix(path+"."+n.segments[name], ".")
			here := append(slices.Clone(props), name)
			must := required && n.required[name]
			switch {
			case child.kind == "object":
				walk(child, here, at, must, titleOf(child, name))
			case len(child.enum) == 1:
				w.note(child.path, "is fixed to %s; it is not asked for, and written when its object is", child.enum[0])
			default:
				out = append(out, &leaf{schemaNode: child, props: here, fieldPath: at, required: must, category: category})
			}
		}
	}
	walk(root, nil, "", true, "")
	keyed(out)
	return out
}

// keyed gives each leaf a key: its own name, prefixed with those above it where that is
// not unique.
func keyed(list []*leaf) {
	taken := map[string]bool{}
	for _, l := range list {
		parts := strings.Split(l.fieldPath, ".")
		for n := 1; n <= len(parts) && l.key == ""; n++ {
			if k := keyOf(strings.Join(parts[len(parts)-n:], "_")); !taken[k] {
				l.key = k
			}
		}
		for i, base := 2, keyOf(strings.Join(parts, "_")); l.key == ""; i++ {
			if k := fmt.Sprintf("%s_%d", base[:min(len(base), 56)], i); !taken[k] {
				l.key = k
			}
		}
		taken[l.key] = true
	}
}

// keyOf returns a property name in snake case: delivery_date for deliveryDate.
func keyOf(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 && s[i-1] != '_' && !unicode.IsUpper(rune(s[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	out := b.String()
	return out[:min(len(out), 60)]
}

// titleOf returns the title of a node, or its name in words.
func titleOf(n *schemaNode, name string) string {
	if t := strings.TrimSpace(n.title); t != "" {
		return t
	}
	words := strings.ReplaceAll(keyOf(segmentOf(name)), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// segments returns the parts of field paths for property names. Names that would be the
// same are told apart, in a way that does not depend on their order.
func segments(names []string) map[string]string {
	out, taken := map[string]string{}, map[string]bool{}
	for _, name := range names {
		if plainSegment.MatchString(name) {
			out[name], taken[name] = name, true
		}
	}
	for _, name := range names {
		if out[name] != "" {
			continue
		}
		base := segmentOf(name)
		for i, s := 1, base; ; i, s = i+1, fmt.Sprintf("%s_%d", base, i+1) {
			if !taken[s] {
				out[name], taken[s] = s, true
				break
			}
		}
	}
	return out
}

var plainSegment = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`)

// segmentOf returns a property name with other characters than a field path allows
// replaced.
func segmentOf(name string) string {
	s := strings.Map(func(r rune) rune {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
	s = strings.Trim(s, "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "p" + s
	}
	return s[:min(len(s), 36)]
}
