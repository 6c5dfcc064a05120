package rules

// The ways to say each intent, in the language of [pattern]. Contractions are
// written out, as [listen] gives them.

var agreeLines = []string{
	"k|kk|okey",
	"yes|yeah|yep|yup|ya|yea|aye|sure|correct|right|exactly|absolutely|definitely|indeed|agreed|true|affirmative|ok|okay|perfect|precisely|confirmed|confirm|certainly",
	"yes|yeah|yep|yup|sure|ok|okay|right|correct please|indeed|exactly|absolutely|sure|correct|right|yes|thanks|perfect|definitely|of_course",
	"yes|yeah|yep|yup|sure|ok|okay|correct|right|no? i_think|i_guess|i_suppose|i_believe|probably? that|it|this|those|they is|looks|sounds|seems|are|will_be|would_be all|quite|about|just|exactly|still? right|correct|fine|good|true|great|ok|okay|perfect|it|accurate|spot_on",
	"that|it|this|those|they is|looks|sounds|seems|are all|quite|about|just|exactly|still? right|correct|fine|true|ok|okay|perfect|accurate|spot_on|what_i_said|what_i_meant",
	"i think|guess|believe|suppose so|yes", "probably yes?", "yes probably|i_think|i_guess",
	"you got|have it|that right?", "you are right|correct", "got it", "spot on", "of course", "go ahead", "go on", "sounds|looks good|right|correct|fine|great",
	"all good|correct|right|fine", "works for me", "i agree", "please do", "do it", "not wrong",
	"yes it|that|we|they|i|you is|are|do|does|have|has|am|can|will|did",
	"it is|does", "we|i|they do|are|have|can", "go for it", "fine by|with me", "yes keep it|that", "keep it|that", "yes close|finish|end it? here?",
	"yes you can|may", "yes go ahead|on", "yes|yeah|ok|okay|sure? please? put|write|note|take that|it|this down please?", "yes|yeah|ok|okay|sure? please? put|write|note down that|it|this",
}

var disagreeLines = []string{
	"no|nope|nah|nay|wrong|incorrect|false|negative",
	"no no|nope|never|not_really|not_yet|not_quite|sorry|it_is_not|that_is_not_it|i_do_not|we_do_not|it_does_not|wrong",
	"no? that|it|this|those|they is|are|was|were not quite|really|actually|at_all|entirely? right|correct|true|it|accurate|what_i_said|what_i_meant|what_i_mean",
	"no? that|it|this|those|they is|are|was|looks|seems|sounds all|completely|totally|just? wrong|incorrect|false|off|not_right|inaccurate",
	"not right|correct|really|quite|exactly|true|accurate|at_all|yet", "i do not agree|think_so", "i disagree", "no thank|thanks you?", "no it|that is not",
	"nearly|almost right|correct?", "not completely|entirely|fully|all", "you got|have it|that|me wrong", "you misunderstood|misheard me?", "i did not say that|so", "i never said that|so",
	"that|it does not look|sound|seem right|correct", "neither", "no not yet|really|quite",
}

var scratchLines = []string{
	"no|wait|actually? scratch|forget|ignore|delete|undo|disregard|strike|remove|cancel that|it|my_last_answer|my_answer|the_last_one|the_last_answer|what_i_said|that_one|last_answer|that_last_one",
	"forget what|everything i said", "undo", "i take that|it back", "i made a mistake|an_error",
	"no|sorry? i did not mean|intend that|this|it as|to_be|for an|my|the answer|reply", "no|sorry? that|this|it was not? not|never|meant|supposed? as|to_be|for? an|my|the answer|reply",
	"no|sorry? do not put|write|note|take|store|save|count that|this|it down|in|as_an_answer|as_my_answer?",
	"my|the last|previous|earlier answer is|was wrong|incorrect|not_right|a_mistake", "that was a mistake|wrong|not_right|an_error",
}

var declineLines = []string{
	"skip|skipping|next|pass|decline|declined|confidential", "skip|pass|ignore on? it|this|that|this_one|that_one|this_question|the_question|for_now",
	"next question|one|please|topic|thing", "moving on", "another|different question", "move on|along to_the_next_one|to_the_next_question?", "let us move on|along …",
	"let us skip|pass …", "let us go on|next",
	"can|could|may we|i|you please|just? skip|pass|move_on|go_on|go_next|jump it|this|that|on|this_one|that_one|to_the_next|this_question?", "no comment",
	"skip to the next …", "go to the next …",
	"i|we will|would|shall|am_going_to|want_to|would_like_to|like_to skip|pass|decline it|this|that|this_one|that_one|on_that|on_this|on_this_one|on_that_one|this_question?",
	"i|we would|will|do|can|may? much? prefer|rather|choose|like|want not to? say|answer|tell|share|disclose|comment|discuss|give|reveal|talk|go_into …",
	"prefer|rather not", "i|we would|will? prefer|rather not to?", "prefer|rather not to? say|answer|tell|share|disclose|comment|discuss|give|reveal …",
	"i|we do|would|will|can|may|am|are not want|wish|like|care|going|allowed|willing|able|comfortable|at_liberty to? say|answer|tell|share|sharing|answering|saying|disclose|comment|discuss|discussing|give|reveal|talk|go_into …",
	"i|we can|will|would|may|could not share|disclose|discuss|answer|reveal|comment|give …", "i|we will not say|tell …",
	"can|will not share|disclose|discuss|reveal …", "not saying|telling|answering …",
	"that|it|this is confidential|private|secret|sensitive|a_secret|a_trade_secret|personal|too_personal|none_of_your_business|not_something_i_share|under_nda|proprietary|classified",
	"none of your business", "mind your own business",
	"too personal|private|sensitive", "refuse to answer|say", "i|we refuse …",
	"i do not feel like answering …", "not comfortable +",
}

var pointlessLines = []string{
	"not applicable|relevant to|for|in? us|me|our_case|this_case|my_case|my_business|our_business|here?", "n a", "na", "nvt",
	"inapplicable|irrelevant to|for? us|me?",
	"it|that|this|this_one|that_one|this_question|that_question does|do|will|would not really|actually? apply|matter|concern|fit|make_sense to|for|in? us|me|our_case|this_case|my_business|our_business|here?",
	"does|do not really? apply|concern to|for? us|me|our_case|here?",
	"it|that|this|this_one|this_question is|was not really? applicable|relevant|for_us|for_me|a_thing_for_us to|for|in? us|me|our_case|my_case|here?",
	"it|that|this|this_question is irrelevant|inapplicable to|for? us|me|here?", "doesn t apply", "not for us|me|our_business",
	"there is no such thing here|for_us?", "that is not a thing for|with|here us|me?",
}

