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
	childMemory = 512 << 20        // bytes of address space a child may allocate
	childTime   = 10 * time.Second // processor time of a child
	maxWaits    = 3                // how many times as long it may take by the clock, on a busy processor
	maxReply    = 3 << 20          // bytes of a child's answer
	maxName     = 8 << 10          // bytes of a file's name
	maxOrder    = 128 << 10        // bytes of a request
	maxChildren = 4                // running at a time, per Reader: uploads have places of their own, and research reads meanwhile
)

// childCommand is the argument that makes this program run as a child.
const childCommand = "extract-text"

// request is the request to a child: one line of JSON, followed by the file.
type request struct {
	Name      string        `json:"name"`
	MediaType string        `json:"mediaType"`
	Time      time.Duration `json:"time"` // processor time, in whole seconds
}

// reply is a child's answer.
type reply struct {
	Doc    Doc    `json:"doc"`
	Kind   Kind   `json:"kind,omitempty"` // of the failure; empty if it was read
	Detail string `json:"detail,omitempty"`
}

// IsChild reports whether a program's arguments, without its name, ask for a child.
func IsChild(args []string) bool { return len(args) == 1 && args[0] == childCommand }

// Child is the main function of a process that reads one file. It takes the request
// and the file from in, limits its own memory and processor time, and writes a
// [Doc] or the failure to out as JSON. It returns the exit status; 0 means that an
// answer was written. Nothing else may run in the process.
func Child(in io.Reader, out io.Writer) int {
	buffered := bufio.NewReaderSize(in, maxOrder)
	line, err := buffered.ReadSlice('\n')
	var asked request
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

// childLimits returns the limits of a child with that much processor time.
func childLimits(processor time.Duration) sandbox.Limits {
	return sandbox.Limits{Memory: childMemory, Heap: childMemory / 2, Processor: processor}
}

// answer reads the file for the parent.
func answer(asked request, body []byte) reply {
	doc, err := Text(asked.Name, asked.MediaType, body)
	var e *Error
	if errors.As(err, &e) {
		return reply{Kind: e.Kind, Detail: e.Detail}
	}
	return reply{Doc: doc}
}

// readApart reads a file in a child process, which has no environment, no files and
// limited time. Whatever happens to the child, this process only has to hold the
// bytes of its answer.
func (r *Reader) readApart(ctx context.Context, name, mediaType string, body []byte) (Doc, error) {
	select {
	case r.children <- struct{}{}:
		defer func() { <-r.children }()
	case <-ctx.Done():
		return Doc{}, outOfTime(name, ctx.Err())
	}
	out, err := r.runChild(ctx, request{language.HeadBytes(name, maxName), language.HeadBytes(mediaType, maxName), r.o.ChildTime}, body)
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

// runChild runs one child. It ends at the latest after [Options].ChildTime of
// processor time, or after maxWaits times as long by the clock.
func (r *Reader) runChild(ctx context.Context, asked request, body []byte) ([]byte, error) {
	line, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("ask a child: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, maxWaits*r.o.ChildTime)
	defer cancel()
	out := &limitedBuffer{left: maxReply}
	c := sandbox.Command(ctx, "/", r.o.Child)
	c.Env = []string{"GOMAXPROCS=1", "GOGC=40"}
	c.Stdin, c.Stdout = io.MultiReader(bytes.NewReader(append(line, '\n')), bytes.NewReader(body)), out
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("read a file in a child: %w", err)
	}
	return out.b.Bytes(), nil
}

// limitedBuffer is a buffer that refuses to grow beyond a limit.
type limitedBuffer struct {
	b    bytes.Buffer
	left int
}

// Write appends p, or fails when p exceeds what is left.
func (c *limitedBuffer) Write(p []byte) (int, error) {
	if len(p) > c.left {
		return 0, errors.New("the answer is too long")
	}
	c.left -= len(p)
	return c.b.Write(p)
}
