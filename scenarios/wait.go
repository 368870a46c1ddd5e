package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ratesim/ratesim/model"
)

// wait reads what a job over its limit does.
func (r *reader) wait(n *node, path string, u *model.Rules) {
	s, ok := r.phrase(n, path, "a wait policy such as slots or fixed 1s")
	if !ok {
		r.waitOK = false
		return
	}
	w, err := parseWait(s, r.open)
	if err != nil {
		r.fail(n, path, "%v", err)
		r.waitOK = false
		return
	}
	u.Wait = w
}

// waitWords are the policies that take nothing more.
var waitWords = []string{"slots", "slots unlimited", "tail", "hold", "drop"}

// ParseWait reads a wait policy:
//
//	slots             the limiter's staggered slots, within its horizon
//	slots unlimited   the same however far ahead
//	fixed 1s          that long (any delay will do: uniform(1s, 10s))
//	backoff 2s * k^4 + 2s jitter 15%
//	tail              to the end of the ready jobs
//	hold              keep the thread until the limiter admits
//	drop              be lost
//
// In a back-off k counts the refusals of a job from 1. The length before the
// star is 1s when left out, the power 1; what is added is 0, and so is the
// jitter, the most that is put on top of a wait, as a part of it.
func ParseWait(s string) (model.Wait, error) { return parseWait(s, nil) }

func parseWait(s string, open func(string) ([]byte, error)) (model.Wait, error) {
	text := strings.Join(strings.Fields(s), " ")
	if contains(waitWords, text) {
		return model.Wait{Kind: model.WaitKind(text)}, nil
	}
	first, rest, _ := strings.Cut(text, " ")
	switch {
	case first == "backoff":
		return parseBackoff(rest)
	case first == "fixed" && rest == "":
		return model.Wait{}, fmt.Errorf("fixed says no length, want one such as fixed 1s")
	case first == "fixed":
		text = rest
	case !strings.ContainsAny(text, "0123456789("): // not a delay at all
		near := model.Nearest(text, append([]string{"fixed", "backoff"}, waitWords...))
		if near != "" {
			return model.Wait{}, fmt.Errorf("%s is no wait policy, did you mean %s?", quote(text), near)
		}
		return model.Wait{}, fmt.Errorf("%s is no wait policy, want slots, slots unlimited, fixed 1s, uniform(1s, 10s), backoff k^4 + 2s, tail, hold or drop", quote(text))
	}
	d, err := model.ParseDist(text, open)
	if err != nil {
		return model.Wait{}, err
	}
	return model.Wait{Kind: model.WaitDelay, Delay: d}, nil
}

const backoffForm = "want backoff BASE * k^POWER + PLUS jitter PERCENT, such as backoff 2s * k^4 + 2s jitter 15%"

func parseBackoff(s string) (model.Wait, error) {
	w := model.Wait{Kind: model.WaitBackoff, Base: time.Second, Power: 1}
	grow, jitter, jittery := strings.Cut(s, "jitter")
	grow, plus, adds := strings.Cut(grow, "+")
	base, k, based := strings.Cut(grow, "*")
	if !based {
		base, k = "", grow
	}
	var err error
	if based {
		if w.Base, err = model.ParseDuration(strings.TrimSpace(base)); err != nil {
			return w, err
		}
	}
	k = strings.TrimSpace(k)
	if power, ok := strings.CutPrefix(k, "k^"); ok {
		w.Power, err = strconv.Atoi(strings.TrimSpace(power))
		if err != nil || w.Power < 0 || w.Power > maxPower {
			return w, fmt.Errorf("the power %s is wrong, want a whole number from 0 to %d", quote(power), maxPower)
		}
	} else if k != "k" {
		return w, fmt.Errorf("%s is no back-off, %s", quote("backoff "+s), backoffForm)
	}
	if adds {
		if w.Plus, err = model.ParseDuration(strings.TrimSpace(plus)); err != nil {
			return w, err
		}
	}
	if jittery {
		if w.Jitter, err = parsePart(strings.TrimSpace(jitter)); err != nil {
			return w, err
		}
	}
	if w.Base+w.Plus == 0 {
		return w, fmt.Errorf("%s never waits, want a length above 0", quote("backoff "+s))
	}
	if w.Base+w.Plus < 0 {
		return w, fmt.Errorf("%s waits over 292 years, want less", quote("backoff "+s))
	}
	return w, nil
}

// maxPower is the steepest back-off: nothing in use is above 5.
const maxPower = 10

// parsePart reads "15%" or "0.15" as 0.15, exactly.
func parsePart(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	number = strings.TrimSpace(number)
	plain := number != "" && strings.Trim(number, "0123456789.") == ""
	if percent {
		number += "e-2"
	}
	f, err := strconv.ParseFloat(number, 64)
	if !plain || err != nil || f > 1 {
		return 0, fmt.Errorf("jitter %s is wrong, want a part from 0%% to 100%%, such as 15%%", quote(s))
	}
	return f, nil
}

// formatPart writes f as parsePart reads it, as a percentage if that is exact.
func formatPart(f float64) string {
	s := strconv.FormatFloat(f*100, 'f', -1, 64) + "%"
	if back, err := parsePart(s); err != nil || back != f {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

// FormatWait writes a wait policy as [ParseWait] reads it.
func FormatWait(w model.Wait) string {
	switch w.Kind {
	case model.WaitDelay:
		if _, perJob, fixed := w.Delay.Fixed(); fixed && perJob == 0 {
			return "fixed " + w.Delay.String()
		}
		return w.Delay.String()
	case model.WaitBackoff:
		s := "backoff "
		if w.Base != time.Second {
			s += model.FormatDuration(w.Base) + " * "
		}
		s += "k"
		if w.Power != 1 {
			s += "^" + strconv.Itoa(w.Power)
		}
		if w.Plus != 0 {
			s += " + " + model.FormatDuration(w.Plus)
		}
		if w.Jitter != 0 && !math.IsNaN(w.Jitter) {
			s += " jitter " + formatPart(w.Jitter)
		}
		return s
	case "":
		return string(model.WaitSlots)
	}
	return string(w.Kind)
}
