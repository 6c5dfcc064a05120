package llm

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// events returns the data of each event in stream and how the stream ended.
func events(r io.Reader, maxLine int, maxTotal int64) ([]string, error) {
	in := newLines(r, maxLine, maxTotal)
	defer in.close()
	var out []string
	for {
		line, err := in.next()
		if data, ok := eventData(line); ok {
			out = append(out, string(data))
		}
		if err != nil {
			return out, err
		}
	}
}

func TestLinesReadsEvents(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("x", 3*lineBuffer)
	cases := []struct {
		name, in string
		want     []string
		err      error
	}{
		{"usual", "data: a\n\ndata: b\n\n", []string{"a", "b"}, io.EOF},
		{"no space", "data:a\n\n", []string{"a"}, io.EOF},
		{"crlf", "data: a\r\n\r\ndata: b\r\n", []string{"a", "b"}, io.EOF},
		{"comments and fields", ": ping\nevent: x\nid: 1\nretry: 5\ndata: a\n", []string{"a"}, io.EOF},
		{"byte order mark", "\xef\xbb\xbfdata: a\n", []string{"a"}, io.EOF},
		{"mark in the middle stays", "data: a\n\xef\xbb\xbfdata: b\n", []string{"a"}, io.EOF},
		{"no last line end", "data: a\ndata: [DONE]", []string{"a", "[DONE]"}, io.EOF},
		{"empty", "", nil, io.EOF},
		{"empty data", "data:\n", []string{""}, io.EOF},
		{"longer than the buffer", "data: " + long + "\ndata: b\n", []string{long, "b"}, io.EOF},
		{"as long as allowed", "data: " + strings.Repeat("y", 8185) + "\n", []string{strings.Repeat("y", 8185)}, io.EOF},
		{"too long a line", "data: a\ndata: " + strings.Repeat("y", 9000) + "\n", []string{"a"}, errTooLarge},
		{"too much in all", strings.Repeat("data: a\n", 3000), nil, errTooLarge},
	}
	for _, tc := range cases {
		for _, how := range []struct {
			name string
			wrap func(io.Reader) io.Reader
		}{{"whole", func(r io.Reader) io.Reader { return r }}, {"one byte at a time", iotest.OneByteReader}, {"data with EOF", iotest.DataErrReader}} {
			got, err := events(how.wrap(strings.NewReader(tc.in)), 8192, 20_000)
			if !errors.Is(err, tc.err) {
				t.Errorf("%s, %s: ended with %v, want %v", tc.name, how.name, err, tc.err)
			}
			if diff := cmp.Diff(tc.want, got); tc.want != nil && diff != "" {
				t.Errorf("%s, %s: events (-want +got):\n%s", tc.name, how.name, diff)
			}
		}
	}
}

func TestLinesPassesErrorsOn(t *testing.T) {
	t.Parallel()

	errCut := errors.New("cut")
	got, err := events(io.MultiReader(strings.NewReader("data: a\ndata: b"), iotest.ErrReader(errCut)), 100, 100)
	if !errors.Is(err, errCut) || len(got) != 2 {
		t.Errorf("events = %q, %v, want what came before the error", got, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("data: a\r\n\n: x\ndata:b", uint16(64))
	f.Add("\xef\xbb\xbfdata: "+strings.Repeat("x", 5000)+"\n", uint16(4096))
	f.Fuzz(func(t *testing.T, stream string, limit uint16) {
		whole, errWhole := events(strings.NewReader(stream), int(limit), int64(len(stream)))
		bytewise, errBytewise := events(iotest.OneByteReader(strings.NewReader(stream)), int(limit), int64(len(stream)))
		if errWhole.Error() != errBytewise.Error() || cmp.Diff(whole, bytewise) != "" {
			t.Fatalf("how bytes arrive changes events: %q, %v and %q, %v", whole, errWhole, bytewise, errBytewise)
		}
		var total int
		for _, data := range whole {
			total += len(data)
		}
		if total > len(stream) {
			t.Fatalf("%d bytes of data from %d", total, len(stream))
		}
	})
}

// However an answer is cut into pieces, the same text is visible.
func FuzzThinking(f *testing.F) {
	f.Add("<think>a</think> b", uint8(3))
	f.Add(" <thi", uint8(1))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var whole, cut thinking
		want := whole.pass(text) + whole.end()
		var got strings.Builder
		step := int(size)%7 + 1
		for i := 0; i < len(text); i += step {
			got.WriteString(cut.pass(text[i:min(len(text), i+step)]))
		}
		got.WriteString(cut.end())
		if got.String() != want {
			t.Fatalf("in pieces of %d: %q, whole: %q", step, got.String(), want)
		}
	})
}
