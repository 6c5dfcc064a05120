package objectives

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"quaestor/internal/fault"
	"quaestor/obligations"
)

// Severity tells whether a remark prevents publishing.
type Severity string

// The severities.
const (
	LintError   Severity = "error"   // prevents publishing
	LintWarning Severity = "warning" // does not, but people will notice
)

// Diagnostic is something wrong with an objective's file, and where.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`   // such as obligations[2].priority; empty means the file
	Line     int      `json:"line"`   // from 1
	Column   int      `json:"column"` // from 1, in bytes
	Message  string   `json:"message"`
}

// String returns the remark without its file, as line:column: message.
func (r Diagnostic) String() string {
	text := r.Message
	if r.Path != "" {
		text = r.Path + ": " + text
	}
	if r.Severity == LintWarning {
		text = "warning: " + text
	}
	return fmt.Sprintf("%d:%d: %s", r.Line, r.Column, text)
}

// Lint returns everything that is wrong with an objective's file, ordered by place; an
// empty list when nothing is. A file that is not JSON gets one remark.
func Lint(data []byte) []Diagnostic {
	l := linter{data: data, places: Places(data)}
	l.lint()
	return ordered(l.remarks)
}

// ordered sorts remarks by place and removes repetitions.
func ordered(list []Diagnostic) []Diagnostic {
	slices.SortStableFunc(list, func(a, b Diagnostic) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return slices.Compact(list)
}

// Broken reports whether a remark prevents publishing.
func Broken(remarks []Diagnostic) bool {
	return slices.ContainsFunc(remarks, func(r Diagnostic) bool { return r.Severity == LintError })
}

// linter collects the remarks on one file.
type linter struct {
	data    []byte
	places  PlaceIndex
	remarks []Diagnostic
}

// add adds a remark on what stands at path.
func (l *linter) add(s Severity, path, format string, args ...any) {
	line, column := l.places.Line(path)
	l.remarks = append(l.remarks, Diagnostic{s, path, line, column, fmt.Sprintf(format, args...)})
}

// lint looks at the file as far as it can be read.
func (l *linter) lint() {
	if !l.readable() {
		return
	}
	l.repeated()
	if IsLayer(l.data) {
		l.layer()
		return
	}
	l.shapes()
	var d Definition
	if json.Unmarshal(l.data, &d) != nil {
		return // said already
	}
	d.normalize()
	l.faults(d.Validate())
	l.advise(&d, func(key string) string {
		return fmt.Sprintf("obligations[%d]", slices.Index(d.keys(), key))
	})
}

// repeated remarks on names that occur twice in one object.
func (l *linter) repeated() {
	for _, path := range l.places.Twice() {
		line, column := l.places.NameLine(path)
		l.remarks = append(l.remarks, Diagnostic{LintError, path, line, column, "this name stands twice in its object; remove one"})
	}
}

// readable reports whether the file is one JSON object.
func (l *linter) readable() bool {
	var doc map[string]any
	err := readObject(l.data, &doc)
	var f *fault.Error
	if err == nil || errors.As(err, &f) && f.Code == "repeated_name" {
		return true
	}
	r := Diagnostic{Severity: LintError, Line: 1, Column: 1, Message: strings.TrimPrefix(err.Error(), "the objective ")}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		r.Line, r.Column = l.places.lineOf(max(int(syntax.Offset)-1, 0))
		r.Message = "this is no JSON from here on"
	}
	l.remarks = append(l.remarks, r)
	return false
}

// layer lints a layer on a shipped objective: alone, and merged.
func (l *linter) layer() {
	doc, err := ParseDocument(l.data)
	l.faults(err)
	if err != nil {
		return
	}
	o, err := ParseOverlay(l.data)
	if err != nil {
		return // ParseDocument said so
	}
	l.advise(&doc.Definition, func(key string) string {
		if i := slices.Index(o.keys, key); i >= 0 {
			return fmt.Sprintf("obligations[%d]", i)
		}
		return ""
	})
}

// shapes remarks on unknown fields and on values of a wrong type. It decodes part by
// part, so that one fault does not hide the next.
func (l *linter) shapes() {
	var parts map[string]json.RawMessage
	if json.Unmarshal(l.data, &parts) != nil {
		return
	}
	for name, part := range parts {
		var items []json.RawMessage
		if name == "obligations" && json.Unmarshal(part, &items) == nil {
			for i, item := range items {
				l.shape(fmt.Sprintf("obligations[%d]", i), item, &obligations.Template{})
			}
			continue
		}
		whole, err := json.Marshal(map[string]json.RawMessage{name: part})
		if err == nil {
			l.shape("", whole, &Definition{})
		}
	}
}

