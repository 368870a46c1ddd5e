//go:build browser

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chromium is a headless browser that is spoken to in its DevTools protocol,
// over a pipe: no port, no library.
type chromium struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	events  []message // all that came, in order
}

// message is a command, its answer, or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// startChromium fails where there is no browser: a page that nobody opened was
// not tested.
func startChromium(t *testing.T) *chromium {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v, want Chromium: apt-get install chromium", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--hide-scrollbars", "--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.ExtraFiles, cmd.Stderr = []*os.File{in, out}, &said // its descriptors 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	_ = out.Close()
	c := &chromium{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		_ = to.Close() // which ends it
		cancel()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("chromium said: %s", said.String())
		}
	})
	var target struct{ TargetID string }
	c.do("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	c.do("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	c.session = session.SessionID
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		c.do(domain+".enable", nil, nil)
	}
	return c
}

func (c *chromium) read() message {
	c.t.Helper()
	text, err := c.from.ReadBytes(0)
	if err != nil {
		c.t.Fatalf("chromium ended: %v", err)
	}
	var m message
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m); err != nil {
		c.t.Fatal(err)
	}
	if m.ID == 0 {
		c.events = append(c.events, m)
	}
	return m
}

// do sends a command and waits for its answer.
func (c *chromium) do(method string, params, result any) {
	c.t.Helper()
	c.last++
	p, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	text, err := json.Marshal(message{ID: c.last, Method: method, Params: p, Session: c.session})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.to.Write(append(text, 0)); err != nil {
		c.t.Fatal(err)
	}
	for {
		m := c.read()
		if m.ID != c.last {
			continue
		}
		if m.Error != nil {
			c.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatal(err)
			}
		}
		return
	}
}

// open shows a file, and waits until it is there with all it asks for.
func (c *chromium) open(url string) {
	c.t.Helper()
	c.events = nil
	c.do("Page.navigate", map[string]any{"url": url}, nil)
	for !c.seen("Page.loadEventFired") {
		c.read()
	}
}

func (c *chromium) seen(method string) bool {
	for _, e := range c.events {
		if e.Method == method {
			return true
		}
	}
	return false
}

// complaints are errors and warnings on the console, and requests for anything
// but the page itself.
func (c *chromium) complaints(page string) (all []string) {
	for _, e := range c.events {
		switch e.Method {
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			_ = json.Unmarshal(e.Params, &p)
			if u, _, _ := strings.Cut(p.Request.URL, "#"); u != page {
				all = append(all, "request: "+p.Request.URL)
			}
		case "Network.webSocketCreated", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
			all = append(all, e.Method+": "+string(e.Params))
		}
	}
	return all
}

func (c *chromium) eval(script string, result any) {
	c.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	c.do("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		c.t.Fatalf("%s", r.ExceptionDetails)
	}
	if err := json.Unmarshal(r.Result.Value, result); err != nil {
		c.t.Fatal(err)
	}
}

