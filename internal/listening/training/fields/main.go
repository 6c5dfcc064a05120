// Command fields writes, for each value in the training dialogs, the features of the
// fields it might be of and which it is of, for fields.py to fit the weights on.
//
//	go run ./internal/listening/training/fields -encoder DIR > fields.json
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"hash/crc32"
	"log"
	"os"
	"path/filepath"
	"strings"

	"quaestor/internal/embedding"
	"quaestor/internal/listening"
)

// group is a value with its candidates.
type group struct {
	Held     bool                 `json:"held"`
	Language string               `json:"lang"`
	File     string               `json:"file"`
	Changes  bool                 `json:"changes"` // it corrects
	Own      int                  `json:"own"`     // place of its field among the candidates; -1 for none
	Other    bool                 `json:"other"`   // it is not what was asked for
	X        []listening.Features `json:"x"`
	Text     string               `json:"text"`
}

func main() {
	encoder := flag.String("encoder", "", "folder of the text encoder's weights")
	data := flag.String("data", "internal/listening/dialogs", "folder of dialogs")
	flag.Parse()
	files, err := filepath.Glob(filepath.Join(*data, "*", "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatal(len(files), " files: ", err)
	}
	var lite *embedding.Lite
	if *encoder != "" {
		lite = embedding.NewLite(*encoder)
	}
	l := listening.New(lite)
	w := bufio.NewWriter(os.Stdout)
	out := json.NewEncoder(w)
	for _, name := range files {
		if !strings.Contains(name, "heldout") && crc32.ChecksumIEEE([]byte(filepath.Base(name)))%6 != 0 {
			continue // the asker was trained on it
		}
		body, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		d, err := listening.ParseDialog(string(body))
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		folder := filepath.Base(filepath.Dir(name))
		for i := range d.Talks {
			for _, g := range groups(l, d, &d.Talks[i], strings.HasSuffix(folder, "-de")) {
				g.Held, g.Language = strings.HasPrefix(folder, "heldout"), folder[strings.LastIndex(folder, "-")+1:]
				g.File = filepath.Base(name)
				if err := out.Encode(g); err != nil {
					log.Fatal(err)
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}

// groups goes through a talk as it happens, with the values as the model finds them.
func groups(l *listening.Listener, d *listening.Dialog, t *listening.Talk, german bool) []group {
	ctx := context.Background()
	held := map[string]string{}
	last := ""
	var out []group
	for _, s := range t.Said {
		fields := make([]listening.Field, len(d.Fields))
		for i, f := range d.Fields {
			fields[i] = listening.Field{Key: f.Key, Type: f.Type, Name: f.Label, Question: f.Question, Options: f.Options, Open: held[f.Key] == "", Asked: f.Key == s.Key, Last: f.Key == last, Held: held[f.Key]}
		}
		asked := d.Field(s.Key)
		kind := asked.Type
		if s.ReadBack {
			kind = listening.Confirmation
		}
		h, err := l.Hear(ctx, kind, asked.Asked(), s.Text)
		if err != nil {
			log.Fatal(err)
		}
		for i := range h.Segments {
			seg := &h.Segments[i]
			for k := range seg.Values {
				v := &seg.Values[k]
				c := l.Candidates(ctx, &h, seg, v, fields, german)
				if len(c.Index) == 0 {
					continue
				}
				own := ownField(&s, v)
				g := group{Own: -1, X: c.Features, Other: own != s.Key && own != "", Text: s.Text[v.From:v.To], Changes: seg.Act == listening.Correction || seg.Act == listening.Deny}
				for n, f := range c.Index {
					if fields[f].Key == own {
						g.Own = n
					}
				}
				out = append(out, g)
			}
		}
		for _, seg := range s.Segments {
			for _, v := range seg.Values {
				held[v.Key], last = s.Text[v.From:v.To], v.Key
			}
		}
	}
	return out
}

// ownField returns the field that a found value is of by its marks; empty for none.
func ownField(s *listening.Said, v *listening.Span) string {
	for _, seg := range s.Segments {
		for _, m := range seg.Values {
			if m.From < v.To && v.From < m.To {
				return m.Key
			}
		}
	}
	return ""
}
