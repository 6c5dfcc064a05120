package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"quaestor/internal/fault"
)

func Example() {
	err := fmt.Errorf("publish: %w", fault.New(fault.Unprocessable, "priority must be 1 to 10, not %d", 14).At("obligations[2].priority"))
	fmt.Println(fault.KindOf(err), "|", err)
	// Output: unprocessable | publish: obligations[2].priority: priority must be 1 to 10, not 14
}

func TestKindOf(t *testing.T) {
	t.Parallel()

	for _, tt := range []struct {
		name string
		err  error
		want fault.Kind
	}{
		{"nil has no kind", nil, ""},
		{"a plain error is internal", io.EOF, fault.Internal},
		{"a fault keeps its kind", fault.New(fault.Conflict, "busy"), fault.Conflict},
		{"a wrapped fault keeps its kind", fmt.Errorf("x: %w", fault.New(fault.NotFound, "no")), fault.NotFound},
	} {
		if got := fault.KindOf(tt.err); got != tt.want {
			t.Errorf("%s: KindOf(%v) = %q, want %q", tt.name, tt.err, got, tt.want)
		}
	}
}

func TestBecauseKeepsTheCauseAndHidesIt(t *testing.T) {
	t.Parallel()

	err := fault.New(fault.Unavailable, "the model did not answer").Coded("model_down").Because(io.ErrUnexpectedEOF)

	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is lost")
	}
	if err.Error() != "the model did not answer" {
		t.Errorf("Error() = %q shows more than the sentence", err)
	}
}
