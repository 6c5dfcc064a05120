package catalog

import "strings"

// spellings returns the names that ref may stand for, in the order in which they are tried: as it
// is, trimmed, without quotes, and then with fewer and fewer leading parts down to two.
func spellings(ref string) []string {
	out := []string{ref, strings.TrimSpace(ref)}
	parts := partsOf(out[1])
	if len(parts) == 0 {
		return out
	}
	out = append(out, strings.Join(parts, "."))
	for len(parts) > 2 {
		parts = parts[1:]
		out = append(out, strings.Join(parts, "."))
	}
	return out
}

// partsOf splits a name at the dots outside quotes and removes the quotes.
func partsOf(ref string) []string {
	var out []string
	for ref != "" {
		part, rest := ref, ""
		if closing(ref[0]) != 0 {
			part, rest = quoted(ref)
		} else if dot := strings.IndexByte(ref, '.'); dot >= 0 {
			part, rest = ref[:dot], ref[dot:]
		}
		out = append(out, part)
		ref = strings.TrimPrefix(rest, ".")
	}
	return out
}

// closing returns the quote that closes c; 0 if c is not an opening quote.
func closing(c byte) byte {
	switch c {
	case '"', '`':
		return c
	case '[':
		return ']'
	default:
		return 0
	}
}

// quoted returns the quoted name that ref begins with, in which a doubled quote stands for one,
// and what follows it.
func quoted(ref string) (name, rest string) {
	end := closing(ref[0])
	var b strings.Builder
	for i := 1; i < len(ref); i++ {
		if ref[i] != end {
			b.WriteByte(ref[i])
			continue
		}
		if i+1 == len(ref) || ref[i+1] != end {
			return b.String(), ref[i+1:]
		}
		b.WriteByte(end)
		i++
	}
	return ref, "" // not closed, so it is not a quoted name
}
