package rules

import (
	"slices"
	"strings"

	"quaestor/chat"
	"quaestor/obligations"
)

// A sentence strays when it is about something else than the interview. No list of
// patterns names all of those, and a false alarm costs a real answer, so a sentence
// is weighed: words of another world and a private subject count for straying, the
// interview's own words and a business subject against it. Without a verb it is a
// fragment, which only an answer would be: "pizza and beer".
//
//	stray = private subject 2 + talking to us 2 + each word of another world 2, two at most
//	      + an excuse or a cry at the beginning 2 + an aside before it 3 + the weather 3
//	      + small talk of time 1 − business subject 3 − each word of the interview 2
const strayFrom = 3

// otherWorld are words people chat about. One that the interview has used, or the
// person in an answer, is not of another world there.
var otherWorld = stemSet(`weather rain raining rainy sunny sunshine sun snow snowing snowed storm thunder cloudy windy freezing degrees outside umbrella
	football soccer basketball baseball tennis match goalkeeper league olympics championship team-mate movie film netflix episode series song songs music band concert guitar
	piano pizza burger lunch dinner breakfast supper sandwich beer wine coffee tea cake chocolate ice-cream hungry thirsty tired sleepy exhausted hungover hangover
	headache migraine cold flu fever toothache dentist weekend holiday holidays vacation birthday christmas easter party wedding barbecue beach picnic dog dogs cat cats
	puppy kitten hamster parrot goldfish cow cows elephant elephants dinosaur dinosaurs unicorn giraffe penguin penguins whale whales shark sharks volcano planet planets
	moon mars galaxy universe alien aliens ghost zombie zombies horoscope zodiac astrology lottery president election elections politician politicians politics parliament
	celebrity kardashian einstein napoleon shakespeare pyramids eiffel mountain mountains ocean river joke jokes riddle poem poetry homework exam traffic train bus flight
	bored boring sleep slept dream dreamt dreamed nap bed sofa tv television playstation xbox minecraft pokemon haircut hair shoes jeans sweater grandma grandpa
	granny nephew niece uncle aunt cousin girlfriend boyfriend crush date marathon gym yoga jogging recipe capital bananas banana
	milk kettle postman courier door doorbell bell bells oven toaster microwave rose roses tulip tulips bee bees butterfly squirrel spider mosquito fly alarm siren lungs
	fire-alarm vacuum laundry dishes fridge keys wallet glasses`)

// kin are whose doings are private.
var kin = set(`wife husband mum mom mother dad father sister brother son daughter kid kids child baby grandma grandpa granny grandmother grandfather uncle aunt cousin
	nephew niece girlfriend boyfriend fiance neighbour neighbor neighbours neighbors roommate flatmate cat dog cats dogs pet hamster bike back head hair knee
	birthday car phone tooth stomach weekend holiday train bus flight laptop battery wifi internet connection keyboard screen coffee tea lunch`)

// privately are verbs after "I" that tell of oneself.
var privately = set(`ate had saw watched slept dreamt dreamed went played drank listened woke forgot lost broke love like hate miss feel felt bought got`)

// feelings follow "I am".
var feelings = set(`tired hungry thirsty sleepy bored sick ill exhausted hungover sad happy angry cold hot late home single married lonely drunk dizzy freezing off at`)

// businessWords are the subjects of an interview, whatever it is about.
var businessWords = set(`we our us ours business company customer customers client clients user users product products service services market project team sell sells selling
	staff employee employees supplier suppliers revenue sales price prices budget people app website platform software tool idea shop firm office cost costs pay
	organisation organization department manager boss colleague colleagues goal plan plans order orders deadline patients students members guests tenants visitors
	anyone everyone anybody everybody those whoever`)

// timeTalk places small talk.
var timeTalk = phrases("yesterday", "tonight", "last night", "this morning", "this weekend", "last weekend", "today", "right now", "these days", "on sunday", "on saturday", "again", "now", "what a")

// verbs make a sentence of words.
var verbs = set(`is are was were am be been do does did have has had will would can could should must may might ate saw went love loves like likes hate hates got get gets
	won lost made make makes play plays played eat eats drink sleep slept barks barked ran run runs came come comes feel feels think thinks said says want wants need needs
	know knows look looks sing live lives walked walk bit bought told tell keep keeps kept fell rains rained rings rang hurts aches whistles knocked waited waits smells tastes sounds happened hope hopes wish broke watched`)

// stray reports whether words from to (excluded) of a sentence are about something
// else.
func (r *reader) stray(from, to int) bool {
	if to-from > maxStrayWords {
		return false
	}
	if r.u.idle(from, to) || r.u.away(from, to) || r.u.weary(from, to) {
		return true
	}
	finite := r.u.at(from) == "i" && r.u.private(from, to) > 0
	for i := from; i < to; i++ {
		finite = finite || verbs[r.u.at(i)]
	}
	return finite && r.strangeness(from, to) >= strayFrom
}

// maxStrayWords bounds what is weighed; who says more has something to say.
const maxStrayWords = 40

