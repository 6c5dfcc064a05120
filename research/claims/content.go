package claims

// stopwords carry no subject of their own.
var stopwords = set(`a an the this that these those it its they them their theirs there here he she his her him we us our ours you your yours i me my mine who whom whose which what
	when where why how and or but nor so if then than as of at by for from in into on onto to with within without about above across after again against all also among any are be been being
	am is was were before below between both can could did do does doing done down during each either else ever every few further had has have having just like may might more most much must
	not no never none neither now off often once one only other others our out over own per please rather same shall should since some such too under until till up upon very via was will would yet
	while whereas though although however therefore thus because due according etc eg ie e.g i.e s t re ve ll d m yes ok still even well new said says say lot many let's it's that's there's
	i'm i've i'd we're we've you're they're don't doesn't didn't isn't aren't wasn't weren't can't won't cannot`)

// content reports whether t is a word that carries meaning.
func (t *token) content() bool {
	return t.class == word && !stopwords[t.text] && (len(t.text) > 1 || t.text > "~")
}

// stems returns the stems of the content words of s, each once, in order.
func stems(s string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range cut(s) {
		if t.content() && !seen[t.stem] {
			seen[t.stem] = true
			out = append(out, t.stem)
		}
	}
	return out
}
