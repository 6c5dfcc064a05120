package rules

// The ways to say each aside, in the language of [pattern].

var goBackLines = []string{
	"can_we|can_i|could_we|could_i|may_i|may_we|let_us|i_want_to|i_would_like_to|we_should|can_you|could_you? please? go|jump|step|return|move|switch|scroll|take_me back? to the|that|my|our last|previous|earlier|prior|first|second|other question|one|answer …",
	"can_we|can_i|could_we|could_i|may_i|may_we|let_us|i_want_to|i_would_like_to|can_you|could_you? please? go|jump|step|move back a|one|to? question|step|one? please?",
	"please? back to the|that|my last|previous|earlier|first|other question|one|answer please?", "the? previous|last question please?",
	"no|sorry|wait? i meant|mean the? last|previous|earlier|first|other question|one …", "no|sorry|wait? i meant|mean the question|one before|above|earlier …",
	"no|sorry? i was|am still? talking|answering about? the? last|previous|earlier|other question|one …", "no|sorry? that|this|it|that_answer|my_answer|the_last_answer|my_last_answer was|is meant? my? answer? for|to the? last|previous|earlier|first|other question|one",
	"please? change|edit|correct|fix my|the|an last|previous|earlier|first answer|one", "i|we made a mistake|an_error earlier|before|there|somewhere|with_the_last_one|in_my_last_answer|with_my_last_answer|in_the_last_answer",
	"can|could|may i please? change|edit|correct|fix|redo|see my|the|an|a last|previous|earlier|first|old answer|answers|one|question", "i|we want|need|would_like|have to change|edit|correct|fix|redo my|an|the|a last|previous|earlier|first|old? answer|answers|one|question", "i|we want|need|would_like|have to change|edit|correct|fix something …",
	"how do|can|could i|we change|edit|correct|fix|redo something|an_answer|my_answer|my_answers|an_earlier_answer|what_i_said|my_last_answer|the_last_answer|it|that …",
}

// goOnLines take back a goodbye that was none.
var goOnLines = []string{
	"no|sorry|wait? i do|did not want|mean|intend|ask|need|wish to? stop|leave|end|finish|quit|pause yet|now|here|at_all|talking|this|it|the_interview|the_conversation?",
	"no|sorry? i|we did not say|ask|tell_you|mean i|you|that_i|we|to? want|wanted|should|have? to? stop|leave|end|finish|stopping", "no? do not stop|leave|end|finish yet|now|here|please?",
	"no|sorry|wait? i am still|not here|leaving|going|done|finished|going_anywhere|stopping yet?", "why did|have|do you stop|stopped|end|ended …", "please keep going", "let us continue|keep_going", "who said|told anything_about|you_to? stop|stopping|leaving",
	"no? i want|would_like to continue|go_on|keep_going|carry_on now|please|with_this|talking",
}

var chooseLines = []string{
	"you can|may|should|could|just|please? choose|decide|pick|tell_me for? me|us|one|it|that|yourself?", "you? please? choose|decide|pick for me|us", "please? choose|pick one|something|any|anything for_me|for_us|please?",
	"i|we will? leave|leaving that|it|this? up? to|with you", "it|that|this is? up_to|down_to you", "up to you", "it|that|this is? your|you? choice|call|decision|pick|guess", "your choice|call|decision|pick",
	"i will let you choose|decide|pick …", "whatever|anything|what|whoever you|u want|like|think|prefer|choose|say|suggest|recommend|decide is_best|is_right|best|works|is_fine|fits|makes_sense?", "surprise me",
	"can|could|would|will you please|just|not? choose|decide|pick|answer|guess for_me|one|for_us|it_for_me|that_for_me|this_for_me|something|one_for_me|it|that|this?", "make something|it|one|that up for_me?", "just make something|it up",
	"i do not care|mind about_that|about_this|really?", "what would|do|should you choose|pick|suggest|recommend|advise|do|think_is_best …",
}

var waitLines = []string{
	"please? wait|hold_on|hang_on|hold_up a|one|for_a|just_a|just_one? sec|second|minute|moment|mo|bit|tick please|there?", "just|please? wait|hold_on|hang_on please?",
	"please|just|can_you|could_you? give|grant|allow me|us a|an|one|another|two|five|ten|a_few|some|just_a|just_one|a_little|2|3|5|10|15 more? sec|second|seconds|minute|minutes|moment|moments|mo|time|hour to_think|to_check|to_think_about_it|to_think_about_that|to_look|please|here|will_you?",
	"just? a|one quick? sec|second|minute|moment|mo|tick please?", "two|five|ten|2|3|5|10|15 minutes|seconds please|ok", "1|2|3|5|one|two sec|secs|min|mins please?", "moment please?", "i_will? be right with_you|there", "hold your horses", "not so fast", "wait wait|what …", "checking|thinking|looking",
	"the|my? phone|doorbell|door|bell is? ringing|going|rang again|now|sorry?", "someone|somebody is? at the|my door now|sorry?", "let me think|see for_a? a? sec|second|minute|moment|bit|while please?", "let me think|see please|now|here?", "let me have a think|look",
	"i am still? thinking", "i need|want|would_like|could_use a|another|one|some sec|second|minute|moment|minutes to_think|to_think_about_it|to_think_about_that|please|for_this|for_that|here?", "i need|want|would_like|could_use a|some|a_little|a_bit_of|more bit|time|while? to_think|to_think_about_it|to_think_about_that|for_this_one", "i need|have to think for? a second|minute|moment|bit",
	"please? bear with me a_second|a_moment|a_minute|for_a_moment|please?", "still? thinking",
}

