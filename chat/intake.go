package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quaestor/internal/fault"
	"quaestor/obligations"
	"quaestor/sessions"
)

// Input is what a person sends in a turn.
type Input struct {
	Tenant          string
	User            string
	SessionID       string                     // empty continues the person's active session of the context type, or creates one
	ContextType     string                     // objective of a new session; may be empty with a SessionID
	Language        sessions.LanguageRequest   // of a new session; one that goes on keeps its own
	Message         string                     // empty without answers and files lets the interviewer speak
	ClientMessageID string                     // makes it safe to send the message again; may be empty
	Answers         map[string]json.RawMessage // values of widgets, by obligation key
	Files           []string                   // ids of files of the session
	Voice           bool                       // the reply will be spoken
	Anyone          bool                       // the person may speak in sessions of others
	Reopen          bool                       // if the session is completed, the message opens its next revision; else it is refused there
}

// Bounds of what a person may send. They stop abuse and are far above what people type;
// they are part of the API.
const (
	MaxMessageBytes = 64 << 10
	maxIDBytes      = 255
	maxAnswers      = 50
)

// Clean checks in and returns it as it will be kept, without invisible characters. An
// error names the field and what would be right.
func (in Input) Clean() (Input, error) {
	switch {
	case len(in.Message) > MaxMessageBytes:
		return in, fault.New(fault.TooLarge, "a message has at most %d KiB; this one has %d. Send it in parts", MaxMessageBytes>>10, (len(in.Message)+1023)>>10).At("message").Coded("message_too_large")
	case !utf8.ValidString(in.Message):
		return in, fault.New(fault.Invalid, "the message is not valid UTF-8").At("message").Coded("invalid_utf8")
	case strings.ContainsRune(in.Message, 0):
		return in, fault.New(fault.Invalid, "the message holds a NUL character; remove it").At("message").Coded("nul_character")
	case len(in.ClientMessageID) > maxIDBytes || !printable(in.ClientMessageID):
		return in, fault.New(fault.Invalid, "a clientMessageId is at most %d printable characters", maxIDBytes).At("clientMessageId")
	case len(in.Answers) > maxAnswers:
		return in, fault.New(fault.Unprocessable, "at most %d answers go into one message", maxAnswers).At("answers")
	case in.SessionID == "" && in.ContextType == "":
		return in, fault.New(fault.Unprocessable, "say which objective to talk about, such as business_profile, or which session").At("contextType")
	}
	if err := checkContext(in.ContextType); in.ContextType != "" && err != nil {
		return in, err
	}
	in.Message = strings.TrimSpace(Visible(in.Message))
	var err error
	if in.Answers, err = cleanAnswers(in.Answers); err != nil {
		return in, err
	}
	in.Files, err = cleanFiles(in)
	return in, err
}

// contextPattern matches context types; the database has the same check.
var contextPattern = regexp.MustCompile(`^[a-z][a-z0-9_]{1,62}$`)

// checkContext returns an error for what cannot be a context type.
func checkContext(name string) error {
	if contextPattern.MatchString(name) {
		return nil
	}
	return fault.New(fault.Unprocessable, "a context type is lower-case letters, digits and _, such as business_profile; this one names nothing").At("contextType").Coded("context_type_unknown")
}

// maxDepth bounds lists and objects in each other: a range is one object, several
// choices are one list.
const maxDepth = 4

// answerKey matches keys of obligations.
var answerKey = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// checkAnswers returns an error for answers to obligations that the session does not have,
// and for those that cannot be the value. find returns the template of a key, or nil.
func checkAnswers(in Input, find func(key string) *obligations.Template) error {
	for _, key := range slices.Sorted(maps.Keys(in.Answers)) {
		t, field := find(key), "answers."+key
		if t == nil {
			return fault.New(fault.Unprocessable, "%s is no question of this session; answers go by the keys of its obligations", key).At(field).Coded("answer_unknown")
		}
		var wrong *fault.Error
		if errors.As(t.Check(in.Answers[key]), &wrong) {
			return wrong.Coded("answer_unfit").At(field)
		}
	}
	return nil
}

// cleanAnswers returns answers as they will be kept: texts are cleaned like messages, and
// equal answers are encoded alike. It returns nil for none, and an error for what the
// database cannot store.
func cleanAnswers(answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	if len(answers) == 0 {
		return nil, nil
	}
	out := make(map[string]json.RawMessage, len(answers))
	for key, raw := range answers {
		if !answerKey.MatchString(key) {
			return nil, fault.New(fault.Unprocessable, "answers go by the keys of obligations, such as team_size").At("answers")
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, fault.New(fault.Invalid, "is not valid JSON").At("answers." + key).Coded("malformed_json").Because(err)
		}
		v, err := cleanAnswer(v, maxDepth)
		if err != nil {
			return nil, err.At("answers." + key)
		}
		kept, _ := json.Marshal(v) // of what was decoded
		out[key] = kept
	}
	return out, nil
}

// cleanAnswer cleans one value, in which lists and objects may be nested that deep.
func cleanAnswer(v any, depth int) (any, *fault.Error) {
	var err *fault.Error
	switch v := v.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return nil, fault.New(fault.Invalid, "holds a NUL character; remove it").Coded("nul_character")
		}
		return Visible(v), nil
	case json.Number:
		if _, err := v.Float64(); err != nil {
			return nil, fault.New(fault.Unprocessable, "is a number beyond all bounds")
		}
	case []any:
		if depth == 0 {
			return nil, errDeep
		}
		for i := range v {
			if v[i], err = cleanAnswer(v[i], depth-1); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		if depth == 0 {
			return nil, errDeep
		}
		for name := range v {
			if !answerKey.MatchString(name) {
				return nil, fault.New(fault.Unprocessable, "is a range with min and max, or no object")
			}
			if v[name], err = cleanAnswer(v[name], depth-1); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

var errDeep = fault.New(fault.Unprocessable, "is nested too deep; a value is a text, a number, a list of texts or a range")

// printable reports whether s has no spaces, control characters or invalid UTF-8.
func printable(s string) bool {
	for _, r := range s {
		if r < 0x21 || r == 0x7f || r == utf8.RuneError {
			return false
		}
	}
	return true
}
