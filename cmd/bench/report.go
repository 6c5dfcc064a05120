package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

// table is rows under headings. The first columns are flush left, the others
// right.
type table struct {
	left int // columns flush left
	head []string
	rows [][]string
}

// add adds a row, a cell for each heading.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String lays the table out in columns as wide as their widest cell.
func (t *table) String() string {
	width := make([]int, len(t.head))
	all := append([][]string{t.head}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if i < t.left {
				line.WriteString(cell + space)
				continue
			}
			line.WriteString(space + cell)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// tell prints a table under a title, with notes below it.
func (b *bench) tell(title string, t *table, notes ...string) {
	fmt.Fprintf(b.out, "\n== %s\n%s", title, t)
	for _, note := range notes {
		fmt.Fprintln(b.out, "   "+note)
	}
}

// preface prints what is measured and on which machine.
func (b *bench) preface() {
	load, _ := os.ReadFile("/proc/loadavg") // absent elsewhere; the line is then shorter
	fmt.Fprintf(b.out, "Quaestor bench: %d CPUs, %s, PostgreSQL %s with fsync on, load %s\n",
		runtime.NumCPU(), runtime.Version(), b.cluster.Version(), strings.TrimSpace(string(load)))
	fmt.Fprintf(b.out, "model: %s to the first token, one each %s; %d tokens a reply, %d in its reading of a message\n", b.pace.first, b.pace.every, replyTokens, len(understanding(1))/bytesAToken)
}

// tellTurns prints the loads of all servers in one table.
func (b *bench) tellTurns() {
	t := table{left: 1, head: []string{"server", "talkers", "turns/s", "n", "first words", "turn", "added to first", "added to turn", "prompt", "CPU s/1000: server", "postgres", "RSS MB", "others", "bad"}}
	notes := []string{"times in ms as p50 / p99; added: without the model's own time; prompt: first words within " + promptness.String() + " of the model's first token;",
		"others: cores used by processes outside of the run, above 0.2 the times are doubtful."}
	for _, l := range b.loads {
		t.add(l.target.kind, fmt.Sprint(l.talkers), figure(l.perSecond()), fmt.Sprint(l.whole.len()), l.first.String(), l.whole.String(), l.addedToFirst.String(), l.added.String(),
			fmt.Sprintf("%d %%", 100*l.prompt/max(l.whole.len(), 1)), figure(l.perThousand(l.cost.server)), figure(l.perThousand(l.cost.postgres)),
			fmt.Sprintf("%d → %d", l.target.idle>>20, l.peak>>20), fmt.Sprintf("%.2f", l.cost.others().Seconds()/l.window.Seconds()), l.bad())
		if l.why != "" {
			notes = append(notes, fmt.Sprintf("%s, %d talkers: %d turns failed, the first with %q", l.target.kind, l.talkers, l.failed, l.why))
		}
	}
	b.tell("Turns", &t, notes...)
}

// bad counts turns that failed and turns the rules had to answer for the model.
func (l *load) bad() string {
	if l.failed+l.degraded == 0 {
		return "0"
	}
	return fmt.Sprintf("%d failed, %d degraded", l.failed, l.degraded)
}
