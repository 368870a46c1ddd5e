package redis

import (
	"embed"
	"fmt"
)

//go:embed lua/*.lua
var lua embed.FS

// The scripts. As Laravel does, each is sent whole: one command, EVAL.
var (
	pushScript        = script("push")
	migrateScript     = script("migrate")
	headScript        = script("head")
	releaseScript     = script("release")
	rewriteScript     = script("rewrite")
	sizeScript        = script("size")
	windowScript      = script("window")
	addScript         = script("add")
	placeScript       = script("place")
	unlockScript      = script("unlock")
	jobThrottleScript = script("job_throttle")
	pauseScript       = script("job_throttle_pause")
)

func script(name string) string {
	text, err := lua.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(fmt.Sprintf("a script is missing from the program: %v", err))
	}
	return string(text)
}
