// Package prices holds what an organisation pays for its models and its warehouses, in US dollars.
//
// Prices are set by people; none come with the program, because providers change theirs and contracts
// differ. What has no price is never guessed: [List] says that its price is not known, and pages say
// that none is set. A price holds from when it is set; what was spent before keeps the cost that it was
// recorded with.
package prices