var laterLines = []string{
	"i|we will|can|could|shall|would|have_to|need_to|would_have_to|will_have_to|would_need_to|will_need_to please|just|rather? send|email|forward|mail|get|dig_out|pull|look_up|find|provide|give|share|upload you|it|them? the|my|our|more|some|those|these|all_the? exact|other|missing|right? details|detail|numbers|number|figures|figure|information|info|data|answer|answers|list|document|documents|file|files|rest|it|them|this|that later|tomorrow|soon|next_week|afterwards|tonight|on_monday|by_email|by_mail|another_time|when_i_am_back|when_i_am_home|when_i_am_in_the_office to|for|about? you|it|them|this|that?",
	"ask me? something else", "ask me? another one|question?",
	"later", "later maybe|please", "maybe|perhaps later",
	"i_will|we_will|i|we|let_me|let_us|i_would|can_we|can_i|could_we|shall_we|may_we|we_can|i_can come|get|go|circle back to? it|this|that|you|this_one|that_one|this_question? with_that|on_that|on_it|on_this|about_that|about_it? later|afterwards|after|tomorrow|another_time|at_the_end|next_time|next_week?",
	"come|get|go|circle back to? it|this|that|this_one|that_one|this_question? later|afterwards|after|tomorrow|at_the_end|at_the_end?",
	"ask me|us? later|again|again_later|tomorrow|another_time|next_time|at_the_end|next_week|next_month",
	"ask me|us? that|this|it|again? later|tomorrow|another_time|next_time|at_the_end|again",
	"not now|right_now|today|at_the_moment|at_this_moment",
	"no? leave|save|keep|park|postpone|defer|put it|that|this|this_one|that_one for|until|till|off|aside|to? later|now|tomorrow|the_end?",
	"defer|postpone|park",
	"can|could|may|shall|let us|we|i? please? do|answer|discuss|postpone|defer|park|leave|save|revisit it|this|that|this_one? for? later|now|afterwards|tomorrow|until_later?",
	"let us do|answer|discuss|revisit|leave|park|postpone|defer|save it|this|that|this_one for? later|now|tomorrow|the_end?",
	"remind me|us later|tomorrow|again|about_it_later|of_it_later", "some|another other? time",
	"i|we will|would|shall|can|could tell|answer|let|give|send|fill|provide you|it|that|this it|that|know|in|this? later|tomorrow|afterwards|when_i_know|next_time|soon",
	"answer later", "the? rest|others|other_ones|remaining_ones|other_fields|other_two|remaining can_come|will_come|comes|come|we_can_do|i_will_do|i_will_tell_you|i_will_fill_in? later|another_time|tomorrow|next_time|afterwards please?",
	"i|we will|would|shall? have|need|want|prefer|like to come|get|go|circle back to? it|this|that|you|this_one|that_one|this_question? with_that|on_that|on_it|on_this|about_that|about_it? later|afterwards|after|tomorrow|another_time|at_the_end|next_time|next_week?",
	"i|we will|would|have|need|must|would_have|would_need|want|will_have|will_need to? check|find_out|look_it_up|think|ask|look_that_up|look_this_up that|this|it|with|my|our|the|about|on …",
	"i|we will|would|have|need|must|would_have|would_need|want|will_have|will_need to? check|find_out|look_it_up|think|look_that_up|ask_around",
	"let me check|think|find_out|look_it_up|ask|look that|this|it|with|my|our|the|about|on …", "let me check|find_out|look_it_up first?",
	"need to check|think|find_out|ask …",
}

var dontKnowLines = []string{
	"i|we|you? really|honestly|just|simply? do not really|honestly|actually|even|quite? know|remember|recall that|it|this|yet|exactly|for_sure|either|off_the_top_of_my_head|the_answer|the_answer_to_that|any|sorry|about_that|at_all|right_now|at_the_moment|precisely? yet|exactly|either|for_sure|at_the_moment?",
	"i|we? have? no idea|clue at_all|yet|about_that|what_that_is|really|honestly|about_it|there?",
	"i|we do not have a clue|an_idea|any_idea|a_number|the_answer|an_answer|that_information|the_numbers yet|for_that|right_now?", "not a clue",
	"no clue|idea",
	"i|we am|are? not? really|quite|entirely|completely|too|so|at_all? sure|certain about_that|about_this|about_it|yet|exactly|of_that|either|there|really|at_the_moment?",
	"unsure about_that|yet?", "i am unsure …",
	"i|we? can|could not say|tell|remember|recall for_sure|exactly|yet|right_now|at_the_moment?",
	"hard|difficult|impossible|tough to say|tell|know|answer yet|exactly|right_now?",
	"that|it is hard|difficult|impossible|tough to say|tell|know|answer|estimate", "who knows", "beats me", "search me",
	"i|we really|honestly|truly|simply|just|genuinely can|could|would|do not say|tell|know|remember|recall for_sure|exactly|yet|right_now|at_the_moment?", "i wish i knew", "i|we? have not thought about|of it|that|this yet|at_all|much?",
	"i|we? have not decided|figured|worked yet|on_that|that|it|out? yet|out|that_out|it_out?", "not decided yet?", "undecided yet?", "tbd|tbc|unknown",
	"to be decided|determined|confirmed|defined", "no opinion", "i|we have no opinion|answer|preference_yet …",
	"your guess is as good as mine", "i am not the right|best person …", "we|i will see", "no one|nobody knows",
	"i|we do not? have|has? never thought about it|that", "don t know", "i could not say|tell …", "not known yet?", "i would not know", "maybe|perhaps|possibly not?", "do not know",
	"not that i know", "not sure|certain yet|really|exactly|about_that|about_this|about_it|at_all?", "good question i|we do not know",
	"it is not clear|decided|known yet?", "that is not clear|decided|known yet?",
	"no lo? sé|se", "ni idea", "je ne? sais pas …", "aucune idée|idee", "keine ahnung|idee", "das? weiß|weiss ich nicht", "ich weiß|weiss es|das? nicht", "não|nao sei|faço_ideia", "non lo? so", "geen idee", "ik weet het? niet", "nie wiem", "weiß|weiss nicht",
}