// shape decodes one part strictly. The place of an unknown field is found by its name.
func (l *linter) shape(path string, part []byte, into any) {
	dec := json.NewDecoder(bytes.NewReader(part))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		return
	}
	f := decodingFault(path, err)
	f = f.At(strings.TrimPrefix(f.Field, "."))
	if f.Code == "unknown_field" {
		l.unknown(f, strings.Trim(strings.TrimPrefix(err.Error(), "json: unknown field "), `"`), outermost(path, part))
		return
	}
	l.add(LintError, f.Field, "%s", f.Message)
}

// outermost returns the path to search a part under: that of its only member when the
// part stands for a member of the file.
func outermost(path string, part []byte) string {
	if path != "" {
		return path
	}
	var one map[string]json.RawMessage
	_ = json.Unmarshal(part, &one) // it was made of one member
	for name := range one {
		return name
	}
	return ""
}

// unknown remarks on a field that does not exist, at its name.
func (l *linter) unknown(f *fault.Error, name, under string) {
	at := ""
	for path := range l.places.at {
		inside := path == under || strings.HasPrefix(path, under+".") || strings.HasPrefix(path, under+"[")
		if inside && (path == name || strings.HasSuffix(path, "."+name)) && (at == "" || len(path) < len(at)) {
			at = path
		}
	}
	line, column := l.places.NameLine(at)
	l.remarks = append(l.remarks, Diagnostic{LintError, at, line, column, f.Message})
}

// faults turns the faults that prevent publishing into remarks.
func (l *linter) faults(err error) {
	var listed Faults
	var one *fault.Error
	switch {
	case err == nil:
	case errors.As(err, &listed):
		for _, f := range listed {
			l.fault(f)
		}
	case errors.As(err, &one):
		l.fault(one)
	default:
		l.add(LintError, "", "%s", err)
	}
}

// fault remarks on one fault. That of a condition is placed within the condition's text.
func (l *linter) fault(f *fault.Error) {
	line, column := l.places.Line(f.Field)
	var row, at int
	if n, _ := fmt.Sscanf(f.Message, "the condition fails at line %d, column %d", &row, &at); n == 2 && row == 1 {
		column += l.inText(f.Field, at)
	}
	l.remarks = append(l.remarks, Diagnostic{LintError, f.Field, line, column, f.Message})
}

// inText returns how many bytes after its quotation mark the n-th character of a text
// stands. For a text with escapes it returns 0, and the mark is the place.
func (l *linter) inText(path string, n int) int {
	place, ok := l.places.at[path]
	var text string
	dec := json.NewDecoder(bytes.NewReader(l.data[min(place.value, len(l.data)):]))
	if !ok || dec.Decode(&text) != nil || bytes.IndexByte(l.data[place.value:place.value+int(dec.InputOffset())], '\\') >= 0 {
		return 0
	}
	r := []rune(text)
	return len(string(r[:min(n-1, len(r))])) + 1
}

// advise remarks on what can be published and should be better. place returns the path
// of the obligation of a key; empty where the file does not define it.
func (l *linter) advise(d *Definition, place func(key string) string) {
	for i := range d.Obligations {
		t := &d.Obligations[i]
		if at := place(t.Key); at != "" {
			l.wording(at, t)
			l.closed(at, t)
			l.learning(at, t)
		}
	}
	l.unreachable(d, place)
	l.pools(d)
	l.translations(d)
	seen := map[string]bool{}
	for i, key := range d.Completion.Required {
		if seen[key] {
			l.add(LintWarning, fmt.Sprintf("completion.requiredObligations[%d]", i), "%q is required twice", key)
		}
		seen[key] = true
	}
}

// maxPrompt is how many characters of a question people take in at a glance. It is an
// estimate.
const maxPrompt = 300

var leftover = regexp.MustCompile(`\{\{|\}\}|<[a-z_]+>|\b(?:TBD|FIXME|XXX|lorem ipsum)\b`)

// wording remarks on questions that are long, ask two things, look unfinished or give no
// reason.
func (l *linter) wording(at string, t *obligations.Template) {
	prompt := strings.TrimSpace(t.Prompt)
	switch n := len([]rune(prompt)); {
	case n == 0:
		return // refused already
	case n > maxPrompt:
		l.add(LintWarning, at+".prompt", "the question has %d characters; more than %d are not read", n, maxPrompt)
	}
	if strings.Count(prompt, "?") > 1 {
		l.add(LintWarning, at+".prompt", "this asks more than one thing; ask one, and make an obligation of the other")
	}
	if !strings.ContainsAny(prompt[len(prompt)-1:], "?.!:") && !strings.HasSuffix(prompt, "…") {
		l.add(LintWarning, at+".prompt", "the question has no mark at its end")
	}
	if found := leftover.FindString(prompt); found != "" {
		l.add(LintWarning, at+".prompt", "%q looks like something that was to be filled in", found)
	}
	if strings.TrimSpace(t.Why) == "" {
		l.add(LintWarning, at, "%q has no why; people ask what a question is for", t.Key)
	}
}

