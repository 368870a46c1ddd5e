package starts

import (
	"context"
	"strings"
	"testing"
)

// A trace of ratesim's own holds deferrals too; they are no starts.
func TestDeferralsOfATraceAreNoStarts(t *testing.T) {
	for name, text := range map[string]string{
		"t.csv":    "scenario,at_s,event,limit,class,job,next_s\ns,0.5,claimed,l,c,1,\ns,0.5,deferred,l,c,2,0.7\ns,0.7,claimed,l,c,2,\ns,0.8,dropped,l,c,3,\n",
		"t.ndjson": `{"scenario":"s","at_s":0.5,"event":"claimed","job":1}` + "\n" + `{"scenario":"s","at_s":0.5,"event":"deferred","job":2,"next_s":0.7}` + "\n" + `{"scenario":"s","at_s":0.7,"event":"claimed","job":2}` + "\n" + `{"scenario":"s","at_s":0.8,"event":"dropped","job":3}` + "\n",
	} {
		got, err := Read(context.Background(), strings.NewReader(text), name, Options{})
		if err != nil || len(got.Times) != 2 || got.Others != 2 {
			t.Errorf("%s: %+v, %v, want two starts and two others", name, got, err)
		}
	}
}