var whyLines = []string{
	"why", "but why", "why though|so|not",
	"why do|are|would|did|should you|we|i need|ask|want|asking|care|require|needing|wanting|tell|answer|give|share …",
	"why is|does|would that|this|it important|relevant|matter|needed|necessary|required|of_interest|interesting|helpful …", "why that|this question?",
	"why do you +", "why are you +",
	"what is|are|will|would that|this|it|you for|going_to_do_with_it|going_to_do_with_that|use_it_for|do_with_it|do_with_that",
	"what will|would|do you do|need|want|use that|this|it|with for|with? it|that|this?", "what is the point|purpose|reason|use …", "what for", "for what",
	"what does that|this|it have to do with +",
	"what has that|this|it got to do with +", "how is|will|does|would that|this|it relevant|help|matter|useful …",
	"is that|this|it really|actually? necessary|relevant|needed|important|required …", "do i|we really|actually? have|need to answer|tell|say …",
	"how come", "what do you need it|that|this|to_know_that|to_know_this for?", "what is this|that about", "why would you +", "why do you ask",
	"what is it to you", "may|can i ask why …", "tell me why …", "can you tell me why …",
}

var exampleLines = []string{
	"like what|which", "such as", "for example|instance", "e g", "example|examples|suggestions",
	"can|could|would|will you please|maybe|perhaps? give|show|offer|provide|suggest|have|list me|us? an|some|a_few|any|one|a_couple_of|more? example|examples|sample|samples|options|suggestions|idea|ideas …",
	"give|show|tell me|us? an|some|a_few|any|one|more? example|examples|sample|samples|options|suggestions|ideas …",
	"do you have an|any|some example|examples|suggestions|ideas …", "any example|examples|suggestions|ideas|hints",
	"an example please|would_help|would_be_nice|perhaps?", "some examples please|would_help?",
	"i|we would need|like|want|could_use an|some|a_few example|examples …", "i|we need|want|could_use an|some|a_few example|examples …",
	"what are|were my|the|some? options|choices|possibilities|examples|answers|possible_answers …",
	"what can|could|should|would i|we|one|you say|answer|choose|pick|put|write …",
	"what do others|other_people|most_people|people usually|typically? say|answer …", "what would be an|a example|good_example|good_answer …",
	"which options|choices|ones|answers …", "what options|choices …", "for example like? what",
	"can i|you see|have|get|hear an|some example|examples|options",
}

var helpLines = []string{
	"what do|did|does|would you mean …", "what does that|this|it|they|the_question mean …", "what does + mean",
	"what is that|this|it supposed_to? mean …", "what is meant by + ", "what do you mean by +", "how do|did you mean that|this|it?", "how so",
	"in what|which sense|way",
	"can|could|would|will you please|maybe|perhaps? explain|clarify|elaborate|rephrase|reword|simplify|help|be_more_specific|be_clearer|put_that_differently|put_it_differently|ask_differently|expand …",
	"explain|clarify|rephrase|elaborate|reword please|that|this|it|the_question|again|what_you_mean …", "explain|clarify|rephrase|elaborate",
	"i|we do|did|can not really|quite|fully? understand|get|follow|see|grasp that|this|it|the_question|you|what_you_mean|what_you_are_asking|what_that_means|what_you_want|what_this_means …",
	"i|we do|did not really|quite? understand|follow|get_it|get_that", "do not understand|get_it …",
	"i am a_bit|a_little? confused|lost|not_following|not_with_you …", "help", "help me|us please|out|with_this|with_that|here|understand …",
	"i need help …", "what sort|kind|type of +", "meaning", "meaning what", "huh", "what", "sorry what", "eh", "confusing", "unclear",
	"that|it|this is unclear|confusing|not_clear …", "i_am? not sure what you|that|this mean|means|is_asking|are_asking|want|are_after …",
	"i do not know what you|that|this mean|means|is_asking|are_asking|want|are_after|is …", "not sure i understand|follow|get_it|what_to_say …",
	"i do not know what to say|answer|put|write …", "how should|do|can i|we answer|respond …", "what is the difference between + ",
	"what exactly do you mean|want|need …", "be more specific", "could you be more specific", "what counts as +", "what do you understand by +",
	"what is a|an +",
	"no|não|nao|non entiendo|comprendo|lo_entiendo|entendi|entendo|percebo|percebi|capisco|ho_capito", "je ne? comprends|comprend pas …", "das? verstehe|versteh|verstehe_das|versteh_das|kapiere ich? das|die_frage? nicht",
	"ich verstehe|versteh|kapiere die_frage|das|sie|dich? nicht", "ik begrijp het|dat|de_vraag|u|je niet", "nie rozumiem", "was meinst|meinen du|sie damit?", "wie bitte|meinst_du_das", "qué quieres|quiere decir",
}

var repeatLines = []string{
	"so|ok|okay|now|right? where|what were|was we|i|you|it|that again|at|saying|asking|talking_about|going_to_ask|on?",
	"repeat that|it|the_question|this|please …", "repeat", "say|ask that|it|this again|once_more|one_more_time|another_time", "come again",
	"pardon|pardon_me", "i beg your pardon",
	"can|could|would|will you please? repeat|say|ask that|it|this|the_question|again|yourself? again|once_more|please|one_more_time? …",
	"once more|again please?", "again", "one more time", "what was the question|that|it again?", "what did you just? say|ask|want_to_know again?",
	"i|we did not quite? hear|catch|get that|you|it|the_question|the_last_bit", "again please", "what is|was the question again?",
	"sorry i missed that|it|the_question", "i missed that|it|the_question", "what was that again?", "which question",
	"i forgot the question|what_you_asked", "what were you asking|saying …",
}

