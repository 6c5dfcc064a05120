package secret_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"quaestor/internal/secret"
)

const canary = "sk-canary-4711"

// settings is the kind of struct that ends up in a log by mistake.
type settings struct {
	Name   string
	Key    secret.Secret
	Ptr    *secret.Secret
	Keys   []secret.Secret
	ByName map[string]secret.Secret
	hidden secret.Secret
}

func newSettings() settings {
	s := secret.New(canary)
	return settings{
		Name: "n", Key: s, Ptr: &s, Keys: []secret.Secret{s},
		ByName: map[string]secret.Secret{"a": s}, hidden: s,
	}
}

func TestSecretPrintsMaskedForEveryVerb(t *testing.T) {
	t.Parallel()

	s := secret.New(canary)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T|%v", "%10s", "%p", "%t"} {
		args := []any{s, &s}[:strings.Count(verb, "%")]
		if got := fmt.Sprintf(verb, args...); strings.Contains(got, canary) {
			t.Errorf("Sprintf(%q) = %q, which shows the value", verb, got)
		}
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		if got := fmt.Sprintf(verb, s); got != "***" {
			t.Errorf("Sprintf(%q) = %q, want ***", verb, got)
		}
		if got := fmt.Sprintf(verb, &s); got != "***" {
			t.Errorf("Sprintf(%q) of a pointer = %q, want ***", verb, got)
		}
	}
}

func TestSecretStaysHiddenInsideOtherValues(t *testing.T) {
	t.Parallel()

	v := newSettings()
	encode := func(marshal func(any) ([]byte, error), v any) string {
		b, err := marshal(v)
		if err != nil {
			t.Fatalf("marshal: %v", err)
		}
		return string(b)
	}
	cases := []struct{ name, got string }{
		{"Sprint", fmt.Sprint(v, &v)},
		{"error", fmt.Errorf("call with %v and %+v: %w", v.Key, v, io.EOF).Error()},
		{"json", encode(json.Marshal, v)},
		{"json pointer", encode(json.Marshal, &v)},
		{"xml", encode(xml.Marshal, v.Key)},
		{"String", v.Key.String()},
		{"GoString", v.hidden.GoString()},
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%q"} {
		cases = append(cases,
			struct{ name, got string }{"struct " + verb, fmt.Sprintf(verb, v)},
			struct{ name, got string }{"pointer " + verb, fmt.Sprintf(verb, &v)})
	}
	for _, c := range cases {
		if strings.Contains(c.got, canary) || strings.Contains(c.got, "canary") {
			t.Errorf("%s = %q, which shows the value", c.name, c.got)
		}
	}
}

func TestSecretStaysHiddenInLogs(t *testing.T) {
	t.Parallel()

	var out bytes.Buffer
	v := newSettings()
	for _, h := range []slog.Handler{slog.NewJSONHandler(&out, nil), slog.NewTextHandler(&out, nil)} {
		slog.New(h).Info("open", "key", v.Key, "ptr", v.Ptr, "all", v, "group", slog.GroupValue(slog.Any("k", v.Key)))
	}

	if strings.Contains(out.String(), canary) {
		t.Errorf("log shows the value: %s", out.String())
	}
	if !strings.Contains(out.String(), `"key":"***"`) || !strings.Contains(out.String(), "key=***") {
		t.Errorf("log lacks the mask: %s", out.String())
	}
}

func TestSecretRevealAndZero(t *testing.T) {
	t.Parallel()

	cases := []struct {
		name string
		in   secret.Secret
		want string
		zero bool
	}{
		{"zero", secret.Secret{}, "", true},
		{"empty", secret.New(""), "", true},
		{"set", secret.New(canary), canary, false},
	}
	for _, c := range cases {
		if got := c.in.Reveal(); got != c.want {
			t.Errorf("%s: Reveal() = %q, want %q", c.name, got, c.want)
		}
		if got := c.in.IsZero(); got != c.zero {
			t.Errorf("%s: IsZero() = %t, want %t", c.name, got, c.zero)
		}
		if got := c.in.String(); got != "***" {
			t.Errorf("%s: String() = %q, want ***", c.name, got)
		}
	}
}

func TestSecretReadsFromFlagsAndJSON(t *testing.T) {
	t.Parallel()

	var s secret.Secret
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.TextVar(&s, "key", secret.Secret{}, "the key")
	if err := flags.Parse([]string{"-key", canary}); err != nil {
		t.Fatalf("Parse: %v", err)
	}
	if got := s.Reveal(); got != canary {
		t.Errorf("flag gave %q, want %q", got, canary)
	}

	var v struct{ Key secret.Secret }
	if err := json.Unmarshal([]byte(`{"Key":"`+canary+`"}`), &v); err != nil {
		t.Fatalf("Unmarshal: %v", err)
	}
	if got := v.Key.Reveal(); got != canary {
		t.Errorf("JSON gave %q, want %q", got, canary)
	}
}

func ExampleSecret() {
	key := secret.New("sk-123")

	fmt.Println(key)
	fmt.Printf("%#v\n", struct{ Key secret.Secret }{key})
	fmt.Println(len(key.Reveal()))
	// Output:
	// ***
	// struct { Key secret.Secret }{Key:***}
	// 6
}
