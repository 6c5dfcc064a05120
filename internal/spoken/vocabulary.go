package spoken

import "strings"

// vocabulary is the words with which a language spells and dictates. All are in lower case.
type vocabulary struct {
	letters map[string]string // words of spelling alphabets and names of letters, by letter
	sounds  map[string]string // words that the names of letters are heard as, by letter
	digits  map[string]string
	as      []string // between a letter and its word: "S as in sugar"
	twice   []string // before a letter or digit that comes twice
	large   []string // before a letter that is a capital
	with    []string // before letters that are part of a name just said: "Schmidt with d t"
	at      []string
	marks   map[string]string // marks of addresses, by word
	no      []string          // before a correction
	not     []string          // before what was misheard
	but     []string          // after it
	plus    string
}

// nato is the alphabet of ICAO and NATO, which is used in every language.
var nato = alphabet("a=alfa,alpha b=bravo c=charlie d=delta e=echo f=foxtrot g=golf h=hotel i=india j=juliett,juliet k=kilo l=lima m=mike n=november o=oscar p=papa q=quebec r=romeo s=sierra t=tango u=uniform v=victor w=whiskey,whisky x=xray,x-ray y=yankee z=zulu")

// vocabularies are by language. The German alphabets are DIN 5009 of 1983 and of 2022.
var vocabularies = map[string]vocabulary{
	"en": {
		letters: merged(nato, alphabet("w=double-u,doubleyou z=zee,zed h=aitch")),
		sounds:  alphabet("b=be,bee c=see,sea d=dee,de f=eff g=gee i=eye j=jay k=kay l=el,ell m=em n=en o=oh p=pee,pea q=queue,cue r=are s=ess t=tea,tee u=you v=vee x=ex y=why z=zee,zed"),
		digits:  alphabet("0=zero,oh,o,nought 1=one 2=two 3=three 4=four 5=five 6=six 7=seven 8=eight 9=nine"),
		as:      []string{"as in", "like", "for", "as"},
		twice:   []string{"double", "two", "twice"},
		large:   []string{"capital", "uppercase"},
		with:    []string{"with a", "with an", "with"},
		at:      []string{"at"},
		marks:   alphabet(".=dot,period,point _=underscore -=dash,hyphen,minus +=plus"),
		no:      []string{"no", "nope", "sorry", "actually", "now", "know"}, // the last two are how a "no" is misheard
		not:     []string{"not"},
		but:     []string{"but", "it's", "it is"},
		plus:    "plus",
	},
	"de": {
		letters: merged(nato, alphabet("a=anton,aachen ä=ärger,umlaut-a,umlaut-aachen b=berta,berlin c=cäsar,cottbus d=dora,düsseldorf e=emil,essen f=friedrich,frankfurt g=gustav,goslar h=heinrich,hamburg i=ida,ingelheim j=julius,jena k=kaufmann,köln "+
			"l=ludwig,leipzig m=martha,münchen n=nordpol,nürnberg o=otto,offenbach ö=ökonom,umlaut-o,umlaut-offenbach p=paula,potsdam q=quelle,quickborn r=richard,rostock s=samuel,siegfried,salzwedel sch=schule ß=eszett,sz t=theodor,tübingen u=ulrich,unna ü=übermut,umlaut-u,umlaut-unna v=viktor,völklingen w=wilhelm,wuppertal x=xanthippe,xanten y=ypsilon z=zacharias,zeppelin,zwickau")),
		sounds: alphabet("b=be c=ze,zeh d=de f=eff g=ge,geh h=ha j=jott k=ka l=ell m=emm n=enn p=pe q=ku r=err s=ess t=te,tee v=vau w=we,weh x=ix z=zett"),
		digits: alphabet("0=null 1=eins,ein 2=zwei,zwo 3=drei 4=vier 5=fünf 6=sechs 7=sieben 8=acht 9=neun"),
		as:     []string{"wie"},
		twice:  []string{"doppel", "doppelt", "zweimal", "zwei"},
		large:  []string{"großes", "grosses", "groß"},
		with:   []string{"mit einem", "mit"},
		at:     []string{"ät", "at", "klammeraffe"},
		marks:  alphabet(".=punkt,dot _=unterstrich,underscore -=bindestrich,minus,strich +=plus"),
		no:     []string{"nein", "nee", "sorry", "entschuldigung", "moment"},
		not:    []string{"nicht"},
		but:    []string{"sondern", "es ist", "das ist"},
		plus:   "plus",
	},
}

// alphabet reads "a=anton,aachen b=berta" as words by what they stand for.
func alphabet(table string) map[string]string {
	out := map[string]string{}
	for entry := range strings.FieldsSeq(table) {
		letter, words, _ := strings.Cut(entry, "=")
		for word := range strings.SplitSeq(words, ",") {
			out[word] = letter
		}
	}
	return out
}

func merged(tables ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, table := range tables {
		for word, letter := range table {
			out[word] = letter
		}
	}
	return out
}

// wordsOf returns the vocabulary of a BCP 47 tag, the English one for languages without.
func wordsOf(language string) vocabulary {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	if v, ok := vocabularies[base]; ok {
		return v
	}
	return vocabularies["en"]
}
