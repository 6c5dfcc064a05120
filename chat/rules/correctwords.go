package rules

// strongOpeners say by themselves that something said before was wrong.
var strongOpeners = phrases("correction", "i meant to say", "i meant to say that", "i meant to write", "i meant", "i wanted to say", "i wanted to say that",
	"what i wanted to say is", "what i wanted to say is that", "what i wanted to say was", "i should have said", "i should have said that", "what i meant was", "what i meant is", "what i mean is",
	"let me correct that", "let me correct myself", "i misspoke", "i mistyped",
	"i was wrong", "i made a mistake", "my mistake", "scratch that", "strike that", "forget that", "ignore that", "make that", "make it",
	"better make it", "let us make it", "that should be", "it should be", "that should have been", "it should have been",
	"this should be", "should be", "should have been", "change that to", "change it to", "change this to", "change my answer to", "change that",
	"change it", "set it to", "set that to", "update that to", "update it to", "correct that to", "correct it to", "switch it to", "switch that to",
	"that is wrong", "that was wrong", "this is wrong", "it is wrong", "that is not right", "that is not correct", "that is incorrect", "that is not it",
	"it is not right", "that is not what i said", "that is not what i meant", "i said that wrong", "typo", "i got that wrong", "you got that wrong",
	"you misunderstood", "you have that wrong", "please change that to", "please change it to", "please correct that to",
	"i misread that", "i misread this", "i misread it", "i misread the question", "i misread your question", "i misunderstood that", "i misunderstood the question",
	"i misunderstood your question", "i misunderstood you", "i mixed that up", "i mixed those up", "i mixed them up", "i mixed it up", "i got that mixed up")

// denials are the strong openers that deny what stands before, value or not.
var denials = phrases("that is wrong", "that was wrong", "this is wrong", "it is wrong", "that is not right", "that is not correct",
	"that is incorrect", "that is not it", "it is not right", "that is not what i said", "that is not what i meant", "scratch that", "strike that",
	"forget that", "ignore that", "i was wrong", "i made a mistake", "my mistake", "you got that wrong", "you misunderstood", "you have that wrong",
	"i got that wrong", "i misread that", "i misread this", "i misread it", "i misread the question", "i misread your question", "i misunderstood that",
	"i misunderstood the question", "i misunderstood your question", "i misunderstood you", "i mixed that up", "i mixed those up", "i mixed them up", "i mixed it up",
	"i got that mixed up")

// turns of speech that may open a correction, and as well an answer.
var (
	noOpeners       = phrases("no", "nope", "nah", "no no")
	actuallyOpeners = phrases("actually", "let us say", "sorry", "wait", "oops", "hang on", "hold on", "rather", "on second thought", "on second thoughts",
		"thinking about it", "come to think of it", "apologies", "my bad", "pardon", "i mean", "in fact")
	idleOpeners = phrases("oh", "hmm", "hm", "um", "uh", "ah", "well", "ok", "okay", "please", "hey", "but", "and", "so", "a second", "a moment",
		"it is", "they are", "that is", "it was", "quite", "really", "not quite", "yes", "yeah")
)

// nearlyOpeners agree with most of what was summed up.
var nearlyOpeners = phrases("nearly", "almost", "not quite", "not entirely", "yes but", "mostly", "good", "fine", "great", "looks good", "all good")

// alsoWords stand between what is wrong and its right value: "is wrong as well, it should be …".
var alsoWords = phrases("as well", "too", "also", "though", "by the way", "btw", "i am afraid", "i think", "sorry", "please")

// changeVerbs open "change the budget to 30k".
var changeVerbs = set("change update set correct adjust switch edit fix amend raise lower reduce increase move alter modify replace revise")

// changeLeads may stand before a change verb.
var changeLeads = phrases("please", "can you", "could you", "can we", "could we", "i want to", "i would like to", "we need to", "i need to", "let us",
	"we want to", "i have to", "you can", "you should", "oh", "wait", "actually", "sorry", "no", "ok", "also", "and", "hey", "well", "hmm", "would you",
	"will you", "may i", "can i", "we should", "yes", "yeah", "yes but", "but", "nearly", "almost", "so", "then", "just", "good", "fine", "not yet")

// goOn opens a second sentence that still belongs to the correction.
var goOn = phrases("it should", "it is", "it was", "that should", "should be", "i meant", "make it", "they are", "please change", "it has", "the right")

// thinkLeads may stand before the name of what is wrong.
var thinkLeads = phrases("i think", "i believe", "i guess", "i am afraid", "it looks like", "it seems")

// wrongWords end "the deadline is wrong".
var wrongWords = phrases("is wrong", "was wrong", "is incorrect", "is not right", "is not correct", "was not right", "is not what i said", "is off",
	"is a mistake", "was a mistake", "is outdated", "is out of date", "are wrong", "are not right", "are incorrect", "needs to change", "has changed",
	"needs correcting", "needs changing", "is no longer right", "is not accurate", "is inaccurate", "is too high", "is too low", "changed",
	"have changed")

// measuredWrong are those that only a figure can be: "our revenue is too low" is no word
// about how it comes in.
var measuredWrong = phrases("is too high", "is too low")

// shouldWords stand between a name and its right value.
var shouldWords = phrases("should be", "should have been", "should read", "should say", "is actually", "are actually", "is really", "is now",
	"are now", "changed to", "has changed to", "have changed to", "was actually", "needs to be", "must be", "is in fact", "went up to", "went down to",
	"has gone up to", "moved to", "has moved to", "has become", "became", "is instead")

// saidOpeners open "I said 20 but it is 12".
var saidOpeners = phrases("i said", "i told you", "i wrote", "i answered", "i put", "i mentioned", "i typed", "you wrote", "you noted", "you put",
	"you have", "you said", "you got", "we said", "earlier i said", "before i said", "i previously said", "i gave you", "i had said")

// turnWords lead from the wrong value to the right one.
var turnWords = phrases("but it is actually", "but actually it is", "but it is", "but i meant", "but it should be", "but it should have been",
	"but that should be", "but the right", "but they are", "but we are", "but it was", "but", "i meant", "it is actually", "it should be",
	"it should have been", "actually it is", "actually", "when it is", "instead of", "however it is", "it is really")

// wrongTurns lead from a figure, a date or a choice that was wrong to the right one.
var wrongTurns = phrases("that was wrong", "that is wrong", "which was wrong", "which is wrong", "that was a mistake", "which was a mistake", "that should be", "that should have been",
	"i should have said", "make that", "make it", "my mistake", "sorry it is", "that was not right", "that is not right",
	"that is outdated", "and that is outdated", "which is outdated", "that is out of date", "which is out of date", "that is no longer right", "that is not right any more")
