package eval

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"quaestor/chat"
	"quaestor/internal/listening"
)

// Dialogs reads the dialogs of fsys that match a pattern, in the order of their names.
func Dialogs(fsys fs.FS, pattern string) ([]*listening.Dialog, error) {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, fmt.Errorf("dialogs: %w", err)
	}
	var out []*listening.Dialog
	for _, name := range names {
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("dialog: %w", err)
		}
		d, err := listening.ParseDialog(string(body))
		if err != nil {
			return nil, fmt.Errorf("dialog %s: %w", name, err)
		}
		out = append(out, d)
	}
	return out, nil
}

// RunTalks has the people of the dialogs in fsys that match a pattern talk with rules, and
// sums up. Each talk is written to each, which may be nil.
func RunTalks(ctx context.Context, fsys fs.FS, pattern string, rules chat.Interviewer, each io.Writer) (TalkSummary, error) {
	var sum TalkSummary
	list, err := Dialogs(fsys, pattern)
	if err != nil {
		return sum, err
	}
	for _, d := range list {
		for i := range d.Talks {
			r, err := RunTalk(ctx, d, &d.Talks[i], rules)
			if err != nil {
				return sum, err
			}
			sum.Add(&r)
			if each == nil {
				continue
			}
			if err := r.Markdown(each); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}
