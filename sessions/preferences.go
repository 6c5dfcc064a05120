package sessions

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Preferences are what a person likes, by name. Values are texts here. JSON has true,
// false and plain numbers for what they are, so brevity is true and not "true"; texts in
// older rows are read alike.
type Preferences map[string]string

// MarshalJSON writes an object, {} when there is none.
func (p Preferences) MarshalJSON() ([]byte, error) {
	out := make(map[string]any, len(p))
	for name, text := range p {
		out[name] = preferenceValue(text)
	}
	return json.Marshal(out)
}

// preferenceValue returns a preference as JSON has it.
func preferenceValue(text string) any {
	if text == "true" || text == "false" {
		return text == "true"
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && plainNumber(n) == text && !math.IsNaN(n) && !math.IsInf(n, 0) {
		return n
	}
	return text
}

// plainNumber is n as people write it, without an exponent.
func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// UnmarshalJSON reads texts, numbers, true and false.
func (p *Preferences) UnmarshalJSON(raw []byte) error {
	var values map[string]any
	if err := json.Unmarshal(raw, &values); err != nil {
		return err
	}
	out := make(Preferences, len(values))
	for name, v := range values {
		text, ok := preferenceText(v)
		if !ok {
			return fmt.Errorf("preference %s is no text, number, true or false", cut(oneLine(name), maxNameRunes))
		}
		out[name] = text
	}
	*p = out
	return nil
}

// preferenceText returns a JSON value as a text; false for lists, objects and null.
func preferenceText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return plainNumber(v), true
	}
	return "", false
}