// strangeness weighs words from to (excluded).
func (r *reader) strangeness(from, to int) int {
	score := r.u.private(from, to)
	if score == 0 && r.u.at(from) == "i" { // what people do themselves may be what is asked
		score = -2
	}
	score += r.setting(from)
	own := r.ownWords()
	business, elsewhere := false, 0
	for i := from; i < to; i++ {
		w := r.u.words[i]
		switch {
		case businessWords[w.text]:
			business = true
		case kin[w.text] && r.u.at(i-1) == "my": // private here, whatever the interview is about
			if otherWorld[w.stem] {
				elsewhere = min(elsewhere+2, 4)
			}
		case own[w.stem] && !smallStems[w.stem] && len(w.text) > 3:
			score -= 2
		case own[w.stem]: // "dog", where dogs are spoken of
		case otherWorld[w.stem]:
			elsewhere = min(elsewhere+2, 4)
		}
	}
	score += elsewhere
	if business {
		score -= 3
	}
	if r.u.dated(from, to) {
		score++
	}
	return score
}

// excuses and cries open what interrupts an answer.
var excuses = phrases("sorry", "excuse me", "forgive me", "pardon me", "oops", "ha", "haha", "wow", "hang on", "hold on", "one moment", "one second", "one sec", "just a moment",
	"just a second", "oh dear", "oh no", "omg", "ugh", "yikes", "guess what", "by the way", "btw", "fun fact", "did you know")

// setting weighs what stands before a sentence: an excuse, or an aside the person
// has just made.
func (r *reader) setting(from int) int {
	score := 0
	at := from
	for at > 0 && !breaks(r.u.gap(at), sentenceSigns) {
		at--
	}
	if r.u.starts(at, len(r.u.words), excuses) > 0 {
		score += 2
	}
	for i := range r.parts[:min(len(r.parts), maxParts+1)] { // none after those is marked
		if p := &r.parts[i]; p.marked && p.mark.intent == chat.OffTopic && p.mark.aside == nil && p.to == at {
			score += 3
		}
	}
	return score
}

// away reports whether the person says that they are away for a moment, and nothing
// that could be an answer.
func (u *utterance) away(from, to int) bool {
	return (u.at(from) == "brb" || u.at(from) == "afk") && to-from <= 4
}

// weariness excuses a short or late answer.
var weariness = compile(
	"sorry|apologies for|about the|my? delay|wait|silence|typos",
	"sorry|apologies|ugh|phew|oops for|about? the|my? delay|wait|silence? it? i? is|was|has|have|had? been? had? such|what|quite? a? very|really|so|rather? long|busy|hectic|rough|mad|crazy|bad|hard|tough|tiring day|week|morning|afternoon|evening|night|month|shift|one today|here|again?",
	"what a long|busy|hectic|rough|mad|crazy|bad|hard|tough|tiring day|week|morning|afternoon|evening|night|month|shift")

// weary reports whether words from to (excluded) say no more than that the day is long.
func (u *utterance) weary(from, to int) bool {
	if to-from > maxWearyWords {
		return false
	}
	words := u.texts(from, to)
	if first := u.opening(from); first < from && (u.at(first) == "sorry" || u.at(first) == "apologies") {
		words = append([]string{"sorry"}, words...) // which was heard already, with what for
	}
	return weariness.fits(words)
}

// texts returns words from to (excluded).
func (u *utterance) texts(from, to int) []string {
	out := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, u.at(i))
	}
	return out
}

// farBack is how many words before a word are still of its sentence, where someone
// writes on and on.
const farBack = 80

// opening returns the first word of the sentence that holds word i, or the word that
// stands farBack before it.
func (u *utterance) opening(i int) int {
	for first := max(0, i-farBack); i > first && !breaks(u.gap(i), sentenceSigns); {
		i--
	}
	return i
}

// maxWearyWords bounds an excuse of that kind.
const maxWearyWords = 12

// dated reports whether words from to (excluded) have small talk of time.
func (u *utterance) dated(from, to int) bool {
	for i := from; i < to; i++ {
		if u.starts(i, to, timeTalk) > 0 {
			return true
		}
	}
	return false
}

// private weighs the subject of a sentence.
func (u *utterance) private(from, to int) int {
	from += u.starts(from, to, excuses)
	for from < to && (leadFillers[u.at(from)] || conjunctions[u.at(from)]) {
		from++
	}
	first, second := u.at(from), u.at(from+1)
	switch {
	case (first == "it" && second == "is" || first == "is" && second == "it") && weatherSoon(u, from+2, to):
		return 3
	case first == "my" && (kin[second] || kin[u.at(from+2)]) && u.at(from+3) != "i" && u.at(from+4) != "i":
		return 2
	case first == "i" && second == "am" && feelsSoon(u, from+2, to):
		if u.tooMuch(from+2, to) {
			return 0
		}
		return 3
	case first == "i" && privately[second], first == "i" && privately[u.at(from+2)] && len(second) > 3:
		return 2
	case (first == "are" || first == "do" || first == "did" || first == "can" || first == "have" || first == "would") && second == "you",
		first == "you" && (second == "are" || second == "look" || second == "sound" || second == "should" || second == "suck" || second == "know"):
		return 2
	}
	return 0
}

