package reader

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"quaestor/internal/language"
	"quaestor/internal/sandbox"
)

const (
	childMemory = 512 << 20        // bytes of address space a child may take beyond what it starts with
	childTime   = 10 * time.Second // of a processor that a child may take
	maxWaits    = 3                // times as long it may last: others want the processor too
	maxReply    = 3 << 20          // bytes of a child's answer
	maxName     = 8 << 10          // bytes of what a file is called
	maxOrder    = 128 << 10        // bytes of a line that asks a child
	maxChildren = 2                // at a time, for one Reader
)

// childCommand is the argument with which this program is a child.
const childCommand = "extract-text"

// order is what a child is asked, in a line before the file.
type order struct {
	Name      string        `json:"name"`
	MediaType string        `json:"mediaType"`
	Time      time.Duration `json:"time"` // of a processor it may take, in whole seconds
}

// reply is what a child answers.
type reply struct {
	Doc    Doc    `json:"doc"`
	Kind   Kind   `json:"kind,omitempty"` // of the failure; empty for none
	Detail string `json:"detail,omitempty"`
}

// IsChild reports whether a program's arguments, its name left out, make it a child.
func IsChild(args []string) bool { return len(args) == 1 && args[0] == childCommand }

// Child is the whole of a process that reads one file: it takes what the file is called
// and the file from in, gives its own process limits of memory and processor time, and
// writes a [Doc] or the failure to out as JSON. It returns the status to exit with; 0
// means that an answer was written. Nothing else may run in the process.
func Child(in io.Reader, out io.Writer) int {
	buffered := bufio.NewReaderSize(in, maxOrder)
	line, err := buffered.ReadSlice('\n')
	var asked order
	if err != nil || json.Unmarshal(line, &asked) != nil || sandbox.Limit(childLimits(asked.Time)) != nil {
		return 1
	}
	body, err := io.ReadAll(io.LimitReader(buffered, maxInput+1))
	if err != nil {
		return 1
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(answer(asked, body)) != nil {
		return 1
	}
	return 0
}

// childLimits bound a child that may take so much time of a processor.
func childLimits(processor time.Duration) sandbox.Limits {
	return sandbox.Limits{Memory: childMemory, Heap: childMemory / 2, Processor: processor}
}

// answer reads a file for the parent.
func answer(asked order, body []byte) reply {
	doc, err := Text(asked.Name, asked.MediaType, body)
	var e *Error
	if errors.As(err, &e) {
		return reply{Kind: e.Kind, Detail: e.Detail}
	}
	return reply{Doc: doc}
}

// readApart reads a file in a child process, which has no environment, no files
// and a limited time. Whatever becomes of it, this process has the answer's bytes
// to hold and no more.
func (r *Reader) readApart(ctx context.Context, name, mediaType string, body []byte) (Doc, error) {
	select {
	case r.children <- struct{}{}:
		defer func() { <-r.children }()
	case <-ctx.Done():
		return Doc{}, outOfTime(name, ctx.Err())
	}
	out, err := r.runChild(ctx, order{language.HeadBytes(name, maxName), language.HeadBytes(mediaType, maxName), r.o.ChildTime}, body)
	if ctx.Err() != nil {
		return Doc{}, outOfTime(name, ctx.Err())
	}
	var got reply
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil {
		return Doc{}, unreadable(name, short(name)+" takes too much time or memory to read").because(err)
	}
	if got.Kind != "" {
		return Doc{}, &Error{Kind: got.Kind, URL: name, Detail: got.Detail}
	}
	return finish(name, got.Doc)
}

// runChild runs one child to its end, which comes after [Options].ChildTime of a
// processor, or maxWaits times as long, at the latest.
func (r *Reader) runChild(ctx context.Context, asked order, body []byte) ([]byte, error) {
	line, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("ask a child: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, maxWaits*r.o.ChildTime)
	defer cancel()
	out := &capped{left: maxReply}
	c := sandbox.Command(ctx, "/", r.o.Child)
	c.Env = []string{"GOMAXPROCS=1", "GOGC=40"}
	c.Stdin, c.Stdout = io.MultiReader(bytes.NewReader(append(line, '\n')), bytes.NewReader(body)), out
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("read a file in a child: %w", err)
	}
	return out.b.Bytes(), nil
}

// capped keeps what is written to it up to a limit, and refuses more.
type capped struct {
	b    bytes.Buffer
	left int
}

// Write appends p, or fails when it is more than is left.
func (c *capped) Write(p []byte) (int, error) {
	if len(p) > c.left {
		return 0, errors.New("the answer is too long")
	}
	c.left -= len(p)
	return c.b.Write(p)
}
