package objectives

import (
	"embed"

	"quaestor/web/static"
)

//go:embed *.css *.js
var files embed.FS

// assets are the style sheets and scripts of this feature's pages.
var assets = static.New(files)

// Assets returns the style sheets and scripts of this feature's pages.
func (s *Handlers) Assets() *static.Files { return assets }