// show sets the screen, the colours and the medium.
func (c *chromium) show(width int, medium, scheme string) {
	c.t.Helper()
	c.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	c.do("Emulation.setEmulatedMedia", map[string]any{"media": medium, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// keep writes what is seen into the folder of BROWSER_SHOTS, for people to
// look at.
func (c *chromium) keep(name string) {
	c.t.Helper()
	dir := os.Getenv("BROWSER_SHOTS")
	if dir == "" {
		return
	}
	var r struct{ Data string }
	if strings.HasSuffix(name, ".pdf") {
		c.do("Page.printToPDF", map[string]any{"printBackground": false}, &r)
	} else {
		c.do("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &r)
	}
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// seenPage is what the page looks like to somebody who reads it.
type seenPage struct {
	Wide, Scroll int
	Charts       []struct{ Left, Right, Height, Letters float64 }
	Faint        []string
	Outside      []string
}

// look measures the page: how far it scrolls sideways, the charts that are
// shown with the height of their smallest letters, and words that are pale on
// their ground or outside the chart they belong to. A chart's colours pass
// through its filter.
const look = `(() => {
  const shown = e => e.getClientRects().length > 0;
  const numbers = c => (c.match(/[\d.]+/g) || [0, 0, 0]).map(Number);
  const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
  const faint = [], outside = [];
  const judge = (e, color) => {
    const [a, b] = [light(numbers(color)), light(ground(e))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) faint.push(e.textContent.slice(0, 40) + ' ' + color);
  };
  for (const e of document.querySelectorAll('h1, h2, p, li, li *, h2 *, th, td, summary, footer')) if (shown(e)) judge(e, getComputedStyle(e).color);
  const charts = [...document.querySelectorAll('svg')].filter(shown).map(s => {
    const r = s.getBoundingClientRect();
    let letters = 1e9;
    for (const t of s.querySelectorAll('text')) {
      const b = t.getBoundingClientRect();
      letters = Math.min(letters, parseFloat(getComputedStyle(t).fontSize) * r.width / s.viewBox.baseVal.width);
      judge(t, getComputedStyle(t).fill);
      if (b.left < r.left - 1 || b.right > r.right + 1 || b.top < r.top - 1 || b.bottom > r.bottom + 1) outside.push(t.textContent);
    }
    return {Left: r.left, Right: r.right, Height: r.height, Letters: letters};
  });
  return {Wide: document.documentElement.clientWidth, Scroll: document.documentElement.scrollWidth, Charts: charts, Faint: faint, Outside: outside};
})()`

// odd are scenarios that are hard to show: long names, many limits, none, very
// long and very short runs, one that fails.
const odd = `name: %s
about: %[1]s
limits:
  mail: {to: 10, per: 1s, burst: 3}
  a-limit-with-a-long-name-too: {to: 100, per: 1m, burst: 5}
  push: {to: 5, per: 2s}
jobs:
  - {class: MailJob, limit: mail, backlog: 60, takes: 10ms}
  - {class: AJobWithALongNameThatSomebodyGaveIt, limit: a-limit-with-a-long-name-too, backlog: 60, takes: 10ms}
  - {class: PushJob, limit: push, backlog: 10, takes: 10ms}
  - {class: FreeJob, backlog: 30, takes: 10ms}
expect: {makespan_s: "< 1"}
runs: 3
---
name: days
limits: {api: {to: 5, per: 24h, burst: 2}}
jobs: [{class: A, backlog: 30, limit: api}]
runs: 3
---
name: nothing to wait for
jobs: [{class: A, backlog: 1}]
timing: none
runs: 3
`

// The page of run --report html, opened in a browser: it asks for nothing,
// complains about nothing, and can be read on a phone and on a large screen,
// in the light and in the dark, and on paper.
func TestBrowserShowsThePage(t *testing.T) {
	dir := t.TempDir()
	scenario, page := filepath.Join(dir, "odd.yml"), filepath.Join(dir, "page.html")
	if err := os.WriteFile(scenario, fmt.Appendf(nil, odd, "a-name-that-was-given-in-a-hurry-on-a-friday-afternoon-and-never-changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	if code := run(t.Context(), &out, &errOut, strings.NewReader(""), []string{"run", "webhooks", scenario, "--report", "html=" + page}); code != codeFailed {
		t.Fatalf("ends with %d: %s", code, errOut.String())
	}
	url := "file://" + page
	c := startChromium(t)
	for _, v := range []struct {
		width          int
		medium, scheme string
	}{{390, "screen", "light"}, {390, "screen", "dark"}, {1280, "screen", "light"}, {1280, "screen", "dark"}, {700, "print", "dark"}} {
		name := fmt.Sprintf("%d %s %s", v.width, v.medium, v.scheme)
		c.show(v.width, v.medium, v.scheme)
		c.open(url)
		var p seenPage
		c.eval(look, &p)
		if p.Wide != v.width || p.Scroll > p.Wide {
			t.Errorf("%s: %d wide, scrolls to %d", name, p.Wide, p.Scroll)
		}
		if want := 7; len(p.Charts) != want {
			t.Errorf("%s: %d charts are shown, want %d", name, len(p.Charts), want)
		}
		for i, s := range p.Charts {
			if s.Left < 0 || s.Right > float64(v.width) || s.Right-s.Left < 0.7*min(float64(v.width), 960) || s.Height < 200 || s.Letters < 8 {
				t.Errorf("%s: chart %d is %+v, want it inside the screen, large enough, with letters of 8 and more", name, i, s)
			}
		}
		if len(p.Faint) > 0 {
			t.Errorf("%s: hard to read on their ground: %q", name, p.Faint)
		}
		if len(p.Outside) > 0 {
			t.Errorf("%s: outside their charts: %q", name, p.Outside)
		}
		if all := c.complaints(url); len(all) > 0 {
			t.Errorf("%s: %q", name, all)
		}
		c.keep(strings.ReplaceAll(name, " ", "-") + ".png")
	}
	// Links within the page lead somewhere.
	var dead []string
	c.eval(`[...document.querySelectorAll('a')].map(a => a.getAttribute('href')).filter(h => !h.startsWith('#') || !document.getElementById(h.slice(1)))`, &dead)
	if len(dead) > 0 {
		t.Errorf("links that lead nowhere: %q", dead)
	}
	c.show(1280, "", "light")
	c.keep("page.pdf")
}

// The browser's eyes are open: a page with every fault is found out.
func TestBrowserSeesFaults(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	const text = `<meta name="viewport" content="width=device-width"><body style="background: #fff"><p style="color: #ccc">pale</p><div style="width: 900px">wide</div>
		<svg width="300" height="20" viewBox="0 0 300 20"><text x="290" y="15">outside</text></svg><img src="http://127.0.0.1:1/x.png"><script>console.error("oh"); nothing()</script>`
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := startChromium(t)
	c.show(390, "screen", "light")
	c.open("file://" + page)
	var p seenPage
	c.eval(look, &p)
	if p.Scroll < 900 || len(p.Faint) != 1 || len(p.Outside) != 1 || len(p.Charts) != 1 {
		t.Errorf("%+v", p)
	}
	all := strings.Join(c.complaints("file://"+page), "\n")
	for _, want := range []string{"request: http://127.0.0.1:1/x.png", "consoleAPICalled", "exceptionThrown"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not among %s", want, all)
		}
	}
}
