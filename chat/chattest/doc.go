// Package chattest makes scenes for tests of interviewers: small objectives and the shipped ones,
// questions that were asked, values that are held, and findings in a short form that tests compare.
package chattest