// tooMuch reports whether words from to (excluded) say what a feeling keeps somebody from:
// "too tired to do the books".
func (u *utterance) tooMuch(from, to int) bool {
	return u.at(from) == "too" && u.at(from+2) == "to" && from+3 < to
}

// feelsSoon reports whether a feeling stands within three words: "I am so very
// tired".
func feelsSoon(u *utterance, from, to int) bool {
	for i := from; i < min(to, from+3); i++ {
		if feelings[u.at(i)] && u.at(i) != "at" && u.at(i) != "off" && u.at(i) != "home" {
			return true
		}
	}
	return false
}

// skies follow "it is".
var skies = set("hot cold warm freezing chilly humid stuffy raining snowing sunny windy cloudy foggy pouring dark boiling")

// weatherSoon reports whether the weather stands within three words: "it is very hot".
func weatherSoon(u *utterance, from, to int) bool {
	for i := from; i < min(to, from+3); i++ {
		if skies[u.at(i)] {
			return true
		}
	}
	return false
}

// ownWords are the stems the interview is about: the wording of what is asked, of its
// neighbours by name, and what the person answered before.
func (r *reader) ownWords() map[string]bool {
	if r.own != nil {
		return r.own
	}
	r.own = map[string]bool{}
	add := func(texts ...string) {
		for _, t := range texts {
			for _, s := range stems(cut(clip(t, maxOwnBytes))) {
				r.own[s] = true
			}
		}
	}
	for i := range r.scene.Obligations {
		o := &r.scene.Obligations[i]
		add(o.Name(), text(o.Value))
		add(o.Cues...)
		if r.asksFor(o) {
			add(o.Prompt, o.Why)
			add(o.Examples...)
			r.addPool(o, add)
			for _, c := range o.Choices {
				add(c.Label)
				add(c.Synonyms...)
			}
		}
	}
	if r.scene.Objective != nil {
		add(r.scene.Objective.DisplayName, r.scene.Objective.Description)
	}
	return r.own
}

// maxOwnBytes bounds what of one text counts.
const maxOwnBytes = 500

func (r *reader) addPool(o *obligations.Obligation, add func(...string)) {
	if r.scene.Objective != nil {
		add(r.scene.Objective.Pools[o.PoolID]...)
	}
}

func (r *reader) asksFor(o *obligations.Obligation) bool {
	return slices.Contains(r.scene.Asked.Keys(), o.Key)
}

// smallStems carry no topic, whatever they are used in.
var smallStems = stemSet(`what when where which with from that this they them then than there have your would could should about like some more most many much make made
	into over just also only very been were will first last next time today want need know tell thing things good best come goes give take does done mean`)

// stemSet makes a set of the stems of the words in list.
func stemSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[stem(w)] = true
	}
	return out
}

// noises are no words at all.
var noises = set(`lol lmao rofl haha hahaha hahahaha hehe hehehe hihi xd omg wtf wow oops ups meh ugh yikes yay woohoo whee yawn zzz hmm hmmm hm mmm huh argh aargh sigh
	test tests foo bar baz lorem ipsum dolor blah bla blabla yada whatever abc abcd xyz aaa bbb xxx yyy hoho brr boo ahoy tralala lalala nanana`)

// fillersAround may stand among noises without making them an answer.
var fillersAround = set("a an the this is just it only one two three 1 2 3 again ok okay please so i am and")

// idle reports whether words from to (excluded) are noise: laughter, a test of the
// keyboard, the same word again and again.
func (u *utterance) idle(from, to int) bool {
	if from >= to {
		return false
	}
	noise, other := 0, 0
	for i := from; i < to; i++ {
		switch w := u.at(i); {
		case noises[w], u.mashed(i), laughing(w), w == "testing" && to-from > 1:
			noise++
		case !fillersAround[w]:
			other++
		}
	}
	return noise > 0 && other == 0
}

// laughing reports whether w is made of one syllable again and again: "hahahaha",
// "aaaaaa", "lololol".
func laughing(w string) bool {
	for size := 1; size <= 3; size++ {
		if len(w) >= max(3*size, 5) && strings.Repeat(w[:size], len(w)/size+1)[:len(w)] == w {
			return !isDigit(w)
		}
	}
	return false
}

// keyRows are runs along a keyboard.
var keyRows = []string{"qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertz", "azerty", "poiuytrewq", "lkjhgfdsa", "mnbvcxz"}

// mashed reports whether word i is keys hit at random: a run along the keyboard, or
// small letters without a vowel.
func (u *utterance) mashed(i int) bool {
	w := u.at(i)
	for _, row := range keyRows {
		for at := 0; at+4 <= len(row); at++ {
			if strings.Contains(w, row[at:at+4]) && !realRuns[w] {
				return true
			}
		}
	}
	return len(w) > 5 && strings.Trim(w, "bcdfghjklmnpqrstvwxz") == "" && u.raw[u.words[i].start:u.words[i].end] == w
}

// realRuns are words and names with a run of keys in them.
var realRuns = set("property properties were tree trees power opportunity weird rewrite rewriting rewrites")
