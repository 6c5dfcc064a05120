package insight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quaestor/internal/language"
	"quaestor/research/warehouse/builtin"
)

// Recommendation is what may be done about insights that survived their check.
type Recommendation struct {
	ID         string      `json:"id"` // {r}-{n}, unique within a run
	Title      string      `json:"title"`
	Text       string      `json:"text"`
	Priority   int         `json:"priority"` // 1 to 5; 1 is first
	Segment    []Condition `json:"segment,omitempty"`
	Size       int64       `json:"segmentSize"` // records of the segment
	Impact     Impact      `json:"expectedImpact"`
	Actions    []string    `json:"actions"`
	Effort     Effort      `json:"effort"`
	Success    []string    `json:"successMetrics"`
	Insights   []string    `json:"relatedInsightIds"` // at least one; the first is the main one
	Confidence float64     `json:"confidence"`
	Earlier    *Earlier    `json:"earlier,omitempty"` // the same as an earlier run recommended it, since when its insight has changed; nil for none
}

// Earlier is a recommendation of an earlier run.
type Earlier struct {
	Run string `json:"runId"`
	ID  string `json:"id"`
	Was string `json:"was"` // the headline of the insight that it rests on, as it was then
}

// Impact is what a recommendation is expected to bring.
type Impact struct {
	Metric      string `json:"metric"`
	Improvement string `json:"estimatedImprovement"`
	Reasoning   string `json:"reasoning"`
}

// Effort is how much work a recommendation is.
type Effort string

// The efforts.
const (
	Small Effort = "small" // hours
	Some  Effort = "medium"
	Large Effort = "large" // weeks
)

// maxRecommendations bounds those of one run.
const maxRecommendations = 12

// Recommend returns what may be done about insights, of which all must have survived their check.
// Insights of one kind about the same segment of a table share a recommendation.
func Recommend(survivors []Insight) []Recommendation {
	survivors = slices.Clone(survivors)
	sortInsights(survivors)
	var out []Recommendation
	at := map[string]int{}
	for _, i := range survivors {
		group := advices[i.Kind].class + "|" + i.Table + "|" + fmt.Sprint(i.Segment)
		if i.Kind == NullSpike || i.Kind == Outlier {
			group = string(i.Kind) + "|" + i.Table
		}
		if n, ok := at[group]; ok {
			out[n].Insights = append(out[n].Insights, i.ID)
			continue
		}
		r, ok := recommend(i)
		if !ok || len(out) == maxRecommendations {
			continue
		}
		at[group] = len(out)
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Recommendation) int { return cmp.Compare(a.Priority, b.Priority) })
	for n := range out {
		out[n].ID = fmt.Sprintf("r-%d", n+1)
	}
	return out
}

// advice is how an effect of a kind is answered. The texts have the placeholders of the insight's
// figures, and {segment} and {measure}.
type advice struct {
	class       string
	title       string
	text        string
	improvement string
	reasoning   string
	actions     []string
	success     string
	effort      Effort
}

