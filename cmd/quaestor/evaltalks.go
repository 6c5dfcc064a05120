package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"quaestor/chat/eval"
	"quaestor/internal/fault"
	"quaestor/internal/listening/dialogs"
)

// evalTalks has labelled people talk with the rules in memory.
type evalTalks struct {
	Language string `help:"en or de; both when absent." enum:"en,de," default:""`
	Dialogs  string `help:"Folder of dialogs of your own, instead of the included ones." placeholder:"DIR" type:"path"`
	Show     string `help:"File for the talks, turn by turn with their faults." placeholder:"FILE" type:"path"`
}

// Run prints the measures of the talks, language by language.
func (c evalTalks) Run(ctx context.Context, s *Settings, streams *streams) error {
	rules, err := newRules(s)
	if err != nil {
		return err
	}
	var each io.Writer
	if c.Show != "" {
		f, err := os.Create(c.Show)
		if err != nil {
			return fault.New(fault.Invalid, "the file for the talks cannot be written").At("show").Because(err)
		}
		defer f.Close() //nolint:errcheck // what could not be written is told by writing
		each = f
	}
	for _, set := range c.sets() {
		sum, err := eval.RunTalks(ctx, set.fsys, set.pattern, rules, each)
		if err != nil {
			return err
		}
		if sum.Talks == 0 {
			return fault.New(fault.Invalid, "there are no dialogs (*.txt) in that folder").At("dialogs")
		}
		if _, err := fmt.Fprintf(streams.out, "# %s\n\n", set.name); err != nil {
			return err
		}
		if err := sum.Markdown(streams.out); err != nil {
			return err
		}
	}
	return nil
}

// talkSet is dialogs that are measured together.
type talkSet struct {
	name, pattern string
	fsys          fs.FS
}

func (c evalTalks) sets() []talkSet {
	if c.Dialogs != "" {
		return []talkSet{{c.Dialogs, "*.txt", os.DirFS(c.Dialogs)}}
	}
	var out []talkSet
	for _, l := range []string{"en", "de"} {
		if c.Language == "" || c.Language == l {
			out = append(out, talkSet{l, "heldout-" + l + "/*.txt", dialogs.HeldOut})
		}
	}
	return out
}
