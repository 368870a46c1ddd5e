package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/ratesim/ratesim/sim/measure"
)

// annotations point GitHub at the lines of what did not hold, in the form of
// its workflow commands.
func (r *RunResult) annotations(w io.Writer) {
	for _, ran := range r.Scenarios {
		title := property(oneLine(ran.Scenario.Name))
		at := ""
		if ran.Scenario.File != "" {
			at = "file=" + property(strings.ReplaceAll(ran.Scenario.File, `\`, "/")) + ","
		}
		for i, v := range ran.Verdicts {
			if v.Outcome == measure.Passed {
				continue
			}
			place := at
			if e := ran.Scenario.Expect[i]; at != "" && e.Line > 0 {
				place += fmt.Sprintf("line=%d,col=%d,", e.Line, e.Col)
			}
			fmt.Fprintf(w, "::error %stitle=%s::%s\n", place, title, message(string(v.Outcome)+" "+told(v)))
		}
		for _, p := range ran.problems() {
			fmt.Fprintf(w, "::error %stitle=%s::%s\n", at, title, message(p))
		}
	}
}

// message and property escape what GitHub's commands are written with.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
