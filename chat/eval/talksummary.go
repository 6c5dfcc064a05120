package eval

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"quaestor/internal/listening"
)

// TalkSummary sums up many talks.
type TalkSummary struct {
	Talks, Turns, Faulty int
	Faults               map[TalkFault]int
	Counts               TalkCounts
	Told, Held, Exact    map[listening.Type]int // values that were told, held at the end, and held exactly
	bins                 [10]struct{ n, exact, sum float64 }
}

// Add adds the report of one talk.
func (s *TalkSummary) Add(r *TalkReport) {
	if s.Faults == nil {
		s.Faults, s.Told, s.Held, s.Exact = map[TalkFault]int{}, map[listening.Type]int{}, map[listening.Type]int{}, map[listening.Type]int{}
	}
	s.Talks++
	for _, t := range r.Turns {
		s.Turns++
		if len(t.Faults) > 0 {
			s.Faulty++
		}
		for _, f := range t.Faults {
			s.Faults[f]++
		}
	}
	c, d := &s.Counts, &r.Counts
	c.Remarks, c.RemarksStored = c.Remarks+d.Remarks, c.RemarksStored+d.RemarksStored
	c.Questions, c.Answered = c.Questions+d.Questions, c.Answered+d.Answered
	c.Corrections, c.Honoured = c.Corrections+d.Corrections, c.Honoured+d.Honoured
	c.Facts, c.Kept = c.Facts+d.Facts, c.Kept+d.Kept
	for _, v := range r.Values {
		s.Told[v.Type]++
		if v.Got == nil {
			continue
		}
		s.Held[v.Type]++
		b := &s.bins[min(9, int(v.Confidence.Float()*10))]
		b.n++
		b.sum += v.Confidence.Float()
		if v.Exact {
			s.Exact[v.Type]++
			b.exact++
		}
	}
}

// FaultsPerTurn returns the share of turns with a fault.
func (s *TalkSummary) FaultsPerTurn() float64 { return rate(s.Faulty, s.Turns) }

// StoredRemarks returns the share of messages without a value of what was asked that
// became it.
func (c *TalkCounts) StoredRemarks() float64 { return rate(c.RemarksStored, c.Remarks) }

// AnsweredQuestions returns the share of the person's questions that were answered or
// declined.
func (c *TalkCounts) AnsweredQuestions() float64 { return rate(c.Answered, c.Questions) }

// Calibration returns the expected calibration error over exact values, in ten bins.
func (s *TalkSummary) Calibration() float64 {
	sum, n := 0.0, 0.0
	for _, b := range s.bins {
		sum += math.Abs(b.exact - b.sum)
		n += b.n
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

func rate(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Markdown writes the summary for people to read.
func (s *TalkSummary) Markdown(w io.Writer) error {
	p := page{w: w}
	p.say("**%.1f %% of %d turns with a fault**, %d talks\n", 100*s.FaultsPerTurn(), s.Turns, s.Talks)
	for _, f := range slices.Sorted(maps.Keys(s.Faults)) {
		p.say("- %s: %d", f, s.Faults[f])
	}
	c := s.Counts
	p.say("\nremarks stored as the answer %.1f %% of %d; questions answered %.1f %% of %d; corrections honoured %.1f %% of %d; facts in passing kept %.1f %% of %d; calibration error %.3f\n", 100*rate(c.RemarksStored, c.Remarks), c.Remarks,
		100*rate(c.Answered, c.Questions), c.Questions, 100*rate(c.Honoured, c.Corrections), c.Corrections, 100*rate(c.Kept, c.Facts), c.Facts, s.Calibration())
	p.say("| type | told | held | exact |\n|---|---|---|---|")
	for _, t := range slices.Sorted(maps.Keys(s.Told)) {
		p.say("| %s | %d | %.0f %% | %.0f %% |", t, s.Told[t], 100*rate(s.Held[t], s.Told[t]), 100*rate(s.Exact[t], s.Told[t]))
	}
	return p.err
}

// Markdown writes a talk with its faults for people to read.
func (r *TalkReport) Markdown(w io.Writer) error {
	p := page{w: w}
	p.say("\n## %s\n", r.Person)
	for _, t := range r.Turns {
		p.say("**Person** (%s): %s", t.Asked, cell(t.Said))
		for i, f := range t.Faults {
			p.say("- ✗ %s: %s", f, t.Evidence[i])
		}
		p.say("**Interviewer**: %s\n", cell(t.Reply))
	}
	for _, v := range r.Values {
		p.say("- %s: want %s, got %s, exact %v, %s", v.Key, v.Want, fmt.Sprint(string(v.Got)), v.Exact, v.Confidence)
	}
	return p.err
}
