package reader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

const (
	childMemory = 512 << 20 // bytes a child may take beyond what it starts with
	childTime   = 10 * time.Second
	maxReply    = 2 << 20 // bytes of a child's answer
	maxChildren = 2       // at a time, for one Reader
)

// reply is what a child answers.
type reply struct {
	Doc    Doc    `json:"doc"`
	Kind   Kind   `json:"kind,omitempty"` // of the failure; empty for none
	Detail string `json:"detail,omitempty"`
}

// Child is the whole of a process that reads one PDF: it takes the file from in,
// gives its own process limits of memory and processor time, and writes a [Doc] or
// the failure to out as JSON. It returns the status to exit with; 0 means that an
// answer was written. Nothing else may run in the process.
func Child(in io.Reader, out io.Writer) int {
	if err := limitProcess(childMemory, childTime); err != nil {
		return 1
	}
	body, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return 1
	}
	if json.NewEncoder(out).Encode(answer(body)) != nil {
		return 1
	}
	return 0
}

// answer reads a file for the parent.
func answer(body []byte) reply {
	doc, err := Text("", string(formPDF), body)
	var e *Error
	if errors.As(err, &e) {
		return reply{Kind: e.Kind, Detail: e.Detail}
	}
	return reply{Doc: doc}
}

// readApart reads a PDF in a child process, which has no environment, no files
// and a limited time. Whatever becomes of it, this process has the answer's bytes
// to hold and no more.
func (r *Reader) readApart(ctx context.Context, name string, body []byte) (Doc, error) {
	select {
	case r.children <- struct{}{}:
		defer func() { <-r.children }()
	case <-ctx.Done():
		return Doc{}, outOfTime(name, ctx.Err())
	}
	out, err := r.runChild(ctx, body)
	if ctx.Err() != nil {
		return Doc{}, outOfTime(name, ctx.Err())
	}
	var got reply
	if err == nil {
		err = json.Unmarshal(out, &got)
	}
	if err != nil {
		return Doc{}, unreadable(name, short(name)+" is a PDF that takes too much time or memory to read").because(err)
	}
	if got.Kind != "" {
		return Doc{}, &Error{Kind: got.Kind, URL: name, Detail: got.Detail}
	}
	return finish(name, got.Doc)
}

// runChild runs one child to its end, which comes after childTime at the latest.
func (r *Reader) runChild(ctx context.Context, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, r.o.ChildTime)
	defer cancel()
	out := &capped{left: maxReply}
	c := exec.CommandContext(ctx, r.o.Child[0], r.o.Child[1:]...)
	c.Env = []string{"GOMAXPROCS=1"}
	c.Dir = "/"
	c.Stdin, c.Stdout = bytes.NewReader(body), out
	c.WaitDelay = time.Second
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("read a PDF in a child: %w", err)
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
