package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/internal/language"
	"quaestor/internal/postgres"
	"quaestor/obligations"
	"quaestor/sessions/internal/dbsqlc"
)

// SaveMemory queues the memory after an edit. The caller holds the session's [Lock]. A
// turn that is running notices the change when it ends and applies its own on top.
func SaveMemory(b *postgres.Batch, s obligations.Scope, m Memory) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode memory of session %s: %w", s.Session, err)
	}
	_ = queries.MemorySave(context.Background(), b, &dbsqlc.MemorySaveParams{TenantID: s.Tenant, ID: s.Session, WorkingMemorySnapshot: body})
	return nil
}

// Names of a memory's parts in JSON.
const (
	topicsField      = "recentTopics"
	followUpsField   = "pendingFollowUps"
	relationsField   = "inferredRelationships"
	preferencesField = "userPreferences"
	styleField       = "conversationStyle"
)

// maxPatchBytes bounds a patch. A memory is smaller (maxMemoryBytes), so no useful patch
// is refused.
const maxPatchBytes = 64 << 10

// Patch returns m changed by a JSON merge patch (RFC 7396): null removes a preference or
// empties a part, a list replaces the list before. A part that does not exist, a value
// out of its bounds, and a key for which isKey is false are refused with their path. m
// itself does not change.
func (m Memory) Patch(patch []byte, isKey func(key string) bool) (Memory, error) {
	switch {
	case len(patch) > maxPatchBytes:
		return m, fault.New(fault.TooLarge, "a change of the memory has at most %d KiB", maxPatchBytes>>10).Coded("body_too_large")
	case !utf8.Valid(patch):
		return m, fault.New(fault.Invalid, "the body is not UTF-8").Coded("invalid_utf8")
	case !json.Valid(patch):
		return m, fault.New(fault.Invalid, "the body is not JSON").Coded("malformed_json")
	}
	parts, err := object("", patch, topicsField, followUpsField, relationsField, preferencesField, styleField)
	if err != nil {
		return m, err
	}
	out := m
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if err := out.patch(name, parts[name], isKey); err != nil {
			return m, err
		}
	}
	if n := out.bytes(); n > maxMemoryBytes {
		return m, fault.New(fault.Unprocessable, "the memory would take %d bytes, at most %d are kept; shorten or remove some of it", n, maxMemoryBytes).Coded("memory_too_large")
	}
	return out, nil
}

// patch replaces or merges one part.
func (m *Memory) patch(name string, raw json.RawMessage, isKey func(string) bool) (err error) {
	switch name {
	case topicsField:
		m.RecentTopics, err = elements(name, raw, maxTopics, func(at string, raw json.RawMessage) (string, error) { return textAt(at, raw, maxNoteRunes) })
	case followUpsField:
		if m.FollowUps, err = elements(name, raw, maxFollowUps, func(at string, raw json.RawMessage) (FollowUp, error) { return followUpAt(at, raw, isKey) }); err == nil {
			sortFollowUps(m.FollowUps)
			err = once(name, m.FollowUps, func(a, b FollowUp) bool { return a.Key == b.Key })
		}
	case relationsField:
		if m.Relationships, err = elements(name, raw, maxRelations, func(at string, raw json.RawMessage) (Relation, error) { return relationAt(at, raw, isKey) }); err == nil {
			sortRelations(m.Relationships)
			err = once(name, m.Relationships, Relation.same)
		}
	case preferencesField:
		m.Preferences, err = patchPreferences(m.Preferences, raw)
	case styleField:
		m.Style, err = styleAt(raw)
	}
	return err
}

// Forget returns m without one note: the one at that index of a list, from 0, or the
// preference of that name. It is NotFound when there is no such note.
func (m Memory) Forget(part, note string) (Memory, error) {
	if part == preferencesField {
		if _, held := m.Preferences[note]; !held {
			return m, noNote(part, note)
		}
		m.Preferences = maps.Clone(m.Preferences)
		delete(m.Preferences, note)
		return m, nil
	}
	i, err := strconv.Atoi(note)
	size := map[string]int{topicsField: len(m.RecentTopics), followUpsField: len(m.FollowUps), relationsField: len(m.Relationships)}[part]
	if err != nil || i < 0 || i >= size {
		return m, noNote(part, note)
	}
	switch part {
	case topicsField:
		m.RecentTopics = slices.Delete(slices.Clone(m.RecentTopics), i, i+1)
	case followUpsField:
		m.FollowUps = slices.Delete(slices.Clone(m.FollowUps), i, i+1)
	case relationsField:
		m.Relationships = slices.Delete(slices.Clone(m.Relationships), i, i+1)
	}
	return m, nil
}

