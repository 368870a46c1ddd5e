package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/ratesim/ratesim/sim/measure"
)

// csv is a row for each scenario and scope, the same columns in every row. All
// scopes are there, also a limit that is the only one, so that a filter finds
// it whatever else the scenario holds.
func (r *RunResult) csv(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(append([]string{"scenario", "file", "part", "scope", "passed", "runs", "seed", "bound_by"}, measure.Names()...)); err != nil {
		return err
	}
	for _, ran := range r.Scenarios {
		for _, sc := range ran.scopes() {
			boundBy := ""
			if sc.part == "all" {
				boundBy = ran.Summary.BoundBy
			}
			row := []string{
				ran.Scenario.Name, ran.Scenario.File, sc.part, sc.name, strconv.FormatBool(ran.Passed()),
				whole(ran.Summary.Runs), strconv.FormatUint(ran.Seed, 10), boundBy,
			}
			for k := range measure.NumKeys {
				text := ""
				if v := valueOf(sc.stats, measure.Key(k)); v != nil {
					text = strconv.FormatFloat(v.float(), 'f', -1, 64)
				}
				row = append(row, text)
			}
			if err := c.Write(row); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}
