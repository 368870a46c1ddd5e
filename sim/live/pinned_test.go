package live_test

import (
	"strings"
	"testing"

	"github.com/ratesim/ratesim/scenarios"
	"github.com/ratesim/ratesim/sim/live"
	"github.com/ratesim/ratesim/sim/live/sqlite"
)

// One statement takes a bounded number of values, so a worker or a dispatcher
// that wants more at once is refused before a run and not in the middle of it.
func TestCheckRefusesWhatOneStatementCantTake(t *testing.T) {
	read := func(text string) error {
		all, errs := scenarios.Read("t", []byte("limits: {api: {to: 10, per: 1s, burst: 6}}\njobs: [{class: J, limit: api, backlog: 5}]\n"+text), scenarios.Options{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		return live.Check(all[0])
	}
	for text, want := range map[string]string{
		"workers: [{threads: 6553}]\ndispatchers: [{batch_size: 8191}]":             "",
		"workers: [{threads: 3}, {threads: 6554}]\ndispatchers: [{batch_size: 10}]": "workers[1].threads: 6554",
		"workers: [{threads: 3}]\ndispatchers: [{batch_size: 8192}]":                "dispatchers[0].batch_size: 8192",
	} {
		err := read(text)
		if got := ""; err != nil {
			got = err.Error()
			if want == "" || !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s, want %q", text, got, want)
			}
		} else if want != "" {
			t.Errorf("%s is not refused", text)
		}
	}
	if sqlite.MostClaimed*5 > 32766 || sqlite.MostMoved*4 > 32766 {
		t.Error("more values than a statement takes")
	}
}
