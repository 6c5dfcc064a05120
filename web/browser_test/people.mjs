// Three people to interview, by what their interview is about: what each of
// them says when a page asks for something by name.

export const people = {
  business_profile: {
    "What the business does": "We repair bicycles and sell reconditioned ones from a workshop near the station",
    Industry: "Bicycle repair and retail",
    "Target market": "People within five miles who cycle to work",
    "Customers' need": "Their bike broke down and they need it back the same day",
    "Alternatives and competitors": "A chain store on the ring road, or mending it themselves",
    "Why customers choose it": "They say we tell them honestly what is not worth mending",
    "Primary goal": "Win twenty local firms whose staff bikes we look after",
    "Main obstacle": "We cannot find trained mechanics",
    "Sign of success": "Twenty signed service contracts",
    "Target date": "2027-09-30",
    "Size of the market": "4000",
    Budget: "15000",
    "Time available": "10",
    "Team size": "6",
    "In business since": "2014-03-01",
    "Yearly sales": "380000",
  },
  idea_discovery: {
    "The idea": "A lending library for tools in every block of flats",
    "The problem": "Expensive tools are used once and then stand in a cellar for years",
    "People it is for": "People who rent small flats in large cities and like to mend things",
    "What they do today": "They borrow from family or buy the cheapest one in the shop",
    "Why people would switch": "It is two floors down, always charged, and costs less than the hire shop",
    "Must be in the first version": "Show what is free, reserve it for an hour and give it back",
    "Uncertain to make": "Whether the lockers can open without a network in the cellar",
    "Riskiest assumption": "That neighbours bring tools back on time and in one piece",
    "Sign of success": "Half of the households in ten houses borrow something each month",
    "Similar offers": "Hire shops, and a neighbourhood group on a message board",
    "Size of the market": "250000",
    "First use": "2027-05-01",
    Budget: "8000",
    "Time available": "12",
    "People and skills": "I am a joiner, and a friend of mine builds electronics",
  },
  project_discovery: {
    "The project": "A booking system for our three physiotherapy practices",
    "Reason for the project": "One patient in five does not turn up, and the front desk spends mornings on the phone",
    "Desired outcome": "Patients book and move appointments by themselves",
    "Measures of success": "Missed appointments fall from 20 to 8 percent within six months",
    Users: "Patients, the front desk and the therapists",
    "A typical task": "A patient calls, we look in the book, offer three times, write one down and send a card",
    "Who decides": "The head of the practice",
    "Number of users": "2400",
    "Must do": "Book, move and cancel appointments, and remind people the day before",
    "Left out on purpose": "Payroll stays as it is",
    "Tools used today": "A paper diary and a spreadsheet",
    "Connections to other systems": "The accounting program and the e-mail calendar",
    "Rules and standards": "Data protection law for health records",
    "Needed by": "2027-06-30",
    Budget: "45000",
    "People for the project": "3",
    "Biggest worry": "That the front desk will not use it",
  },
};

/** told is what a person says of something by name: in their own words, else words made from the name. */
export function told(contextType, title) {
  return people[contextType][title] ?? `Our own way of doing ${title.toLowerCase()}, as we always have`;
}