var advices = map[Kind]advice{
	Drop: {"change", "Find out what changed around {{from}} for {segment}", "The fall is limited to {segment} and begins on one day, so one cause is likely.",
		"back to {{was}}, from {{now}}, if the fall is not wanted", "This is the level of the days before, with which the period was compared.",
		[]string{"List what changed around {{from}}: prices, stock, campaigns, releases, suppliers, and how records are made.", "Ask those who work with {segment} what they noticed.", "Undo or correct the change for a part of {segment} first, and compare with the rest."},
		"{measure} for {segment}: {{was}} again", Some},
	Rise: {"change", "Find out what raised {measure} for {segment} since {{from}}, and decide whether to support or to stop it", "The rise is limited to {segment} and begins on one day.",
		"from {{was}} to {{now}} so far", "It is what the period has against the days before.",
		[]string{"List what changed around {{from}} for {segment}.", "Decide whether the rise is wanted.", "If it is, do the same elsewhere; if not, limit it and watch the measure each week."},
		"{measure} for {segment}: as wanted", Some},
	Shift: {"change", "Plan for the new share of {segment}", "The whole changed little while its mix did, so that averages over everything mislead.",
		"plans that rest on the share of the period instead of the one before", "The mix changed on one day and has to be planned for.",
		[]string{"Check whether the change since {{from}} was intended.", "Report important measures for {segment} and for the rest apart.", "Move budget, stock or staff to where the records now are."},
		"targets are set for {segment} and for the rest", Some},
	TrendBreak: {"change", "Find out why {measure} turned around {{from}}", "The direction changed, not only the level, so that it may go on.",
		"a return to {{was}}, from {{now}}", "This is the level at the turn.",
		[]string{"List what began or ended around {{from}}.", "See which segments turn with the whole and which do not.", "Set a weekly target and follow it."},
		"{measure}: no further from {{was}}", Large},
	Outlier: {"record", "Check the outlying record, and report without it", "One record decides the sum and the average, whether it is an error or a real case.",
		"an average of {{average_without}} instead of {{average}}", "This is the average without the record.",
		[]string{"Look the record up in the system that it comes from.", "Correct it, or mark it as an exception.", "Use medians or leave the record out in reports; check amounts when they are entered."},
		"reports of {measure} do not change when one record is left out", Small},
	NullSpike: {"quality", "Have {column} recorded again for {segment}", "Values are missing for {segment}; whatever is computed from them is about a part of the records only.",
		"from {{now}} of values missing to {{goal}}", "This is the level of the comparison.",
		[]string{"Find the form, interface or job that fills the column for {segment}.", "Have it checked when records are made.", "Fill the gap from the source if it is still there."},
		"the share of missing values is at {{goal}} again", Small},
	DateRate: {"process", "Look into why fewer or more of {segment} get their date since {{from}}", "The share of records that come to this point of the process changed.",
		"back to {{was}}, from {{now}}", "This is the share of the days before.",
		[]string{"Take some of the affected records and follow what happened to each.", "Compare with those before {{from}}.", "Repair the step of the process at which they stop."},
		"the share is at {{was}} again", Some},
	Retention: {"retention", "Ask those who first came around {{from}} what brings them back or not, and change the first weeks", "Those who came before and after differ in how many come back.",
		"back to {{was}}, from {{now}}", "This is the share of those who came before.",
		[]string{"Compare how those of both times were won and what they met first.", "Write to those who came once and did not come back.", "Try a change of the first weeks with a part of the new ones."},
		"the share of those who come back is at {{was}} again", Large},
	Simpson: {"comparison", "Compare within the groups, not over all", "A comparison over all says the opposite of what holds within every group. Decisions that rest on it would be wrong.",
		"decisions by the difference within the groups, which is {{within}}", "It is pooled over the groups, so that their mix plays no part.",
		[]string{"Replace the total in reports by a comparison within the groups.", "Undo decisions that rested on the total.", "When measures are compared, look at the mix first."},
		"reports compare like with like", Small},
	Difference: {"comparison", "Find out why {measure} is different for {segment}", "The difference between {segment} and all others is more than chance.",
		"{{rest}} instead of {{now}}, as of all others, where that is better", "This is the level of all others.",
		[]string{"See whether the difference is wanted or has a plain reason.", "If it is a strength, find what others can take over; if it is a weakness, begin there."},
		"the difference is explained or smaller", Some},
}

// recommend words a recommendation from the insight it rests on; false for a kind that calls for
// nothing.
func recommend(i Insight) (Recommendation, bool) {
	a, ok := advices[i.Kind]
	if !ok || i.Kind == Difference && i.Severity == Low {
		return Recommendation{}, false
	}
	segment := i.Who()
	_, column, _ := strings.Cut(i.Measure, " without ")
	if _, has := figureOf(i.Figures, "was"); has {
		a.improvement, a.success = strings.ReplaceAll(a.improvement, "{{goal}}", "{{was}}"), strings.ReplaceAll(a.success, "{{goal}}", "{{was}}")
	}
	words := strings.NewReplacer("{segment}", segment, "{measure}", theMeasure(i.Measure), "{column}", column, "{{goal}}", "{{rest}}")
	fill := func(s string) string { return language.UpperFirst(i.Fill(words.Replace(s))) }
	r := Recommendation{Title: fill(a.title), Text: fill(a.text), Priority: i.Severity.rank() + 1, Segment: i.Segment, Size: i.Affected, Effort: a.effort, Insights: []string{i.ID}, Confidence: i.Confidence,
		Impact: Impact{Metric: i.Measure, Improvement: fill(a.improvement), Reasoning: fill(a.reasoning)}, Success: []string{fill(a.success)}}
	for _, x := range a.actions {
		r.Actions = append(r.Actions, fill(x))
	}
	return r, true
}

// theMeasure is a measure within a sentence: the average delay, but orders.
func theMeasure(say string) string {
	for _, first := range []string{"average ", "share ", "total "} {
		if strings.HasPrefix(say, first) {
			return "the " + say
		}
	}
	return say
}

// Who names the records that an insight is about.
func (i *Insight) Who() string {
	if len(i.Segment) == 0 {
		return "all " + recordsOf(builtin.Said(i.Table[strings.LastIndex(i.Table, ".")+1:]))
	}
	var parts []string
	for _, c := range i.Segment {
		if when := c.words(); when != "" {
			parts = append(parts, recordsOf(builtin.Said(i.Table[strings.LastIndex(i.Table, ".")+1:]))+" "+when)
			continue
		}
		parts = append(parts, builtin.Said(c.Column)+" “"+c.Value+"”")
	}
	return strings.Join(parts, " and ")
}

// Survives reports whether an insight may have recommendations.
func (r Review) Survives() bool { return r.Status == Confirmed || r.Status == Adjusted }