var researchLines = []string{
	"can|could|would|will you|u|someone|somebody|we please|maybe|perhaps|just|also? research|investigate|google|look_into|look_up|search_for|search|find_out|do_some_research|do_research|check_online|search_online … …",
	"can|could|would|will you|u|someone|we please|maybe|perhaps|just|also? look|check|find|dig that|this|it|them|those|these up|out|for_me|for_us|online|into|on_the_web|in_our_data|in_our_warehouse …",
	"can|could|would|will you|u|someone|we please|maybe|perhaps|just|also? check|find|look + for me|us",
	"can|could|would|will you|u|someone|we please|maybe|perhaps|just|also? find|check what|how|who|which|whether|if|where + … …",
	"can|could|would|will you|u|someone|we please|maybe|perhaps|just|also? look + up …",
	"please? just? look that|this|it|them|those up …",
	"please? look|research|google|investigate|check|search|find it|that|this|them for_me|up_for_me|online|up|out|please|for_us|on_the_web|in_our_data …",
	"please? just? research|google|investigate it|that|this|them …", "please? find out for me|us …", "please? find that|this|it out for_me|for_us?",
	"please research|investigate +", "look into it|that|this|these …", "please? do some|a_bit_of|the|your? research …",
	"check that|it|this in|against our|the data|warehouse|database|numbers …",
	"can|could that|this|it|you be looked_up|researched|checked|found_out|investigated …",
	"i|we want|would_like|need|prefer you to research|look|find|check|investigate …", "have it|that|this looked up|into …",
	"let us research|look_up|google it|that|this …", "please? search the web|internet for …", "search online …", "look online …", "look it|that up …",
	"you|someone should|could|can research|look_up|look_into|find_out|check that|this|it …", "google|research it|that|this", "research please",
	"please? look_up|look_into + …", "please? find_out|check whether|if|how|what|who|which|where|when|why + …", "please look|search|check|research + up|online|for_me …",
	"can|could|would|will you|u please|maybe|perhaps|just|also? check|verify|look_at our|the|their|if|whether|a|an + …",
	"can|could|would|will you|u|someone|somebody|we please|maybe|perhaps|just|also? check|verify|double_check|validate that|this|it|these|those|how|what|who|which …",
	"would|do you|u mind checking|verifying|researching|googling|investigating|finding_out|looking_up|looking_into|looking_for|searching_for …",
	"would|do you|u mind looking|searching that|this|it|them|online|on_the_web up|into …",
	"is_there? any|a chance|possibility that? you|u|someone|somebody|we can|could|might? research|investigate|google|look|look_up|look_into|search|check|verify|find|find_out|double_check …",
	"is_there any|a way you|u|someone|we can|could research|investigate|google|look|look_up|look_into|search|check|verify|find|find_out …",
	"can|could|would|will you|u|someone please? check|look|search|research|investigate|google|verify", "can|could|would|will you|u please? see what|whether|if|how +",
	"can|could|may we|i please? have|get + looked_up|looked_into|researched|checked|verified|investigated …", "please? check that|this|it please?",
	"please? have|take a? quick? look|search online|on_the_web|on_the_internet …", "please? do|run|make a quick? web|online|internet|google search …", "please? run a quick? search for|on|about|of +",
	"please? check with google|wikipedia|the_internet", "please? dig_up some|any|the? numbers|figures|data|sources|statistics on|about|for +", "any research|data|numbers|figures|statistics on that|this|it",
	"any chance|possibility of some|a|a_bit_of? research|looking|checking|searching|investigating …",
	"can|could|would|will you|u please? get|find|fetch|dig_up|gather some|any|me|us|them|those|that|it numbers|figures|data|sources|statistics? for_me|for_us|online|please?",
	"can|could|would|will you|u please? get|find|fetch|dig_up|gather me|us? some|any|the|more? numbers|figures|data|sources|statistics|evidence|information on|about|for +",
	"please? just? ask google|wikipedia|the_internet|the_web please|then|about_it|about_that|about_this?", "please? just? ask google|wikipedia|the_internet|the_web about|for|how|what|who|which|whether|if +",
	"please? just? check|look|search online|on_the_web|on_the_internet whether|if|how|what|who|which|where|when|why|for +", "please? just? check online please?",
	"please? just? check|search|look_in|look_at|look_into|look_through|go_through|read|consult our|my|the|these documents|files|papers|uploads|reports for|about|on|whether|if|how|what|who|which +",
	"please? just? use our|my|the|these documents|files|papers|uploads|reports how|what|who|which|whether +",
	"please find|get|gather|collect|dig_up|look_for|search_for me|us? some|any|more|the? sources|numbers|figures|data|statistics|evidence|information|studies|facts for|on|about|of +",
	"please? see|check|look what|whether|if|anything you|u can|could find|find_out|dig_up|turn_up|learn …", "let us have|get it|that|this|them|+ looked_up|looked_into|researched|checked|verified|investigated …",
	"i|we would? rather|prefer|like|love if|that? you|u|someone|somebody looked|researched|checked|verified|googled|searched|investigated|found_out …",
	"i|we would rather|prefer have|to_have|get|to_get it|that|this looked_up|looked_into|researched|checked|verified …",
	"what do|does|did the|our|my|these|those? internet|web|google|wikipedia|documents|document|files|papers|uploads|sources|statistics say|tell|know|show …",
	"is|are there any|some data|research|numbers|figures|statistics|stats|information|evidence|sources|studies on|about|for|regarding|how|which|that +",
	"do you|u have any|some data|numbers|figures|statistics|sources|studies on|about|for|regarding +",
	"could use some research …", "maybe you|u|we can|could look|research|check|find …",
}

// outcomeLines ask what came of research.
var outcomeLines = []string{
	"and? what became|has_become|came|has_come of|from the|your|that|my|our|this research|search|searches|lookup|checking …",
	"what is|was|are|were the result|results|outcome|state|status|findings of|from the|your|that|my|our|this research|search|lookup …",
	"what did|have|has you|u|the_research|your_research|the_search|your_search find|found|find_out|found_out|turn_up|turned_up|brought_up …",
	"did|have you|u find|found|find_out|found_out|turn_up|turned_up anything|something|any_sources|any_numbers|any_figures …",
	"is_there|are_there|do_you_have? any news|results|findings|progress|word|luck on|of|from|about|with the|your|that|my|our|this research|search|lookup …",
	"is_there|are_there|do_you_have? any news|results|findings from_it|on_it|on_that|yet?",
	"how is|are|goes|did|does|far_is the|your|that|my|our research|search|lookup go|going|doing|coming|getting …", "how goes the|your|that research|search …",
	"is|are|has|have the|your|that|my|our research|search|lookup done|finished|ready|over|complete|back|come_back|returned|ended …",
	"where is|are the|your|my|our research|search results?", "are you|u still? looking|searching|researching …", "what about the|your|that|my research|search|lookup",
}

// cancelLines and those after it, up to onlyLines, count while something is being
// looked up.
var cancelLines = []string{
	"please? stop|cancel|quit|abort|drop|end|halt|forget the|that|this|your|all|any|all_the|all_of_the|my? looking|searching|researching|research|search|searches|lookup|lookups|checking|investigating …",
	"please? stop|cancel|drop|forget|skip|leave the|that|this|your? + research|search|lookup",
	"please? never mind|never_you_mind the|that|this|your|about? research|search|searching|looking|lookup|researching …", "please? forget about the|that|this? research|search|looking|lookup …",
	"you do not need|have to|to_go_on look|search|research|check|looking|searching|investigate that|it|this|them|anything|for_it|for_that? up|into|further|any_more|anymore|any_further|for_me? any_more|anymore|please|for_me?", "you can|may|could stop looking|searching|researching|the_search|the_research …",
	"no need to look|search|research|check|investigate that|it|this|them|anything|for_it|for_that? up|into|further|any_more|anymore|any_further|for_me? any_more|anymore|please|for_me?",
	"please? do not look|search|research|investigate|bother|google|check that|it|this|them|anything|for_it|for_that|looking|searching? up|into|further|any_more|anymore|any_further|for_me|online? any_more|anymore|please|for_me?",
	"i|we do not need|want the|that|this|any|your? research|search …", "can|could|would you please? stop|cancel|drop the|that|this|your? looking|searching|researching|research|search …",
	"call off the|that|this research|search …",
}

