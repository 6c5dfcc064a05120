package web

// listRows is how many rows a page of a list shows.
const listRows = 20