// noNote is the answer to a note that does not exist.
func noNote(part, note string) error {
	return fault.New(fault.NotFound, "nothing is remembered at %s/%s", language.Clip(oneLine(part), 60), language.Clip(oneLine(note), 60)).Coded("note_not_found")
}

// Changes returns the paths of the parts in which other differs from m, each preference
// by its name; nil when the two are equal.
func (m Memory) Changes(other Memory) []string {
	var out []string
	note := func(differ bool, path string) {
		if differ {
			out = append(out, path)
		}
	}
	note(!slices.Equal(m.RecentTopics, other.RecentTopics), topicsField)
	note(!slices.Equal(m.FollowUps, other.FollowUps), followUpsField)
	note(!slices.Equal(m.Relationships, other.Relationships), relationsField)
	names := map[string]string{}
	maps.Copy(names, m.Preferences)
	maps.Copy(names, other.Preferences)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, had := m.Preferences[name]
		after, has := other.Preferences[name]
		note(had != has || before != after, preferencesField+"."+name)
	}
	note(m.Style != other.Style, styleField)
	return out
}

// bad refuses a value at its path as Unprocessable.
func bad(at, format string, args ...any) error {
	return fault.New(fault.Unprocessable, format, args...).At(at)
}

// object decodes a JSON object and refuses fields that are not listed.
func object(at string, raw json.RawMessage, fields ...string) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	if isNull(raw) || json.Unmarshal(raw, &out) != nil {
		return nil, bad(orRoot(at), "must be an object")
	}
	for _, name := range slices.Sorted(maps.Keys(out)) {
		if !slices.Contains(fields, name) {
			return nil, bad(under(at, name), "is not known here; there is %s", strings.Join(fields, ", "))
		}
	}
	return out, nil
}

// orRoot names the path of the whole body, which is empty.
func orRoot(at string) string {
	if at == "" {
		return "body"
	}
	return at
}

// under returns the path of a member. Its name is user input, so it is shortened.
func under(at, name string) string {
	name = language.Clip(oneLine(name), maxNameRunes)
	if at == "" {
		return name
	}
	return at + "." + name
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }

