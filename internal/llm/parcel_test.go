package llm

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestParcelOpensUntilDropped(t *testing.T) {
	t.Parallel()

	text := strings.Repeat("prompt ", 1000)
	p := newParcel([]byte(text))
	for range 2 {
		body, err := p.open()
		if err != nil {
			t.Fatalf("open: %v", err)
		}
		if err := iotest.TestReader(body, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	begun, err := p.open()
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	p.drop()

	if got, err := io.ReadAll(begun); err != nil || string(got) != text {
		t.Errorf("a reading begun before the drop gave %d bytes, %v, want all", len(got), err)
	}
	if _, err := p.open(); !errors.Is(err, errDropped) {
		t.Errorf("open after drop = %v, want errDropped", err)
	}
}