// closed remarks on choices that people cannot tell apart.
func (l *linter) closed(at string, t *obligations.Template) {
	seen := map[string]string{}
	for i, c := range t.Choices {
		for _, word := range append([]string{c.Label}, c.Synonyms...) {
			same := strings.ToLower(strings.TrimSpace(word))
			if first, there := seen[same]; there && first != c.Value {
				l.add(LintWarning, fmt.Sprintf("%s.choices[%d]", at, i), "%q stands for %q and for %q; the answer will be taken for the first", word, first, c.Value)
				continue
			}
			seen[same] = c.Value
		}
	}
}

// learning remarks on obligations that are to be concluded or looked up and cannot be.
func (l *linter) learning(at string, t *obligations.Template) {
	switch {
	case t.Collection == obligations.Inferred && len(t.Inference) == 0:
		l.add(LintWarning, at+".collectionType", "%q has no rules to be concluded by; add inference, or only a model can conclude it", t.Key)
	case t.Collection == obligations.Research && t.ResearchType == obligations.NoResearch:
		l.add(LintWarning, at+".researchType", "%q is to be looked up and its researchType is none, so it will be asked", t.Key)
	}
}

// unreachable remarks on obligations that can never be asked, because they depend,
// directly or not, on a cycle or on a key that does not exist. The first cycle and the
// missing keys are placed where they stand.
func (l *linter) unreachable(d *Definition, place func(string) string) {
	askable := d.askable()
	for _, key := range d.keys() {
		at := place(key)
		if askable[key] || at == "" {
			continue
		}
		chain, missing := d.wait(key, askable)
		switch circle := chain[len(chain)-1] == key; {
		case circle && !l.told(key+" → "):
			l.add(LintError, at+".dependencies", "dependencies must not go in a circle: %s", strings.Join(chain, " → "))
		case !circle && !(missing && len(chain) == 2):
			why := "goes in a circle"
			if missing {
				why = "does not exist"
			}
			l.add(LintError, at+".dependencies", "%q can never be asked: it waits for %s, which %s", key, strings.Join(chain[1:], " → "), why)
		}
	}
}

// told reports whether a remark on a cycle contains that part already.
func (l *linter) told(part string) bool {
	return slices.ContainsFunc(l.remarks, func(r Diagnostic) bool {
		return strings.Contains(r.Message, "in a circle: ") && strings.Contains(r.Message, part)
	})
}

// askable returns the keys of the obligations that can be asked at some time.
func (d *Definition) askable() map[string]bool {
	out := map[string]bool{}
	for again := true; again; {
		again = false
		for _, t := range d.Obligations {
			waits := slices.ContainsFunc(t.Dependencies, func(dep string) bool { return !out[dep] })
			if !out[t.Key] && !waits {
				out[t.Key], again = true, true
			}
		}
	}
	return out
}

// wait follows the dependencies of key until a key repeats or does not exist.
func (d *Definition) wait(key string, askable map[string]bool) (chain []string, missing bool) {
	chain = []string{key}
	for {
		t := d.Template(chain[len(chain)-1])
		if t == nil {
			return chain, true
		}
		i := slices.IndexFunc(t.Dependencies, func(dep string) bool { return !askable[dep] })
		next := t.Dependencies[i]
		again := slices.Contains(chain, next)
		if chain = append(chain, next); again {
			return chain, false
		}
	}
}

// pools remarks on pools that no obligation uses, and on unfinished wordings in them.
func (l *linter) pools(d *Definition) {
	used := map[string]bool{}
	for i := range d.Obligations {
		used[d.Obligations[i].PoolID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(d.Pools)) {
		path := "pools." + id
		if _, here := l.places.at[path]; !here {
			continue // it comes from the layer below
		}
		if !used[id] {
			l.add(LintWarning, path, "no obligation uses the pool %q; name it as poolId, or remove it", id)
		}
		for i, w := range d.Pools[id] {
			if leftover.MatchString(w) {
				l.add(LintWarning, fmt.Sprintf("%s[%d]", path, i), "%q looks like something that was to be filled in", leftover.FindString(w))
			}
		}
	}
}