// elements decodes a list of at most most elements with read. null is the empty list.
func elements[T any](at string, raw json.RawMessage, most int, read func(at string, raw json.RawMessage) (T, error)) ([]T, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, bad(at, "must be a list, or null to empty it")
	}
	if len(list) > most {
		return nil, bad(at, "has at most %d entries, not %d", most, len(list))
	}
	out := make([]T, len(list))
	for i, element := range list {
		var err error
		if out[i], err = read(fmt.Sprintf("%s[%d]", at, i), element); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// once refuses a list with two elements that say the same.
func once[T any](at string, list []T, same func(a, b T) bool) error {
	for i := range list {
		if slices.ContainsFunc(list[:i], func(other T) bool { return same(list[i], other) }) {
			return bad(at, "says the same thing twice")
		}
	}
	return nil
}

// textAt decodes a text of 1 to most characters, as one line.
func textAt(at string, raw json.RawMessage, most int) (string, error) {
	var s string
	if isNull(raw) || json.Unmarshal(raw, &s) != nil {
		return "", bad(at, "must be a text")
	}
	if s = oneLine(s); s == "" || runes(s) > most {
		return "", bad(at, "must have 1 to %d characters", most)
	}
	return s, nil
}

// keyAt decodes the key of an obligation of the session.
func keyAt(at string, raw json.RawMessage, isKey func(string) bool) (string, error) {
	s, err := textAt(at, raw, maxNameRunes)
	if err == nil && !isKey(s) {
		err = bad(at, "%q is no obligation of this session", language.Clip(s, 60))
	}
	return s, err
}

// numberAt decodes a number from low to high.
func numberAt[T int | float64](at string, raw json.RawMessage, low, high T) (T, error) {
	var n T
	if isNull(raw) || json.Unmarshal(raw, &n) != nil || n < low || n > high {
		return 0, bad(at, "must be %v to %v", low, high)
	}
	return n, nil
}

// maxScheduled bounds the turn a follow-up waits for, far above what a session reaches.
const maxScheduled = 1_000_000

// followUpAt decodes a follow-up.
func followUpAt(at string, raw json.RawMessage, isKey func(string) bool) (f FollowUp, err error) {
	parts, err := object(at, raw, "obligationKey", "reason", "priority", "scheduledTurn")
	if err != nil {
		return f, err
	}
	if f.Key, err = keyAt(under(at, "obligationKey"), parts["obligationKey"], isKey); err != nil {
		return f, err
	}
	if f.Reason, err = textAt(under(at, "reason"), parts["reason"], maxNoteRunes); err != nil {
		return f, err
	}
	if f.Priority, err = numberAt(under(at, "priority"), parts["priority"], 1, 10); err != nil {
		return f, err
	}
	if turn, given := parts["scheduledTurn"]; given {
		f.Turn, err = numberAt(under(at, "scheduledTurn"), turn, 0, maxScheduled)
	}
	return f, err
}

// relationAt decodes a relation between two different obligations.
func relationAt(at string, raw json.RawMessage, isKey func(string) bool) (r Relation, err error) {
	parts, err := object(at, raw, "from", "to", "type", "confidence")
	if err != nil {
		return r, err
	}
	if r.From, err = keyAt(under(at, "from"), parts["from"], isKey); err != nil {
		return r, err
	}
	if r.To, err = keyAt(under(at, "to"), parts["to"], isKey); err != nil {
		return r, err
	}
	if r.From == r.To {
		return r, bad(under(at, "to"), "must be another obligation than from")
	}
	if r.Type, err = textAt(under(at, "type"), parts["type"], maxNameRunes); err != nil {
		return r, err
	}
	r.Confidence, err = numberAt(under(at, "confidence"), parts["confidence"], 0.0, 1.0)
	return r, err
}

// patchPreferences merges a patch into the preferences: null removes one name, or all of
// them.
func patchPreferences(held map[string]string, raw json.RawMessage) (map[string]string, error) {
	if isNull(raw) {
		return nil, nil
	}
	var patch map[string]json.RawMessage
	if json.Unmarshal(raw, &patch) != nil {
		return nil, bad(preferencesField, "must be an object, or null to empty it")
	}
	out := map[string]string{}
	maps.Copy(out, held)
	for _, name := range slices.Sorted(maps.Keys(patch)) {
		at := under(preferencesField, name)
		if isNull(patch[name]) {
			delete(out, name)
			continue
		}
		if clean := oneLine(name); clean != name || clean == "" || runes(clean) > maxNameRunes {
			return nil, bad(at, "a name has 1 to %d characters on one line", maxNameRunes)
		}
		v, err := preferenceAt(at, patch[name])
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	if len(out) > maxPreferences {
		return nil, bad(preferencesField, "has at most %d names, not %d", maxPreferences, len(out))
	}
	return out, nil
}

// preferenceAt decodes a preference: a text, a number, true or false.
func preferenceAt(at string, raw json.RawMessage) (string, error) {
	var v any
	_ = json.Unmarshal(raw, &v) // what cannot be read, such as a number beyond bounds, is no value
	text, ok := preferenceText(v)
	if !ok {
		return "", bad(at, "must be a text, a number, true or false")
	}
	if _, said := v.(string); said {
		return textAt(at, raw, maxNoteRunes)
	}
	return language.Clip(text, maxNoteRunes), nil
}

// styleAt decodes a style. null and the empty text mean none.
func styleAt(raw json.RawMessage) (Style, error) {
	var s Style
	if err := json.Unmarshal(raw, &s); err != nil || s != "" && s != Formal && s != Casual {
		return "", bad(styleField, "must be %s or %s, or null for neither", Formal, Casual)
	}
	return s, nil
}
