package sessions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quaestor/internal/language/messages"
	"quaestor/obligations"
)

// CurrencySigns are the signs that stand before an amount of money.
const CurrencySigns = "$€£¥₹"

// currencies are the words and codes people name a currency by, as they stand behind
// an amount, and the keys of their names among the messages.
var currencies = map[string]string{
	"euro": "currency.eur", "euros": "currency.eur", "eur": "currency.eur", "dollar": "currency.dollar", "dollars": "currency.dollar", "usd": "currency.usd",
	"pounds": "currency.gbp", "pound": "currency.gbp", "gbp": "currency.gbp", "quid": "currency.gbp", "pfund": "currency.gbp", "chf": "currency.chf",
	"francs": "currency.franc", "franken": "currency.franc", "rupees": "currency.inr", "rupien": "currency.inr", "yen": "currency.jpy",
}

// Shown words what o holds in English: see [ShownIn].
func Shown(o *obligations.Obligation) string { return ShownIn(messages.In(messages.Default), o) }

// ShownIn words what o holds in a language, as [DisplayIn] does, with what was said of it: an
// amount of money in the currency the person named, and whether it is about that.
func ShownIn(l *messages.Language, o *obligations.Obligation) string {
	words := DisplayIn(l, o.Template, o.Value)
	if c := CurrencyOf(o); words != "" {
		words = c.Amount(l, words)
	}
	return qualified(l, o, words)
}

// qualified adds to the words for a value of o what was said of it: "about 450 euros a
// month".
func qualified(l *messages.Language, o *obligations.Obligation, words string) string {
	d := o.Details()
	if d == nil || words == "" {
		return words
	}
	if eachPeriod[d.Period] != "" && !strings.Contains(o.Unit, d.Period) {
		words = l.Text("amount.period", messages.Args{"amount": messages.Text(words), "period": messages.Message{Key: eachPeriod[d.Period]}})
	}
	args := messages.Args{"amount": messages.Text(words)}
	switch {
	case d.Least:
		return l.Text("amount.least", args)
	case d.Most:
		return l.Text("amount.most", args)
	case d.Approximate:
		return l.Text("amount.about", args)
	}
	return words
}

// eachPeriod are the messages for what a rate is for.
var eachPeriod = map[string]string{"hour": "period.each.hour", "day": "period.each.day", "night": "period.each.night", "minute": "period.each.minute", "fortnight": "period.each.fortnight", "week": "period.each.week", "month": "period.each.month", "quarter": "period.each.quarter", "year": "period.each.year"}

// InCurrency adds to the words for an amount of o the currency in which the latest of
// its quotes that names one has it: "£310,000", "30,000 euros". A value that is no
// money, and one whose currency nobody named, stays as it is.
func InCurrency(o *obligations.Obligation, amount string) string {
	if amount == "" {
		return amount
	}
	c := CurrencyOf(o)
	if most, ok := strings.CutPrefix(amount, "up to "); ok {
		return c.UpTo(messages.In(messages.Default), most)
	}
	return c.Amount(messages.In(messages.Default), amount)
}

// Currency is how somebody named a currency: by a sign, or by a word that stands behind
// the amount. The zero value is none.
type Currency struct {
	sign string
	name string // key of its name among the messages
}

// CurrencyOf returns the currency that the latest quote of o names, none for an
// obligation that is no money.
func CurrencyOf(o *obligations.Obligation) Currency {
	if o.Unit != "money" && o.Unit != "currency" {
		return Currency{}
	}
	for i := len(o.Evidence) - 1; i >= 0; i-- {
		if c := currencyIn(o.Evidence[i].Quote); c != (Currency{}) {
			return c
		}
	}
	return Currency{}
}

// currencyIn returns the first currency sign in text, else the name of the currency
// that it names first.
func currencyIn(text string) Currency {
	if i := strings.IndexAny(text, CurrencySigns); i >= 0 {
		_, size := utf8.DecodeRuneInString(text[i:])
		return Currency{sign: text[i : i+size]}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if name := currencies[strings.ToLower(word)]; name != "" {
			return Currency{name: name}
		}
	}
	return Currency{}
}

// Amount returns an amount in words with the currency: "£20,000", "20.000 €", "20,000
// euros".
func (c Currency) Amount(l *messages.Language, amount string) string {
	switch {
	case c.sign != "":
		return l.Text("amount.sign", messages.Args{"sign": messages.Text(c.sign), "amount": messages.Text(amount)})
	case c.name != "":
		return l.Text("amount.currency", messages.Args{"amount": messages.Text(amount), "currency": messages.Message{Key: c.name}})
	}
	return amount
}

// UpTo returns an upper limit in words with the currency: "£20,000 at most", "up to
// 20,000 euros".
func (c Currency) UpTo(l *messages.Language, most string) string {
	if c.sign != "" {
		return l.Text("amount.sign.up-to", messages.Args{"sign": messages.Text(c.sign), "max": messages.Text(most)})
	}
	return c.Amount(l, l.Text("range.up-to", messages.Args{"max": messages.Text(most)}))
}
