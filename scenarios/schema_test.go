package scenarios

import (
	"bytes"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func schemaOf(t testing.TB) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, doc.(map[string]any)
}

// value is a node as a validator of JSON sees it.
func (n *node) value() any {
	switch {
	case n.shape == list:
		all := []any{}
		for _, item := range n.items {
			all = append(all, item.value())
		}
		return all
	case n.shape == mapping:
		m := map[string]any{}
		for i, k := range n.keys {
			m[k.text] = n.items[i].value()
		}
		return m
	case n.empty():
		return nil
	}
	if n.plain && numeric(n.text) && !strings.HasPrefix(strings.TrimLeft(n.text, "+-"), "0x") {
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64); err == nil {
			return f
		}
	}
	return n.text
}

func TestSchemaAcceptsGoodAndShippedFiles(t *testing.T) {
	schema, _ := schemaOf(t)
	files := testFiles(t, "good")
	for _, info := range List() {
		files[info.File], _ = shipped.ReadFile(info.File)
		docs, _ := FindDocuments(info.Name)
		for _, d := range docs { // what is written for others, too
			s, err := d.With()
			if err != nil {
				t.Fatal(err)
			}
			files["written "+info.Name] = Write(s)
		}
	}
	for name, data := range files {
		roots, errs := parseNodes(name, data)
		if errs != nil {
			t.Fatal(errs)
		}
		for _, root := range roots {
			if err := schema.Validate(root.value()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

var passes = regexp.MustCompile(`(?m)^# schema: passes$`)

// A schema sees keys, types and ranges. The bad files it can't see through say
// so with "# schema: passes"; all others it must refuse.
func TestSchemaRefusesBadFiles(t *testing.T) {
	schema, _ := schemaOf(t)
	for name, data := range testFiles(t, "bad") {
		roots, errs := parseNodes(name, data)
		if len(errs) > 0 || len(roots) == 0 {
			continue // not YAML: no schema comes to see it
		}
		ok := true
		for _, root := range roots {
			ok = ok && schema.Validate(root.value()) == nil
		}
		if want := passes.Match(data); ok != want {
			t.Errorf("%s: the schema lets it pass: %v, want %v", filepath.Base(name), ok, want)
		}
	}
}

// The schema names every key the reader knows and no other.
func TestSchemaAndReaderKnowTheSameKeys(t *testing.T) {
	_, doc := schemaOf(t)
	defs := doc["$defs"].(map[string]any)
	for _, c := range []struct {
		where  string
		schema any
		reader []string
	}{
		{"the scenario", doc, names(scenarioKeys)},
		{"limit", defs["limit"], names(limitKeys)},
		{"job", defs["job"], names(jobKeys)},
		{"dispatcher", defs["dispatcher"], names(dispatcherKeys)},
		{"worker", defs["worker"], names(workerKeys)},
		{"timing", defs["timing"], names(timingKeys)},
		{"rules", defs["rules"], names(ruleKeys)},
		{"connection", defs["connection"], names(connectionKeys)},
		{"throttle", defs["throttle"], names(throttleKeys)},
		{"job of laravel", defs["laravel_job"], names(laravelJobKeys)},
		{"worker of laravel", defs["laravel_worker"], names(laravelWorkerKeys)},
		{"timing of laravel", defs["laravel_timing"], names(laravelTimingKeys)},
		{"rules of laravel", defs["laravel_rules"], names(laravelRuleKeys)},
		{"provider", defs["provider"], names(providerKeys)},
	} {
		properties := c.schema.(map[string]any)["properties"].(map[string]any)
		got := slices.Sorted(maps.Keys(properties))
		slices.Sort(c.reader)
		if !slices.Equal(got, c.reader) {
			t.Errorf("%s: the schema has %v, the reader %v", c.where, got, c.reader)
		}
		for name, p := range properties {
			if p := p.(map[string]any); p["description"] == nil && p["$ref"] == nil {
				t.Errorf("%s: %s has no description", c.where, name)
			}
		}
	}
}

// For a Laravel queue too.
func TestSchemaTellsLaravelsDefaults(t *testing.T) {
	_, doc := schemaOf(t)
	const base = "system: laravel\nlimits: {w: {allow: 5}}\njobs:\n  - {class: A, backlog: 10}\n"
	s := mustRead(t, base)
	for part, where := range map[string]string{
		"connection": "connection: {KEY}\n", "laravel_worker": "workers: [{KEY}]\n",
		"laravel_timing": "timing: {KEY}\n", "laravel_rules": "rules: {KEY}\n",
		"throttle": "", "laravel_job": "",
	} {
		for key, p := range doc["$defs"].(map[string]any)[part].(map[string]any)["properties"].(map[string]any) {
			d, ok := p.(map[string]any)["default"]
			if !ok || key == "backlog" {
				continue
			}
			value, ok := d.(string)
			if value = strconv.Quote(value); !ok {
				value = d.(interface{ String() string }).String()
			}
			text := base + strings.Replace(where, "KEY", key+": "+value, 1)
			switch part {
			case "throttle":
				text = strings.Replace(base, "allow: 5", "allow: 5, "+key+": "+value, 1)
			case "laravel_job":
				text = strings.Replace(base, "backlog: 10", "backlog: 10, "+key+": "+value, 1)
			}
			if err := same(mustRead(t, text), s); err != nil {
				t.Errorf("%s.%s: default %s: %v", part, key, value, err)
			}
		}
	}
}

// The defaults that the schema tells are those the reader fills in.
func TestSchemaTellsTheReadersDefaults(t *testing.T) {
	_, doc := schemaOf(t)
	s := mustRead(t, "limits:\n  w: {to: 5, per: 1s}\njobs:\n  - {class: A, backlog: 10}\n")
	text := "x: "
	for _, part := range []string{"limit", "job", "dispatcher", "worker", "timing"} {
		for key, p := range doc["$defs"].(map[string]any)[part].(map[string]any)["properties"].(map[string]any) {
			if d, ok := p.(map[string]any)["default"]; ok {
				text = map[string]string{
					"limit":      "limits:\n  w: {to: 5, per: 1s, KEY}\njobs:\n  - {class: A, backlog: 10}\n",
					"job":        "limits:\n  w: {to: 5, per: 1s}\njobs:\n  - {class: A, backlog: 10, KEY}\n",
					"dispatcher": "limits:\n  w: {to: 5, per: 1s}\njobs:\n  - {class: A, backlog: 10}\ndispatchers:\n  - {KEY}\nworkers:\n  - {}\n",
					"worker":     "limits:\n  w: {to: 5, per: 1s}\njobs:\n  - {class: A, backlog: 10}\ndispatchers:\n  - {}\nworkers:\n  - {KEY}\n",
					"timing":     "limits:\n  w: {to: 5, per: 1s}\njobs:\n  - {class: A, backlog: 10}\ntiming: {KEY}\n",
				}[part]
				if key == "backlog" {
					continue // a job that never comes is a mistake
				}
				value, ok := d.(string)
				if value = strconv.Quote(value); !ok {
					value = d.(interface{ String() string }).String()
				}
				if err := same(mustRead(t, strings.Replace(text, "KEY", key+": "+value, 1)), s); err != nil {
					t.Errorf("%s.%s: default %s: %v", part, key, value, err)
				}
			}
		}
	}
}
