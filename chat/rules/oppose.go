package rules

// beings say what something is not: "it is", "we are".
var beings = phrases("it is", "it was", "that is", "that was", "we are", "we were", "they are", "there are", "there were", "i am", "it has", "we have", "it should be", "that should be")

// notBut reads "it is not 12, it is 14" and "we are not 12 but 14". It counts where what
// is set aside is a figure, a date or a choice that is held.
func (r *reader) notBut(from, to int) (change, bool) {
	u := r.u
	from = r.skip(from, to, idleOpeners, actuallyOpeners, noOpeners)
	if n := u.starts(from, to, beings); n > 0 {
		from += n
	}
	if u.at(from) != "not" {
		return change{}, false
	}
	for i := from + 2; i < to; i++ {
		if u.at(i) != "but" && !breaks(u.gap(i), commaSigns) && !breaks(u.gap(i), sentenceSigns) {
			continue
		}
		right := r.skip(i, to, idleOpeners, actuallyOpeners, strongOpeners, beings)
		ch := change{from: right, to: to, old: clause{from: from + 1, to: i}, opposes: true}
		o := r.contradicted(ch)
		return ch, right < to && o != nil && o.Closed()
	}
	return change{}, false
}

// soMakes lead from a reason to the right value: "I forgot the part-timers, so make that 14".
var soMakes = phrases("so make that", "so make it", "so that makes", "so that is now", "so it is now", "so we are now", "so it should be", "so that should be", "then make it", "then make that",
	"better make that", "better make it", "so change that to", "so change it to")

// soMake reads "I forgot two, so make that 14 staff".
func (r *reader) soMake(from, to int) (change, bool) {
	for i := from + 1; i < to; i++ {
		if n := r.u.starts(i, to, soMakes); n > 0 && i+n < to {
			ch := change{from: i + n, lead: i + n, to: to, strong: true}
			return ch, r.figureAlone(ch)
		}
	}
	return change{}, false
}

// figureAlone reports whether the right words of ch open with a figure that stands alone
// or with what is counted by a value held: "so make it 3 steps" is part of an answer.
func (r *reader) figureAlone(ch change) bool {
	q, ok := r.u.quantityAt(ch.from, ch.to)
	if !ok {
		return false
	}
	_, cued := r.mentioned(ch.from, min(q.to+reachAfter+1, ch.to), isHeld)
	return cued || q.unit == "" && q.noun == "" || r.byUnit(change{from: ch.from, to: min(q.to+1, ch.to)}) != nil
}