// steerLines speak of the search itself, or tell us where to look: no answer does.
var steerLines = []string{
	"please? only look|search|research at|in|for|into +", "please? look|search|research only at|in|for|into|on +", "please? look|search at|in|for|into|on + only|instead|alone",
	"please? look|search at|in|for|into|on + sources|websites|pages …", "please? focus|concentrate the|that|your|this research|search|lookup|searches only|more|rather|just? on|upon +",
	"please? focus|concentrate|restrict|limit|narrow|confine the|that|your|this research|search|searches|lookup|results … on|to|upon +",
	"please? restrict|limit|narrow|confine the|that|your|this research|search|searches|results|lookup down? to +", "please? ignore|exclude|disregard|leave_out|skip + in|for|from the|your|that? research|search|lookup|searches",
	"your research|search should|shall|must|ought_to be|look|focus|cover|only|not + ", "the|that research should|shall|must|ought_to be|look|focus|cover|only|not + ", "for your research|search +",
	"can|could|would you please? focus|concentrate|restrict|limit|narrow the|that|your|it? research|search|it? only|down? on|to +",
	"can|could|would you please? look|search only at|in|for +", "can|could|would you please? look|search at|in|for + only|instead|first",
	"please? only|just|nothing results|sources|pages|figures|numbers|data|things|ones|anything? newer|more_recent than? + ", "please? newer|more_recent than + ", "please? nothing older|earlier|newer|later than + ",
	"please? nothing before|from_before + ", "please? only|just? results|sources|pages|ones newer|older|later|earlier|more_recent|from|since|after|before|as_of|not_older|published_after|published_since than|the_last|the_past|the_year? + ",
	"please? only|just figures|numbers|data newer|more_recent|from|since|after|published_after|published_since than|the_last|the_past|the_year? + ", "please? only|just? published_after|published_since|not_older_than + ",
	"please? only recent|current|new|up_to_date sources|results|figures|numbers|pages|data|ones …",
}

// leanLines say where to look as well as what is asked for.
var leanLines = []string{
	"please? only check|consider at|in|for|into +", "please? check only at|in|for|into|on +", "please? check at|in|for|into|on + only|instead|alone|too|first|as_well|please", "please? look|search at|in|for|into|on + too|first|as_well|please",
	"please? look|search at|in|for|into|on + numbers|figures|companies|countries …", "please? focus|concentrate it|that? only|more|rather|just? on|upon +", "please? restrict|limit|narrow|confine it|that|yourself? down? to +",
	"please? stick|keep to +", "please? ignore|exclude|disregard|leave_out|skip + in|for|from the|your|that? results", "please? do not include|consider|use|count +", "please? use only|just|newer|recent|official + ",
	"please? only use|consider|count|take|include +", "the|that search should|shall|must|ought_to be|look|focus|cover|only|not + ", "for the|that research|search +",
	"please? only|just? anything|what_is|things? older|later|earlier|from|since|after|before|as_of than|the_last|the_past|the_year? + ",
}

var withoutLines = []string{"not + ", "without + ", "except|except_for|apart_from + ", "ignore|exclude|leave_out|disregard + "}

var onlyLines = []string{"only|just + ", "+ only"}

var progressLines = []string{
	"how far|much_further are|have|do|along|is we|i|you|this|it …",
	"how much|many more|longer|further|further_questions|questions|left|is_left|time|remain|remains …",
	"how much is|there_is left|remaining|to_go|missing …", "how long will|does|is|until|till|do|have this|it|that|we|i|there …",
	"are we nearly|almost? there|done|finished yet|soon?", "nearly|almost there|done yet?", "how many + left|to_go|remaining|more|are_there …",
	"where are|do we|i stand|at|now …", "where are we",
	"what is|are left|missing|still_open|still_missing|outstanding|remaining|next|the_progress|my_progress|the_status|our_progress|still_needed …",
	"show|tell|give me|us? the|our|my? progress|status|where_we_are|how_far_we_are …", "progress|status report|update|please|check?",
	"what else do|would you need|want|have …", "what do you still need …", "what else is missing|needed|open|left", "how are we doing …",
	"when are|will we be? done|finished", "is there much|a_lot more|left|to_go", "are there many|any more|further questions …", "how close are we …",
	"what remains …", "how complete is +", "how long to go",
}

var memoryLines = []string{
	"what do|did you know|remember|have|understand|recall about|of|on|so_far|from|noted|written|down|on_record|already? …",
	"what have|did you got|gotten|learned|learnt|noted|collected|gathered|written|recorded|understood|heard|saved|stored|put|get|note|collect|record …",
	"what you have so far|noted|got",
	"show|give|read|tell me|us? back? the|a|my|our|your|quick|short|what|all_my|all|everything? summary|answers|you_have|you_know|you_got|recap|notes|overview|everything|list_so_far|i_said|i_told_you …",
	"summary|recap|overview please|so_far?", "summarise|summarize|recap what|everything|it|that|this|please|so|the|my …", "summarise|summarize|recap",
	"can|could|would|will you please|quickly? summarise|summarize|recap|read|sum …", "can|could|may i see|have|get|review what|my|the|a + …", "so far",
	"what is in your memory|notes|records", "what did i say|tell|answer …", "what have i said|told|answered …", "do you remember + ", "what do we have …",
	"remind me what + ", "and|so? what was|were|is|are the|my|our + i|we|you gave|told|said|put|wrote|entered|typed|noted|have|mentioned|answered …",
	"and|so? what did|do i|we|you give|put|note|have|enter|write|say|noted|down? for|as|under|about|on + ",
}

