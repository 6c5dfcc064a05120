package web

// What the tests of this package reach into.
var (
	CodingFor = codingFor
	LocalPath = localPath
	TypeOf    = typeOf
)

const (
	MinCompressed = minCompressed
	TokenCookie   = tokenCookie
)