// whichLines ask which of two things a question means.
var whichLines = []string{
	"so|sorry? do|did you mean|want|ask|need|talk + or +", "so|sorry? are you asking|talking about|for + or +", "so|sorry? do|should i|we say|give|count|answer|include + or +", "is|are|was that|this|it|they + or +",
	"so|sorry? do|did you mean|want + …", "in what|which currency|unit|units|format", "per what", "so|and|but? is|are that|this|it|they|we_talking per|including|include|counting|about|before|after|with|without|in + …", "so|and|but? does|do|should that|this|it|they include|count|cover|mean|contain + …",
	"so|and|but? should|shall|do|must i|we include|count|give|name|mention|list + …",
}

var whoAreYouLines = []string{
	"and|but|so? who|what are you …", "and|but|so? are you a|an|really|actually|just? robot|bot|human|person|real|ai|machine|computer|program|model|real_person|chatbot|chat_bot|chatgpt|gpt|claude|gemini|siri|alexa|llm …",
	"what is your name", "do you have a name", "am i talking|speaking|chatting|writing to|with a|an? robot|bot|human|person|real_person|ai|machine|computer|program|human_being …", "is this|that|there a|an? robot|bot|human|person|real_person|ai|machine|computer|chatbot|somebody|someone …",
}

var downloadLines = []string{
	"can|could|may|will|how_can|how_do|how_could|where_can|where_do|is_it_possible_to|would_it_be_possible_to i|we|you? be_able_to|able_to|get_to|please? download|export|print|save|email|mail|forward|take_away|keep|share this|it|that|them|these|the|my|our|a|all …",
	"can|could|may|will|do|how_can|how_do|where_can|where_do i|we please|also? get|have|see|receive|find a|the|my|our copy|pdf|printout|transcript|report|document|brief|export|file|word_file …",
	"is|will there be? a|an|any download|pdf|export|copy|printout|report|brief|transcript …", "do|will i|we get|receive|see a|an|the|my|any? copy|report|pdf|brief|document|summary|result|results|anything|something …",
	"can|could|would you send|email|mail me|us this|it|that|them|the|my|a …", "where is|are the|my report|brief|result|results|summary|document|answers …",
}

var whoSeesLines = []string{
	"and|but|so? who|who_else gets_to|can|could|will|may|is_able_to|is_allowed_to|does|would|has? see|sees|seen|read|reads|view|views|access|look_at|get|gets|know|knows this|that|it|them|my|our|these|all_this|the_answers|the_data|the_results|the_brief|what_i_say|what_i_write|what_i_tell_you|what_i_said …",
	"and|but|so? who|who_else has|gets|will_have|will_get access …", "and|but|so? is|are|will|does this|that|it|they|my_answers|the_answers|our_answers|what_i_say|what_i_tell_you|my_data|everything be|stay|remain|all|kept|treated|really? confidential|confidentially|private|anonymous|secret|recorded|being_recorded|stored|safe|secure|shared|public|published …",
	"and|but|so? are|do|will you recording|record|storing|store|saving|save|sharing|share|sell|selling|publish this|it|that|me|my|our|what|everything …", "and|but|so? are|do|will you keeping|keep this|it|that|everything|my_answers|our_answers|what_i_say|my_data", "and|but|so? will|can|does|is anyone|anybody|others|other_people|my_boss|people|somebody|someone|the_public|my_competitors|my_colleagues|my_team else? going_to|able_to? see|read|know|get|look_at|reading|seeing + ",
	"and|but|so? is|does|will this|it|that|everything go|going|be_sent|sent to + ", "and|but|so? where is|are|does|do|will this|it|that|they|my_answers|our_answers|my_data|the_data|our_data|the_answers be? stored|saved|kept|go|end_up|going …",
}

var nextLines = []string{
	"and|so|but? what|what_will|what_is_going_to happens|happen|comes|come next|now|then|after|afterwards this|that|with_this|with_it|with_that|with_my_answers|with_our_answers|from_here|on_your_side|after_this|after_that?",
	"and|so|but? what|what_will|what_is_going_to happens|happen with|to|after my|our|the|these|this|that|it answers|data|interview|information|questions|conversation?", "and|so|but? what|what_will happens|happen once|when|after i|we am|are|have done|finished|through …", "and then", "then what", "and|so|ok|okay? now what|what_now|then_what", "and|so|ok|okay? what now|then|next", "and then what|now",
	"what will|do|are you|they|we going_to? do with my|our|the|all|these answers|data|this|it …", "what is next? after this|that …", "what are the next steps …",
}

// howLines ask what the interview is and what one may do in it.
var howLines = []string{
	"and|so|but? how does|will|do this|it|the_interview|that work|go …", "and|so? what do|must|should i have|need to? do …", "and|so? what is this|it all about …", "and|so? what are we doing …", "what is going on …",
	"can|may|could|do i|we have_to_answer|skip|leave_out|answer|leave questions|some|any|all|everything|a_question|them_all|every_question|things|some_questions|one_out …",
	"what|what_will happens|happen|is if i|we skip|stop|leave|do_not|can_not|get|make|say …", "what if i|we skip|stop|leave|do_not|can_not|get|make|say …", "can|could i stop|leave|pause and come_back|continue|go_on|finish later|tomorrow|another_time …",
}