var smallTalkLines = []string{
	"hello|hi|hey|hiya|howdy|greetings|yo|hallo|helo there|again|you|everyone|all|quaestor|team|mate?",
	"good morning|afternoon|evening|day to_you|there|all|everyone|again?", "morning|afternoon|evening all?",
	"how are|is you|things|it|your_day doing|going|today|are_things? today?", "how do you do", "what is up|new",
	"thanks|thank_you|cheers|ta|thx|ty|merci so|very|a? much|lot|again|for_your_help|for_that|bunch|indeed|for_your_time|for_asking|for_now?",
	"many thanks", "much appreciated", "i appreciate it|that|this|your_help", "thank you for|so|very …", "thanks for +",
	"nice|great|good|pleased|lovely to meet you too|all?",
	"what? a|an? lovely|nice|great|beautiful|terrible|awful|horrible|gorgeous|crazy|sunny|rainy|cold|hot|miserable|bad|good weather|day|morning|afternoon|evening today|outside|here|we_are_having|again|it_is|in_town?",
	"the weather is|was + ",
	"it is so|very|quite|really|pretty? raining|sunny|cold|hot|snowing|windy|freezing|rainy|lovely|warm|boiling|friday|monday outside|today|here|again|out|at_last|finally …",
	"lovely|nice|great weather …",
	"cool|awesome|haha|hahaha|lol|wow|hmm|hm|nice_one|amazing|brilliant|excellent|wonderful|fantastic|interesting|sweet|yay|hooray", "ha ha",
	"that is|was funny|interesting|cool|nice|great|lovely|helpful|good_to_know|nice_of_you|kind|kind_of_you",
	"good|great|nice job|work|question|point|one|idea|talk|chat", "well done", "great|nice thanks|thank_you …",
	"you are very|so|really? welcome|kind|funny|nice|helpful|great|smart|clever|good", "no problem|worries",
	"happy new_year|friday|monday|holidays|birthday|christmas|easter …", "have a nice|good|great|lovely day|one|evening|weekend|time …",
	"are you there|still_there …", "never mind", "nevermind", "and|so|and_so", "i|we have|got|had|have_got a|an|this|some|one? great|new|little|crazy|good? idea|ideas|thing for|about? a|an|some|this? thing|something|business|project|company?", "ok|okay|right|so|and|hi|hello|hey|there back now|again?", "i? had to take|answer|get|do|see_to|sort_out a|the|that|my|something call|phone|door|quickly|urgent|kids|baby|thing?", "sorry|apologies|excuse_me", "sorry|apologies|my_apologies|sorry_again again? about|for yesterday|earlier|before|that|this|it|the_wait|the_delay|the_late_reply|the_slow_reply|my_late_reply|being_late|last_time|last_week|the_interruption|disappearing|vanishing|leaving|the_silence|the_confusion|the_mess|the_typos|my_typos|my_english|the_trouble again?",
	"just|but|and? a|one|another quick|short|small|last|little|more? question|thing first|before_we_start|before_that|before_i_answer|though|for_you|quickly|please?", "quick|short|small question|one first|though|for_you|before_we_start|please?",
	"i am fine|good|well|great|ok|okay|tired|bored|hungry|happy|back|here|ready|excited|all_ears …",
	"let us start|begin|go|get_started|do_this|do_it|get_going", "ready|start|begin", "nice|great to hear …", "good to hear …",
	"did you see|watch|hear the|about|last …", "how was your + ", "i am good thanks …", "all well …", "not bad …", "same here|to_you", "you too",
	"bless you", "long time no see", "ok|okay|so|right|and? i|we am|are? back now|again|at_last?",
	"can|could|may|shall|do|should|is|would we|i|you|it possible|okay|ok|please? to? do|answer|speak|write|talk|continue|switch|reply|respond|understand|type|go_on|have this|it|that|them|you? in|to? english|german|french|spanish|portuguese|italian|dutch|polish|turkish|arabic|russian|ukrainian|chinese|japanese|hindi|deutsch|my_language|another_language|other_languages …",
	"do|can you speak|understand|know|write + ", "posso|puedo|puis_je|kann_ich|peut_on|pode|kann_man|possiamo|podemos responder|contestar|répondre|antworten|rispondere|escribir|hablar|falar|auf|en|em|in …",
	"hablas|habla|sprichst_du|sprechen_sie|parlez_vous|parles_tu|fala|parla +",
}

var offTopicLines = []string{
	"i? you? already|just? asked|said|answered|told|did|had me|you|us? that|this|it|that_one|this_one already|before|twice|earlier|just_now|a_minute_ago",
	"you|i|we have? already|just asked|said|answered|told|did|had|covered|been_through me|you|us? that|this|it|that_one|this_one|that_question|this_question? already|before|twice|earlier|just_now?",
	"you keep|are asking me|repeating? the_same|the_same_thing|the_same_question|yourself|that|this …", "same question again|as_before?", "you asked that|this|it|me_that|me_this",
	"that|this|it is|gets|is_getting so|very|really|pretty|a_bit|quite|rather? boring|tedious|tiring|annoying|long|too_long|too_much|taking_forever|taking_too_long|taking_ages|exhausting|repetitive now?",
	"look|listen? i|we do not have|have_got all_day|the_whole_day|all_week|forever", "i|we have not got all_day|the_whole_day|all_week|forever", "hurry up please?", "can we? get on_with_it|to_the_point please|already|now?", "make it quick|fast please?",
	"i|we really? do_not|hate like? this|that|your|these|such question|questions|one|ones", "i am getting|so|really? bored|tired|fed_up|annoyed of_this|with_this|of_that|with_you|now?",
	"bloody|oh|what_the|for_fucks|for_gods|for_christs hell|god|sake|no|dear|man|come_on",
	"oh? for god|gods|christ|christs|fuck|fucks|heaven|heavens|goodness|pete|petes|crying_out sake|loud", "oh? jesus|christ|jesus_christ|my_god|god|good_grief|come_on", "fuck|screw|damn|sod|bugger|forget|to_hell_with|enough_of|enough_with this|that|it_all|you|off|all_this|these_questions|your_questions|the_questions",
	"that|this|it|all_this|this_all is|are such|complete|completely|total|totally|absolute|absolutely|utter|utterly|just|so|all|a|fucking|bloody? bullshit|crap|shit|rubbish|nonsense|joke|ridiculous|stupid|insane|bs|garbage|annoying|pointless|hopeless|useless|madness",
	"this|that|it|you really|just? suck|sucks", "i have had enough|it of_this|of_that|of_these_questions|with_this|with_you|now?", "i am so|really|getting? sick|sick_and_tired|fed_up of|with this|that|these_questions|you|it",
	"what a|an waste|joke|nightmare|pain|stupid_question|stupid_bot|farce|nonsense of_time|of_my_time?", "such a waste of_time|of_my_time", "stupid|dumb|useless|idiotic|bloody|fucking thing|bot|machine|robot|program|computer|question|questions|idiot", "you are stupid|dumb|useless|an_idiot|annoying|hopeless", "seriously|for_real", "are you kidding|joking|serious me?", "you have? got|must to? be kidding|joking me?", "for the love of god|christ|heaven", "give me a break", "i give up",
	"this|that is getting|going old|nowhere|silly|annoying|ridiculous|out_of_hand", "this|that is|does not working|work|going_well|helping|getting_us_anywhere", "i am losing patience|my_patience|the_will_to_live", "get lost",
	"oh? not this? again", "another one|question", "enough already|of_that?", "stop|you_are wasting my|our time", "what the fuck|hell|heck|devil|f", "piss|bugger|sod|naff off", "blimey|crikey|goddamn", "god damn it|this?", "holy shit|crap|moly|cow",
	"see above", "read what i wrote|said|typed …", "as|like i|we? already? said|told_you|wrote|mentioned before|above|earlier|already?", "the? same as above|before|last_time|earlier",
	"shut up|it|your_mouth now|please|already?", "go away|to_hell", "leave me|us alone|in_peace|be", "stop asking|bothering|pestering|annoying|bugging me|us|these|so_many|stupid|that|this …", "damn|damn_it|dammit|shit|crap|fuck|fuck_you|fuck_off|wtf|ffs|rubbish|nonsense|bullshit|whatever|blah",
	"that|this|it is a? really|very|pretty? stupid|silly|dumb|pointless|useless|ridiculous|annoying question|thing|conversation|bot|waste_of_time?",
	"this|that is a waste of time|my_time", "i have? already told|answered you? that|this|it|before?", "you are|were not listening +", "you are|were not listening", "delete everything|all|it_all|all_of_it",
	"my answer is the same as before|earlier|last_time",
	"tell|sing|write|draw|read|make|play me|us? a|an|some|something|another joke|story|song|poem|music|picture|funny|game|chess|about_yourself …",
	"tell me about + ", "what time is it …", "what is the time|date|weather|capital|meaning_of_life|best_restaurant|score|news|temperature …",
	"who won|is_winning|is_the_president|is_the_prime_minister|is_the_king …", "what day|year|month is it|today …",
	"do you like|love|dream|sleep|eat|think|believe|feel|know|want …",
	"can|could|would|will you tell|sing|write|book|order|help_me_with|translate|play|draw|recommend|call|buy|send|recommend + ",
	"what is your favourite|favorite|opinion|age|job|view …", "how old|tall|big are you", "where do|are you live|from|based|come_from|located …",
	"what do you think about|of + ", "who made|built|created|owns|programmed you", "i had|ate + for breakfast|lunch|dinner …",
	"i love|like|hate pizza|football|music|cats|dogs|you|chocolate …",
	"ignore all|any|your|the|previous|everything …", "what model|ai|llm are|is|do you|this …", "knock knock", "sing",
}

var leaveLines = []string{
	"i|we really|just|do|now|actually? have|need|must|should|got|better|want|would_like|am_going|would_better to? go|leave|run|stop|head_out|head_off|dash|log_off|pause|step_away|step_out|break|be_off|be_going|get_going|catch_my_train|catch_a_train|take_a_break|take_a_call|end_here|stop_here|pause_here now|here|for_now|soon|for_today|today|sorry|and_come_back_later|first|for_a_bit|for_a_moment?",
	"i|we have got to go|leave|run now?", "got to go|run|dash now?", "have|need|must to? go|run|leave now|sorry?",
	"let us stop|pause|break|leave_it|call_it_a_day|take_a_break|stop_it|continue|pick_this_up|end here|there|now|for_now|for_today|today|at_that|later|tomorrow|another_time|at_this_point|next_time|this_here?",
	"let us call it a day", "stop|pause|quit|exit|bye|goodbye|cheerio|ciao|brb|halt here|now|there|for_now|for_today|today|please|all|bye|then|it?",
	"good bye|night", "see|talk_to|speak_to|catch you|ya later|soon|tomorrow|around|then|again|next_time …", "talk|speak|see soon|later|tomorrow",
	"that is|will_be|was all|enough|it for now|today|me_today|the_moment|tonight|this_time", "enough for now|today|tonight",
	"i am|will_be leaving|off|out|going|out_of_time|off_now|right_back|back_later|in_a_hurry|done_for_today|done_for_now|running_late now|then?",
	"we are done for now|today", "done for now|today",
	"i|we will|can|shall|would|could continue|come|be|carry|finish|resume|pick|do on|back|this|it|the_rest? up|back|this|it? later|tomorrow|another_time|next_time|next_week|later_today|on_monday|after_lunch|in_a_bit|soon",
	"can|could|may|shall we|i please? stop|pause|continue|finish|leave|take_a_break|break|end|do_the_rest|carry_on|resume here|this|it|now|for_now|for_today|today|later|tomorrow|another_time|next_week …",
	"to be continued", "i|we do not have|have_got any|enough? more? time left? any_more|anymore|any_longer|now|today|tonight|for_this|right_now|left|sorry", "i|we do not have|have_got any? more time …",
	"no more time …", "no time left? now|today|tonight|left|right_now|sorry|any_more|anymore|for_this", "i|we have no more time …", "i|we have no time left? now|today|tonight|left|anymore|any_more|right_now|for_this|sorry",
	"i am|have run? out_of_time now|sorry|today?", "i|we have a|an|another meeting|call|appointment now|right_now|coming_up|starting|to_catch|to_join|to_get_to|to_go_to|to_run_to …",
	"i|we do|can not want|feel|feel_like|have_the_energy|be_bothered to? do|doing|continue|continuing|go_on|going_on|talk|talking|answer_questions this|it|that? right_now|now|today|tonight|anymore|any_more|at_the_moment",
	"i am driving|at_work|in_a_meeting now|right_now|at_the_moment|today|sorry?", "this|it|now is not a good|great time|moment now|right_now|sorry|for_me?", "not a good|great time|moment now?", "this|it|now is a bad time|moment now|sorry|for_me?", "bad time",
	"can|could|shall|may we|i do|continue|finish|carry_on_with this|it|that|the_rest? another_time|some_other_time|some_other_day|another_day|next_time|next_week …", "i_am? too|so tired|busy|exhausted|ill|sick for this|that|it now|today|right_now?",
	"i|we|you? will? be? back in a|an|five|ten|two|half_an|2|5|10|15? minute|minutes|min|mins|sec|secs|hour|second|moment|bit|while",
	"my next? meeting|train|call|appointment|bus|class|lesson|shift starts|leaves|begins …", "my next? meeting|train|call|appointment|bus|class|lesson|shift is about_to|starting|leaving|here|due …", "another time", "until next_time|tomorrow|later|then", "take a break",
	"i want to|need_to|will stop|quit|pause|leave now|here|this …", "that is it for now|today", "be right back", "gtg|g2g|cya|ttyl",
	"time to go|stop|leave", "gn|nite|night_night|sleep_well", "i|we? have|need|must|got to? dash|shoot|bounce|jet|split|scoot now|sorry?", "i|we will be back later|soon|tomorrow|tonight?", "can|could|may|shall we|i please? stop|pause|end", "that is me done|off for_today|for_now?",
	"i|we? now|really|just|do|actually? have|have_got|need|must|got|ought|better|should|am_going|will_have|will_need to? leave|run|dash|rush|head|head_off|head_out|be_off|get_going|set_off now? for|to|because_of a|an|the|my|our|another|work|lunch|dinner|school|home next? meeting|appointment|call|train|bus|flight|class|lesson|shift|dentist|doctor|interview|school|office|airport|station? now|soon|shortly|sorry|first|in_a_minute|in_five_minutes|in_ten_minutes?",
	"i|we? now|really|just|do|actually? have|have_got|need|must|got|ought|better|should|am_going|will_have|will_need to? go|get to|for a|an|the|my|our|another|work|lunch|dinner|school next? meeting|appointment|call|train|bus|flight|class|lesson|shift|dentist|doctor|interview? now|right_now|soon|shortly|sorry|first|in_a_minute|in_five_minutes|in_ten_minutes",
	"i|we? have|have_got|need|must|got|should|am_going to? go|leave|run|stop|finish|be_off|head_off now? in a|one|two|five|ten|fifteen|1|2|5|10|15 minute|minutes|min|mins|moment sorry?",
	"i|we? have|have_got|need|must|got|am_going to? catch|get|make my|a|the|our train|bus|flight|plane|tram|ferry|ride|taxi now|soon|sorry|first?", "i have got to head_off|head_out|be_off|dash|stop|log_off|get_going|be_going now|soon|sorry?",
	"i am off|heading|heading_out|heading_off|leaving|about_to_leave|about_to_go|about_to_head|on_my_way to|for|into|in a|an|the|my|another|lunch|dinner|work|school|home|town next? meeting|appointment|call|train|bus|flight|class|lesson|shift|dentist|doctor? now|soon|sorry?", "i am about_to leave|go|head_off|log_off now|sorry?",
	"i am being|getting? called|needed|wanted away|elsewhere|downstairs|upstairs|outside|in_the_shop|at_the_till|in_the_kitchen|to_the_phone now?",
	"i|we? have not got? any|enough|the? time for_this|for_that|for_it|now|right_now|today|at_the_moment|any_more now|right_now|today|at_the_moment|sorry?", "i|we? do not have any|enough|the? time for this|that|it now|right_now|today|at_the_moment|sorry?",
	"this|it is getting|becoming? too_much|all_too_much for_me? today|now|right_now|at_the_moment", "i do not feel like it|this|talking now|today|any_more|anymore|right_now", "i|we have had enough for_today|for_now",
	"i_am? too|so|very|really? tired|exhausted|busy|ill|sick to go_on|continue|carry_on|talk|answer|think|do_this|do_any_more|answer_this|answer_that|concentrate now|today|right_now|any_more|anymore?",
	"i|we? have|need|must|got|better to? get|go|run back to work|my_desk|the_shop|the_kitchen|the_office now?", "back to work now|then|for_me",
}

// excuseLines are why people stop, and what they say of their days and troubles as
// well.
var excuseLines = []string{
	"i|we do not have|have_got the|any|enough? time", "i|we have not got the|any|enough? time", "i|we have|have_got no time", "just|simply|there_is|really? no time at_all|really|at_the_moment|for_it?",
	"i|we have|have_got a|an|another meeting|call|appointment|train", "i|we have|have_got a|an|another meeting|call|appointment|train soon|next|first|shortly|today|then|later|this_morning|this_afternoon|tonight",
	"i|we have|have_got a|an|another meeting|call|appointment|train at|in|from|to_prepare + ", "i|we run out_of_time", "customers|people|guests are coming_in|here|waiting now?", "a|my customer|client|guest just? came|walked|is in|here|waiting", "i am on the|a phone|call|train|bus|road right_now|now|at_the_moment?", "i am|we_are too? busy now|right_now|at_the_moment|today|sorry?",
	"i|we need|want|could_use|could_do_with a|some short|little|quick|coffee? break|pause|rest now|first|please?", "i|we? have|have_got|need|must|got to? go|get to a|an|the|my|our|another next? meeting|appointment|call|class|lesson|shift|interview",
	"i|we can not do|continue|talk|answer|go_on this|it|that? right_now|now|today|anymore|any_more|at_the_moment|any_longer",
	"i|we? have|need|must|got|am_going|going to? go|run|drive? and|to? pick_up|get|fetch|collect|feed|walk|cook|take_care_of|look_after|bath|put the|my|our? kids|kid|baby|dog|son|daughter|child|children|wife|husband|mum|mother|dad|dinner|lunch|bus|train|cat to_bed|from_school|home|now|from_nursery|up|sorry?",
}

var finishLines = []string{
	"i_think|we_think|i_guess|i_believe|i_would_say? i_am|we_are done|finished|through|complete|all_done|all_set|good_here now|here|with_this|with_everything|i_think?",
	"done|finished|complete|completed|submit|finish|end", "all done|set",
	"i_think|we_think|i_guess? that|this is|was|would_be|will_be|covers|should_be all|it|everything|enough|all_of_it|all_i_have|all_there_is|all_i_know|all_i_can_say|the_lot i_think|i_guess|from_me|from_us|really|folks|from_my_side|thanks|thank_you|i_have|for_this?",
	"no that is all|it|everything …",
	"please? finish|end|close|wrap|complete|conclude|finalise|finalize|submit it|this|that|the_session|the_interview|the_conversation|up|here|now|the_discovery|the_chat …",
	"let us finish|wrap|close|conclude|end|complete|finalise|finalize this|it|up|here|now|the_session|off|things …", "let us wrap it|this|things up …",
	"i|we have nothing|no more|else|further|questions? to_add|to_say|left|else|more …", "nothing more|further to_add|to_say|from_me?",
	"nothing else|more? to add|say", "no more questions please?",
	"i|we want|would_like|wish|am_ready|are_ready to finish|end|close|complete|conclude|wrap_up this|it|here|now|the_session …",
	"can|could|may|shall we|i|you please? finish|close|wrap|end|conclude|complete|submit it|this|up|the_session|here|now|the_interview …", "no more",
	"you have everything|all_you_need|enough", "are we done", "wrap up|this_up|it_up …", "close it|this|the_session here|now?", "nothing else",
}
